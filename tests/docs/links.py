#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""links.py ROOT: every relative link and picture in README.md, CONTRIBUTING.md and docs/ leads to a file, and
every #section to a heading."""
import pathlib
import re
import sys


def anchors(file):
    """The names that headings get on GitHub."""
    text = re.sub(r"^```.*?^```", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ +(.+?)\s*$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def faults_of(file, root):
    text = re.sub(r"^```.*?^```|`[^`\n]+`", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, section = target.partition("#")
        goal = (file.parent / path).resolve() if path else file
        if not goal.exists():
            yield f"{file.relative_to(root)}: there is no {target}"
        elif section and goal.suffix == ".md" and section not in anchors(goal):
            yield f"{file.relative_to(root)}: {path or file.name} has no section '{section}'"


def main(root):
    files = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    faults = [fault for file in files for fault in faults_of(file, root)]
    print("\n".join(faults) or f"links of {len(files)} files lead somewhere")
    return 1 if faults else 0


sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
