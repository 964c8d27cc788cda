#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""regions_test.py PDE DECKS TOOL: a profiler that speaks Kokkos Tools sees the regions of the report, by their names, each
begun and ended. MPIRUN holds the words that start MPI programs."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

program, decks, tool = sys.argv[1:4]
# start-up begins with the process, before Kokkos and its tools; other is what no region takes; and the final report is
# under way while it is written.
LEFT_OUT = {"start-up", "other", "final report"}


def seen_regions(folder):
    """Of each rank: how often regions began, by their names."""
    for file in pathlib.Path(folder).glob("regions.*"):
        lines = file.read_text().splitlines()
        assert "unbalanced" not in lines, f"{file}: {lines}"
        yield {name: int(times) for times, name in (line.split(" ", 1) for line in lines)}


with tempfile.TemporaryDirectory() as folder:
    # The first name is that of Kokkos 3.7 and later, the second that of earlier ones.
    environment = {**os.environ, "KOKKOS_TOOLS_LIBS": tool, "KOKKOS_PROFILE_LIBRARY": tool, "REGIONS": f"{folder}/regions"}
    done = subprocess.run([*os.environ["MPIRUN"].split(), "-n", "2", program, f"{decks}/heat.yaml", f"output.directory={folder}/out",
                           "grid.extent=[24, 16]", "time.steps=20", "output.every=10", "--quiet"], env=environment,
                          stdin=subprocess.DEVNULL, timeout=90 * float(os.environ.get("CARTWRIGHT_SLOWDOWN", "1")))
    assert done.returncode == 0, done.returncode
    report = json.loads(pathlib.Path(folder, "out", "report.json").read_text())
    ranks = list(seen_regions(folder))
    assert len(ranks) == 2, f"{len(ranks)} ranks wrote what they saw"
    reported = {region["name"]: region["count"] for region in report["regions"]}
    assert reported["exchange"] > 0, reported
    seen = {name: sum(rank.get(name, 0) for rank in ranks) for name in set().union(*ranks)}
    for name in reported.keys() - LEFT_OUT:
        assert seen.get(name) == reported[name], f"{name}: {reported[name]} in the report, seen: {seen}"
    assert seen["final report"] >= 2, seen
print(f"seen: {seen}")
