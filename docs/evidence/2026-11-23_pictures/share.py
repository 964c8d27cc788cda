#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""share.py DECK ROUNDS PROGRAM…: how much of a run its pictures take, with each program in turn.

Every round runs each program with pictures and without, on 2 ranks. Told are medians with the least and the most: the
report's own share (region "pictures" of the whole run, of the rank where it is largest), that of the difference between
both runs, and the processor time of all ranks, which other work on the machine changes less. MPIRUN in the environment:
what starts ranks, default mpirun."""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile


def run(program, deck, out, more):
    command = [*os.environ.get("MPIRUN", "mpirun").split(), "-n", "2", program, "--quiet", deck, f"output.directory={out}", *more]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    pictures = next((each for each in report["regions"] if each["name"] == "pictures"), {})
    return report["wall_seconds"], pictures.get("maximum_seconds", 0.0), processor


def told(numbers, unit):
    return f"{statistics.median(numbers):.1f} {unit} ({min(numbers):.1f} to {max(numbers):.1f})"


def main():
    deck, rounds, programs = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    found = {program: [] for program in programs}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(rounds):
            for program in programs:
                drawn = run(program, deck, scratch + "/with", [])
                plain = run(program, deck, scratch + "/without", ["output.pictures.every=0"])
                found[program].append((drawn[0], drawn[1], plain[0], drawn[2], plain[2]))
    for program, rows in found.items():
        print(program)
        print("  run            ", told([1000 * row[0] for row in rows], "ms"))
        print("  without pictures", told([1000 * row[2] for row in rows], "ms"))
        print("  pictures       ", told([1000 * row[1] for row in rows], "ms"))
        print("  share, reported", told([100 * row[1] / row[0] for row in rows], "%"))
        print("  share, by difference", told([100 * (row[0] - row[2]) / row[0] for row in rows], "%"))
        print("  processor time of both ranks", told([1000 * row[3] for row in rows], "ms"))
        print("  without pictures            ", told([1000 * row[4] for row in rows], "ms"))


main()
