#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""limits.py STEP: a whole solver stays small. heat.cpp: at most 40 lines that are neither blank nor comment, as
clang-format lays them out, and at most 10 names of the framework; heat.yaml: at most 25 lines. The text beside STEP
says how many there are."""
import pathlib
import re
import shutil
import subprocess
import sys


def without_comments(code):
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    return re.sub(r"//[^\n]*", "", code)


def main(step):
    source, deck = step / "heat.cpp", step / "heat.yaml"
    code = without_comments(source.read_text())
    lines = [line for line in code.splitlines() if line.strip()]
    names = sorted(set(re.findall(r"\b(?:cw|cartwright)::(\w+(?:::\w+)*)", code)))
    deck_lines = [line for line in deck.read_text().splitlines() if line.strip() and not line.lstrip().startswith("#")]
    print(f"{source.name}: {len(lines)} lines, {len(names)} names: {', '.join(names)}")
    print(f"{deck.name}: {len(deck_lines)} lines")
    good = len(lines) <= 40 and len(names) <= 10 and len(deck_lines) <= 25
    claim = f"{len(lines)} lines of C++, {len(names)} names of the framework"
    for needed in (claim, f"a deck of {len(deck_lines)} lines"):
        if needed not in " ".join((step.parent / "README.md").read_text().split()):
            print(f"the text doesn't say: {needed}")
            good = False
    for needed in ("overlap(", "run.steps("):
        good = good and needed in code
    for needed in ("output:", "checkpoint:"):
        good = good and needed in deck.read_text()
    formatter = shutil.which("clang-format")
    if formatter is None:
        print("clang-format is not installed: the layout is not checked")
    elif subprocess.run([formatter, "--dry-run", "--Werror", "--style=file", source]).returncode != 0:
        good = False
    return 0 if good else 1


sys.exit(main(pathlib.Path(sys.argv[1])))
