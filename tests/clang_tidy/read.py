#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the sources of a build, ten of a folder at a time, which takes a small part of the time; where
two define the same name, fewer at a time.

    read.py BUILD [--since COMMIT] [--jobs N] [PATH…]    PATH: only sources below it
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from compile_commands import sources_of  # noqa: E402
FINDING = re.compile(r"^(/\S+?):\d+:\d+: (?:warning|error): .*\[([\w.,-]+)\]$", re.M)


def flags_of(entry):
    """What the compiler needs to know, without source, object and what only g++ understands."""
    words, flags = iter(shlex.split(entry["command"])), []
    for word in words:
        if word in ("-o", "-c"):
            next(words)
        elif not word.startswith(("-fprofile", "--coverage")):
            flags.append(word)
    while flags and not flags[0].startswith("-"):  # compiler, and what launches it
        flags.pop(0)
    return tuple(flags)


def groups_of(build, wanted):
    """Lists of up to ten sources of one folder with the same flags."""
    alike = collections.defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for source in sources_of(entry):
            if source in wanted:
                alike[source.parent, entry["directory"], flags_of(entry)].append(source)
                wanted.discard(source)
    for (_, directory, flags), sources in alike.items():
        for begin in range(0, len(sources), 10):
            yield directory, flags, sources[begin:begin + 10]


def read(directory, flags, sources):
    """Findings as {(file, line and text)}, and the sources that could not be read."""
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=ROOT / "tests" / "clang_tidy", prefix="several_") as several:
        several.writelines(f'#include "{source}"\n' for source in sources)
        several.flush()
        file = several.name if len(sources) > 1 else str(sources[0])
        ended = subprocess.run(["clang-tidy", "--quiet", file, "--", *flags], cwd=directory, capture_output=True, text=True)
    if "clang-diagnostic-error" in ended.stdout:
        if len(sources) == 1:
            return ended.stdout, sources
        half = len(sources) // 2
        parts = [read(directory, flags, part) for part in (sources[:half], sources[half:])]
        return "".join(text for text, _ in parts), [source for _, unread in parts for source in unread]
    return ended.stdout, []


def changed_since(commit):
    words = ["git", "-C", str(ROOT), "diff", "--name-only", "--diff-filter=d", commit]
    return {ROOT / name for name in subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--since", help="only sources that were changed since this commit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_intermixed_args()  # paths stand behind options, too

    wanted = {path for folder in ("framework", "apps", "commands", "validation", "bench", "tests") for path in (ROOT / folder).rglob("*.cpp")}
    if options.since:
        wanted &= changed_since(options.since)
    if options.paths:
        wanted = {path for path in wanted if any(path.is_relative_to(pathlib.Path(below).resolve()) for below in options.paths)}
    groups = list(groups_of(options.build.resolve(), wanted))

    found, unread, number = set(), sorted(wanted), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for text, failed in pool.map(lambda group: read(*group), groups):
            number += 1
            unread += failed
            for match in FINDING.finditer(text):
                finding = match.group().replace(f"{ROOT}/", "")
                if finding not in found and "/several_" not in match.group(1):
                    found.add(finding)
                    print(finding, flush=True)
            print(f"{number} of {len(groups)} parts read, {len(found)} findings", file=sys.stderr, flush=True)
    for source in unread:
        print(f"not read: {source.relative_to(ROOT)}")
    print(f"{sum(len(sources) for _, _, sources in groups)} sources read, {len(found)} findings")
    return 3 if found else 0


if __name__ == "__main__":
    sys.exit(main())
