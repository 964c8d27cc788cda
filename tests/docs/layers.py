#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""layers.py ROOT: every #include leads downwards. Between floors as CONTRIBUTING.md says; inside of a floor as the table
"Folders of a floor" of docs/architecture.md says: from the ground up, at most eight. What lies outside of them, at the
top of its floor, is what users include: it may use all of its floor, and no folder but the last may use it."""
import pathlib
import re
import sys

BELOW = {"plan": [], "rt": [], "mapping": ["plan", "rt"], "comm": ["plan", "rt", "mapping"],
         "drop_in": ["plan", "rt", "mapping", "comm"],
         "grid": ["plan", "rt", "mapping", "comm"], "linear": ["plan", "rt", "mapping", "comm", "grid"]}
MOST_FOLDERS = 8


def folders_by_floor(text):
    """The rows `| floor | folder, folder, ... |`; a floor's top counts as a folder where the row names it, as `.`."""
    section = re.search(r"^## Folders of a floor$(.*?)^## ", text, flags=re.MULTILINE | re.DOTALL).group(1)
    return {floor: ["" if folder == "." else folder for folder in re.findall(r"`(\w+|\.)`", order)]
            for floor, order in re.findall(r"^\| `(\w+)/` \| ([^|]*) \|", section, flags=re.MULTILINE)}


def place(base, path):
    """The floor and the folder of a file, or of what an #include names."""
    parts = path.relative_to(base).parts
    inside = parts[4:] if parts[1] == "include" else parts[2:]
    return parts[0], inside[0] if len(inside) > 1 else ""


def included(base, file, kind, name):
    if kind == '"':
        return (file.parent / name).resolve()
    floor = name.split("/")[1]
    return base / (floor if floor in BELOW else "grid") / "include" / name


def may_use(order, folder, other):
    if folder == other or folder not in order:
        return True  # the top of a floor, or a floor without folders
    if other not in order:
        return folder == order[-1]  # the top
    return order.index(other) < order.index(folder)


def faults(root):
    base = root / "framework"
    folders = folders_by_floor((root / "docs/architecture.md").read_text())
    for floor, order in folders.items():
        if len(order) > MOST_FOLDERS:
            yield f"{floor} has {len(order)} folders"
    for file in sorted(base.rglob("*.?pp")):
        floor, folder = place(base, file)
        order = folders.get(floor, [])
        if order and folder and folder not in order:
            yield f"{file.relative_to(root)}: docs/architecture.md has no folder {folder} of {floor}"
            continue
        for kind, name in re.findall(r'^\s*#\s*include ([<"])(.*?)[>"]', file.read_text(), flags=re.MULTILINE):
            if kind == "<" and not name.startswith("cartwright/"):
                continue
            target = included(base, file, kind, name)
            if not target.is_file():
                continue  # made by the build, or named from an include path: the compiler knows
            to_floor, to_folder = place(base, target)
            arrow = f"{file.relative_to(root)} includes {target.relative_to(base)}"
            if to_floor != floor:
                if to_floor not in BELOW[floor]:
                    yield f"{arrow}: {to_floor} is not below {floor}"
            elif not may_use(order, folder, to_folder):
                yield f"{arrow}: {to_folder or 'the top of the floor'} is not below {folder or 'it'}"


def main(root):
    found = list(faults(root))
    print("\n".join(found) or "every include leads downwards")
    return 1 if found else 0


sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
