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

    @functools.lru_cache(None)
    def reached(file):
        """All that `file` includes, by the names in it; headers of the framework are followed."""
        names, to_do = set(), [file]
        while to_do:
            here = to_do.pop()
            for kind, name in INCLUDE.findall(here.read_text()):
                found = here.parent / name if kind == '"' else next(framework.glob(f"*/include/{name}"), None)
                key = str(found.resolve()) if found is not None and found.exists() else name
                if key in names:
                    continue
                names.add(key)
                if key != name:
                    to_do.append(pathlib.Path(key))
        return names

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
