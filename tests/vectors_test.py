#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vectors_test.py COMPILE_COMMANDS SOURCE ROWS FOLDER: what the compiler makes of the kernels in FOLDER, with the flags
that SOURCE is compiled with: of each the loop along a row, which ROWS holds (`for (int x = first[0];`), is one of vectors,
but of those named scalar_*. g++ says so (-fopt-info-vec-optimized). And none keeps a point in memory, where a processor
would read as a whole what it has just written in parts: that waits for all stores before. Nothing is run."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

import compile_commands

LOOP = "for (int x = first[0]; x < end; ++x) {"
LOST = ("-fsanitize", "--coverage", "-O", "-fno-sanitize")  # what instruments code, or leaves it as it is


def command_for(commands, source):
    words, kept = compile_commands.words_for(commands, source), []
    for word in words:
        if word in ("-o", "-c"):
            next(words)
        elif not word.startswith(LOST):
            kept.append(word)
    return kept


# x86-64: what is stored on the stack, and a load of 8 bytes or more from there.
STORE = re.compile(r"\t(\w+)\t[^,]+, (-?\d*)\((%r[bs]p)\)$")
LOAD = re.compile(r"\tv?mov(?:q|dqu|dqa|ups|aps)\t(-?\d*)\((%r[bs]p)\), %(?:[xy]mm|r)\w+$")
SOON = 40  # instructions


def waits_in(assembly):
    """Loads in functions that go along rows, each of what was stored in parts soon before."""
    waits, stores, is_row = [], {}, False
    for number, line in enumerate(assembly.splitlines()):
        if re.match(r"_Z\w+:", line):
            stores, is_row = {}, "run_row" in line or "for_rows" in line
        if not is_row:
            continue
        if line.startswith(("\tjmp", "\tret")):
            stores = {}
        elif stored := STORE.match(line):
            base, place = stored[3], int(stored[2] or 0)
            if stored[1] == "movl":
                stores[base, place] = number
            else:  # all of it
                for part in (place, place + 4):
                    stores.pop((base, part), None)
        elif loaded := LOAD.match(line):
            place = int(loaded[1] or 0)
            if any(number - stores.get((loaded[2], part), -SOON) < SOON for part in (place, place + 4)):
                waits.append(line.strip())
    return waits


def made_of(program, command, place):
    """What is right, and what is wrong."""
    said = subprocess.run([*command, "-O3", "-S", "-o", "-", "-fopt-info-vec-optimized", str(program)], text=True,
                          capture_output=True, check=False)
    if said.returncode != 0:
        return "", f"doesn't compile:\n{said.stderr}"
    if waits := waits_in(said.stdout):
        return "", "keeps a point in memory: " + "; ".join(waits)
    if program.stem.startswith("scalar_"):
        return "points in registers", ""
    found = re.findall(rf"{re.escape(place)}:\d+: optimized: loop vectorized using (\d+) byte vectors", said.stderr)
    return (f"vectors of {max(map(int, found))} bytes", "") if found else ("", "not vectorised")


def main(commands, source, rows, folder):
    command = command_for(commands, source)
    lines = [number for number, line in enumerate(pathlib.Path(rows).read_text().splitlines(), 1) if line.strip() == LOOP]
    if len(lines) != 1:
        sys.exit(f"{rows}: no line, or several, {LOOP}")
    place = f"{pathlib.Path(rows).name}:{lines[0]}"
    programs = sorted(pathlib.Path(folder).glob("*.cpp"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda program: made_of(program, command, place), programs))
    for program, (right, wrong) in zip(programs, results):
        print(f"{program.stem}: {wrong or right}")
    return 0 if programs and not any(wrong for _, wrong in results) else 1


sys.exit(main(*sys.argv[1:]))
