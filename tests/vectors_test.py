#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""vectors_test.py COMPILE_COMMANDS SOURCE ROWS FOLDER: what the compiler makes of the kernels in FOLDER, with the flags
that SOURCE is compiled with: of each the loop along a row, which ROWS holds (`for (int x = i[0];`), is one of vectors. g++
says so (-fopt-info-vec-optimized); nothing is run."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

import compile_commands

LOOP = "for (int x = i[0]; x < end; ++x) {"
LOST = ("-fsanitize", "--coverage", "-O", "-fno-sanitize")  # what instruments code, or leaves it as it is


def command_for(commands, source):
    words, kept = compile_commands.words_for(commands, source), []
    for word in words:
        if word == "-o":
            next(words)
        elif word != "-c" and not word.startswith(LOST) and not word.endswith(".cpp"):
            kept.append(word)
    return kept


def vectors_of(program, command, place):
    said = subprocess.run([*command, "-O3", "-S", "-o", "/dev/null", "-fopt-info-vec-optimized", str(program)], text=True,
                          capture_output=True, check=False)
    if said.returncode != 0:
        return f"doesn't compile:\n{said.stderr}"
    found = re.findall(rf"{re.escape(place)}:\d+: optimized: loop vectorized using (\d+) byte vectors", said.stderr)
    return f"vectors of {max(map(int, found))} bytes" if found else None


def main(commands, source, rows, folder):
    command = command_for(commands, source)
    lines = [number for number, line in enumerate(pathlib.Path(rows).read_text().splitlines(), 1) if line.strip() == LOOP]
    if len(lines) != 1:
        sys.exit(f"{rows}: no line, or several, {LOOP}")
    place = f"{pathlib.Path(rows).name}:{lines[0]}"
    programs = sorted(pathlib.Path(folder).glob("*.cpp"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda program: vectors_of(program, command, place), programs))
    for program, result in zip(programs, results):
        print(f"{program.stem}: {result or 'not vectorised'}")
    return 0 if programs and all(result and result.startswith("vectors") for result in results) else 1


sys.exit(main(*sys.argv[1:]))
