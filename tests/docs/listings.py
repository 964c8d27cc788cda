#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""listings.py [--update] TEXT: every listing that follows a line `<!-- file: NAME -->` in the Markdown TEXT is
that file, whole and unchanged; one after `<!-- part of: NAME -->` is in that file, as it stands; and every step's
solver and deck beside TEXT is listed. --update writes whole files anew."""
import pathlib
import re
import sys

MARKED = re.compile(r"^<!-- file: (\S+) -->\n```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^<!-- part of: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main(arguments):
    update = "--update" in arguments
    text_file = pathlib.Path(arguments[-1])
    text, here = text_file.read_text(), text_file.parent
    if update:
        text = MARKED.sub(lambda m: f"<!-- file: {m[1]} -->\n```{m[2]}\n{(here / m[1]).read_text()}```", text)
        text_file.write_text(text)
    listed = {m[1]: m[3] for m in MARKED.finditer(text)}
    faults = [f"{name}: the listing differs from the file" for name, shown in listed.items()
              if (here / name).read_text() != shown]
    faults += [f"{m[1]}: the listed part is not in the file" for m in PART.finditer(text)
               if m[2] not in (here / m[1]).read_text()]
    for file in sorted([*here.glob("step*/*.cpp"), *here.glob("step*/*.yaml")]):
        name = str(file.relative_to(here))
        if name not in listed:
            faults.append(f"{name}: not listed")
    projects = {file.read_text() for file in here.glob("step*/CMakeLists.txt")}
    if len(projects) > 1:
        faults.append("the steps' CMakeLists.txt differ; the text lists only one")
    for fault in faults:
        print(fault)
    if faults:
        print(f"mend it with: {sys.argv[0]} --update {text_file}")
    return 1 if faults else 0


sys.exit(main(sys.argv[1:]))
