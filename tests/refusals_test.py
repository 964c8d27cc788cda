#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""refusals_test.py COMPILE_COMMANDS SOURCE HEADER FOLDER: every program of FOLDER, which includes HEADER, is refused by the
compiler, with the flags that SOURCE is compiled with. The first error is what its line `// says:` names, and there are few
lines in all; or what its line `// mentions:` names stands somewhere in them. A program without such a line shows what the
others vary: it compiles."""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

import compile_commands

MOST_LINES = 16
# They say from where: through all forms of a reduction, and through rows of packs.
MORE_LINES = {"sum_of_integers_in_a_vector": 24, "packs_of_a_view": 20}
FEWEST_PROGRAMS = 15
WITH_ARGUMENT = ("-I", "-isystem", "-D", "-include")


def flags_of(commands, source):
    """Of the compiler's command line: what decides how a header is read."""
    words = compile_commands.words_for(commands, source)
    compiler = next(words)
    while not compiler.endswith(("c++", "g++")) and "g++" not in compiler:  # behind ccache
        compiler = next(words)
    kept = []
    for word in words:
        if word in WITH_ARGUMENT:
            kept += [word, next(words)]
        elif word.startswith(("-I", "-D", "-std", "-f")) and not word.startswith("-fsanitize"):
            kept.append(word)
    return [compiler, *kept]


def fault_of(program, command):
    """Nothing, or what is wrong with how `program` is refused."""
    text = program.read_text()
    how, _, wanted = next((line.removeprefix("// ") for line in text.splitlines() if line.startswith(("// says: ", "// mentions: "))),
                          "").partition(": ")
    said = subprocess.run([*command, "-fsyntax-only", str(program)], capture_output=True, text=True, check=False,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    lines = said.stderr.splitlines()
    errors = [line.split("error: ", 1)[1] for line in lines if "error: " in line]
    most = MORE_LINES.get(program.stem, MOST_LINES)
    if not wanted:
        return "" if said.returncode == 0 else f"is refused:\n{said.stderr}"
    if said.returncode == 0 or not errors:
        return "is not refused"
    if how == "mentions":
        return "" if wanted in said.stderr else f"nothing mentions it:\n{said.stderr}"
    if wanted not in errors[0]:
        return f"the first error is: {errors[0]}"
    if len(lines) > most:
        return f"{len(lines)} lines of errors, at most {most} were to be:\n{said.stderr}"
    return ""


def main(commands, source, header, folder):
    compiler, *flags = flags_of(commands, source)
    programs = sorted(pathlib.Path(folder).glob("*.cpp"))
    with tempfile.TemporaryDirectory() as scratch:
        # Read once, for all of them.
        forward = pathlib.Path(scratch, header)
        forward.parent.mkdir(parents=True, exist_ok=True)
        forward.write_text(f"#include_next <{header}>\n")
        command = [compiler, "-I", scratch, "-I", folder, *flags, "-Werror=unused-result"]
        subprocess.run([*command, "-x", "c++-header", str(forward), "-o", f"{forward}.gch"], check=True,
                       stderr=subprocess.DEVNULL)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            faults = list(pool.map(lambda program: fault_of(program, command), programs))
    for program, fault in zip(programs, faults):
        print(f"{program.stem}: {fault or 'as it should be'}")
    return 1 if any(faults) or len(programs) < FEWEST_PROGRAMS else 0


sys.exit(main(*sys.argv[1:]))
