#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rehearsal_test.py COMPILE_COMMANDS SOURCE…: each source compiles as the code for devices, too, by the host's compiler. (A
compiler for devices finds more: host functions in kernels. See docs/devices.md.)"""
import subprocess
import sys

import compile_commands


def command_of(commands, source):
    """Reads the source, and writes nothing."""
    words = list(compile_commands.words_for(commands, source))
    last = words.index("-o")
    return [*words[:last], "-DCARTWRIGHT_REHEARSES_DEVICE", "-fsyntax-only", source]


def main(commands, *sources):
    faults = 0
    for source in sources:
        said = subprocess.run(command_of(commands, source), capture_output=True, text=True, check=False)
        print(f"{source}: {said.stderr if said.returncode else 'compiles'}")
        faults += said.returncode != 0
    return 1 if faults or not sources else 0


sys.exit(main(*sys.argv[1:]))
