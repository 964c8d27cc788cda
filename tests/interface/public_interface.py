#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""public_interface.py [--release] ROOT: what differs between the public interface as it is and as the file `released`
beside this script lists it must be named, `like this`, in the newest section of CHANGELOG.md. --release writes the file
anew: when a version is released, with its number in the file's first line."""
import hashlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def digest(text):
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]


def exported(root):
    """Names for programs, with a digest of their public declarations as docs/reference shows them (comments don't count)."""
    text = "".join((root / "docs/reference" / page).read_text() for page in ("README.md", "comm.md"))
    for name, body in re.findall(r"<!-- entry: (\S+)[^>]*-->\n(.*?)<!-- end -->", text, re.DOTALL):
        code = "".join(re.findall(r"```cpp\n(.*?)```", body.split("\nExample")[0], re.DOTALL))
        yield "c++", name, digest(re.sub(r"//.*", "", code))


def deck_keys(root):
    section = ""
    for line in (root / "docs/deck.md").read_text().splitlines():
        if found := re.match(r"## `(.*)`", line):
            section = found[1] + "."
        elif found := re.match(r"\| `([^`]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \|", line):
            yield "deck", section + found[1], "; ".join(part.strip() for part in found.groups()[1:])


def packages(root):
    for name in re.findall(r"^\s*cartwright_pkg_config\(\s*([\w-]+)", (root / "cmake/CartwrightPkgConfig.cmake").read_text(), re.M):
        yield "pkg-config", name, ""
    for file in sorted((root / "framework").glob("*/CMakeLists.txt")):
        for name in re.findall(r"^cartwright_add_floor\(\s*(\w+)", file.read_text(), re.M):
            yield "cmake", "cartwright::" + name, ""
    for name in re.findall(r"#\s*find_package\(cartwright COMPONENTS (\w+)\)", (root / "cmake/cartwrightConfig.cmake.in").read_text()):
        yield "component", name, ""


def python_names(root):
    text = (root / "python/cartwright/__init__.py").read_text()
    for name in re.findall(r'"(\w+)"', re.search(r"__all__ = \[(.*?)\]", text, re.DOTALL)[1]):
        yield "python", "cartwright." + name, ""
    for file in ("results", "series", "tables"):
        text, owner = (root / f"python/cartwright/{file}.py").read_text(), ""
        for name, method, attribute in re.findall(r"^class (\w+)|^    def ([a-z]\w*)\(|^    ([a-z]\w*) = property", text, re.M):
            owner = name or owner
            if not name:
                yield "python", f"{owner}.{method or attribute}", ""


def exit_codes(root):
    text = (root / "launcher/help.bash").read_text()
    for code, meaning in re.findall(r"(\d) ([^,.]+)", re.search(r"Exit codes: (.*?)\nTEXT", text, re.DOTALL)[1]):
        yield "exit code", code, " ".join(meaning.split())


def interface(root):
    found = {}
    for part in (exported, deck_keys, packages, python_names, exit_codes):
        before = len(found)
        found.update({(kind, name): value for kind, name, value in part(root)})
        if len(found) == before:
            sys.exit(f"public_interface.py finds nothing by {part.__name__}: has a file changed its form?")
    return found


def listed(text):
    return {(kind, name): value for kind, name, value in (line.split("\t") for line in text.splitlines()[1:])}


def version_of(root):
    return re.search(r"^project\(cartwright VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(), re.M)[1]


def main(arguments):
    release = "--release" in arguments
    root = pathlib.Path([word for word in arguments if not word.startswith("--")][0])
    now, file, version = interface(root), HERE / "released", version_of(root)
    if release:
        lines = [f"{kind}\t{name}\t{value}" for (kind, name), value in sorted(now.items())]
        file.write_text("\n".join([f"The public interface of version {version}, by public_interface.py --release"] + lines) + "\n")
        return 0
    then = listed(file.read_text())
    changelog = (root / "CHANGELOG.md").read_text()
    newest = re.split(r"^## ", changelog, flags=re.M)[1]
    named = set(re.findall(r"`([^`]+)`", newest))
    faults = []
    if not newest.startswith(version):
        faults.append(f"the newest section of CHANGELOG.md is not of version {version}, which CMakeLists.txt names")
    if f'__version__ = "{version}"' not in (root / "python/cartwright/__init__.py").read_text():
        faults.append(f"python/cartwright is not of version {version}")
    for what, entries in (("is new", now.keys() - then.keys()), ("is gone", then.keys() - now.keys()),
                          ("has changed", {key for key in now.keys() & then.keys() if now[key] != then[key]})):
        faults += [f"{kind} `{name}` {what}: say so in CHANGELOG.md, with its name in backticks"
                   for kind, name in sorted(entries) if name not in named]
    print("\n".join(faults) or f"{len(now)} names, as released or as CHANGELOG.md says")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
