# SPDX-License-Identifier: Apache-2.0
"""A build's compile_commands.json, for tests that ask the compiler what it makes of other programs."""
import json
import pathlib
import shlex


def words_for(commands, source):
    """The words of the command line by which the build compiles `source`, one after the other."""
    command = next(c for c in json.loads(pathlib.Path(commands).read_text())
                   if pathlib.Path(c["file"]).resolve() == pathlib.Path(source).resolve())
    return iter(shlex.split(command["command"]))
