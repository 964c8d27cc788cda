# SPDX-License-Identifier: Apache-2.0
"""A build's compile_commands.json, for tests that ask the compiler what it makes of other programs."""
import json
import pathlib
import re
import shlex


def sources_of(entry):
    """The source, or those that a unity source includes."""
    path = pathlib.Path(entry["directory"], entry["file"])
    if "Unity" not in path.parts:
        return [path]
    return [pathlib.Path(name) for name in re.findall(r'#include "(.*)"', path.read_text())]


def words_for(commands, source):
    """The words of the command line by which the build compiles `source`, one after the other."""
    source = pathlib.Path(source).resolve()
    command = next(entry for entry in json.loads(pathlib.Path(commands).read_text())
                   if source in [path.resolve() for path in sources_of(entry)])
    return iter(shlex.split(command["command"]))
