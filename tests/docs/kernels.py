#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kernels.py ROOT: in each floor's CMakeLists.txt the sources that include Kokkos, however indirectly, are those below
KERNELS: a device compiler compiles these and no others, and of JSON and YAML they include nothing."""
import functools
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#include\s+([<"])([^>"]+)[>"]', re.MULTILINE)
FOREIGN = ("nlohmann/", "yaml-cpp/")


def main(root):
    framework = root / "framework"
    headers = list(framework.glob("*/include"))

    @functools.lru_cache(None)
    def included(file):
        """What stands in it: paths of the framework's own headers, names of others."""
        names = []
        for kind, name in INCLUDE.findall(file.read_text()):
            places = [file.parent / name] if kind == '"' else [folder / name for folder in headers]
            names.append(next((place.resolve() for place in places if place.exists()), name))
        return names

    def reached(file):
        """All that `file` includes, however indirectly."""
        found, to_do = set(), [file]
        while to_do:
            new = set(included(to_do.pop())) - found
            found |= new
            to_do += [each for each in new if isinstance(each, pathlib.Path)]
        return {str(each) for each in found}

    faults = []
    for lists in sorted(framework.glob("*/CMakeLists.txt")):
        part = re.search(r"\n  KERNELS\n((?:    \S+\n)+)", lists.read_text())
        listed = set(part[1].split()) if part else set()
        for source in sorted(lists.parent.glob("src/**/*.cpp")):
            name = source.relative_to(lists.parent).as_posix()
            names = reached(source)
            has_kokkos = "Kokkos_Core.hpp" in names
            if has_kokkos != (name in listed):
                faults.append(f"{lists.parent.name}/{name} " + ("includes Kokkos: it belongs below KERNELS" if has_kokkos
                              else "is below KERNELS and doesn't include Kokkos"))
            if has_kokkos and any(n.startswith(FOREIGN) for n in names):
                faults.append(f"{lists.parent.name}/{name} includes Kokkos and JSON or YAML")
    print("\n".join(faults) or "as it should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
