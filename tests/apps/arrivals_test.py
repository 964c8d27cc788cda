#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""arrivals_test.py PDE DECKS: with comm.arrivals on, every reduction of a loop is seen, and the report tells of each by its
call site: as many calls as there were steps or iterations. MPIRUN holds the words that start MPI programs."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

program, decks = sys.argv[1], pathlib.Path(sys.argv[2])
limit = 90 * float(os.environ.get("CARTWRIGHT_SLOWDOWN", "1"))
faults = []


def run(ranks, deck, use, *settings):
    """The report's sections; none after a fault."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*os.environ["MPIRUN"].split(), "-n", str(ranks), program, str(decks / deck), f"output.directory={folder}/out",
                   "output.every=0", f"comm.arrivals={use}", *settings]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=limit,
                              text=True)
        if done.returncode != 0:
            faults.append(f"{deck} on {ranks} ranks: exit code {done.returncode}\n{done.stdout}")
            return None
        return json.loads(pathlib.Path(folder, "out", "report.json").read_text())["sections"]


def calls_at(sections, source):
    """How often the sites of a source were called; each tells of imbalance, absorption and forecasts."""
    total = 0
    for name, text in sections["arrivals"].items():
        size = re.search(r", (-?\d+) B at ", name)
        if not size or not 0 <= int(size.group(1)) < 1 << 30:
            faults.append(f"'{name}' has no size that can be")
        for what in ("calls", "behind the first", "absor", "forecasts are off by", "moving work would gain"):
            if what not in text:
                faults.append(f"'{name}' says nothing of '{what}': {text}")
        if f"at {source}" in name:
            total += int(text.split()[0])
    return total


def expect(sections, what, source, least, most):
    calls = calls_at(sections, source)
    if not least <= calls <= most:
        faults.append(f"{what}: {calls} calls at {source}, not {least} to {most}: {json.dumps(sections['arrivals'], indent=1)}")


for ranks in (2, 3):
    for use in ("watch", "on"):
        what = f"{ranks} ranks, {use}"
        # Three times an iteration, with multigrid. (What the first one calls follows on something else: sites of one call.)
        if sections := run(ranks, "poisson.yaml", use, "output.pictures.every=0", "grid.extent=[64,48]"):
            iterations = sections["convergence"]["iterations"]
            expect(sections, f"poisson, {what}", "conjugate_gradients.hpp", 3 * (iterations - 1), 3 * (iterations + 2))
        # In each step: are all values finite, how large are they, how far off.
        if sections := run(ranks, "heat_1d.yaml", use, "time.finite_every=1", "output.diagnostics=1", "time.end=4"):
            steps = sections["run"]["steps"]
            for source in ("place_in_field.cpp", "field_statistics.cpp", "error_norm.cpp"):
                expect(sections, f"heat, {what}", source, steps - 1, steps + 2)

if sections := run(2, "heat_1d.yaml", "off", "time.end=1"):
    if "arrivals" in sections:
        faults.append("arrivals are told of where nobody watches")

print("\n".join(faults))
sys.exit(1 if faults else 0)
