#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Requests to stop at random moments, from the very first on: to the launcher, to mpirun, to every process of a run at once, on
one machine and on nodes. None may be lost: each run ends with a checkpoint (or before it has begun), exit code 4 or 3, and a message;
nothing of it survives.

    tests/campaigns/stops.py --rounds 200 --seed 1 --json stops.json

needs the build that ./cartwright test makes (build/release), or another one in CARTWRIGHT_BUILD."""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# It ends only if it is asked to.
DECK = """
solver: heat
heat: {diffusivity: 1.0e-4}
grid: {extent: [40, 30], length: [1.0, 0.7], periodic: [false, true]}
time: {steps: 1000000000}
initial: {temperature: {random: {low: 300, high: 400, seed: 7}}}
boundary: {temperature: {all: {neumann: 0}}}
output: {every: 1000000000}
"""
WAYS = ["launcher TERM", "launcher INT", "mpirun TERM", "mpirun INT", "everybody TERM"]
PATIENCE = 120
LATEST = 3.0  # seconds after the start; ranks compute after about one


class Fault(Exception):
    pass


def processes(directory):
    """All living processes of the run into `directory`, with the environment or the words that tell: {pid: name}."""
    found = {}
    word = f"output.directory={directory}".encode()
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if word in words:
            found[int(entry.name)] = os.path.basename(words[0]).decode(errors="replace")
    return found


def end(process):
    """Nothing of a failed round is left behind."""
    for pid in processes_below(process.pid) + [process.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def processes_below(pid):
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [p for child in children for p in [*processes_below(int(child)), int(child)]]


def strike(way, process, directory):
    """Sends the signal; false if there is nobody yet to get it."""
    whom, name = way.split()
    number = getattr(signal, "SIG" + name)
    if whom == "launcher":
        victims = [process.pid]
    elif whom == "mpirun":
        victims = [pid for pid, called in processes(directory).items() if called == "mpirun"]
    else:  # as batch systems do
        victims = [process.pid] + processes_below(process.pid)
    for pid in victims:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
    return bool(victims)


class Campaign:
    def __init__(self, work, seed, nodes):
        self.work, self.dice, self.nodes = work, random.Random(seed), nodes
        self.deck = work / "deck.yaml"
        self.deck.write_text(DECK)
        self.records = []

    def round(self, number):
        way = WAYS[number % len(WAYS)]
        layout = self.dice.choice([["-n", "1"], ["-n", "2"], ["-n", "3"]])
        if self.nodes and self.dice.random() < 0.34:
            layout = ["--nodes", self.dice.choice(["2x1", "2+1"]), "--place", self.dice.choice(["slot", "node"])]
        delay = self.dice.random() * LATEST * (2 if "--nodes" in layout else 1)
        directory = self.work / f"out{number}"
        log = self.work / f"{number}.log"
        with open(log, "wb") as file:
            process = subprocess.Popen([str(ROOT / "cartwright"), "run", str(self.deck), *layout, "-t", "1",
                                        f"output.directory={directory}"], stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        try:
            time.sleep(delay)
            while not strike(way, process, directory):
                if process.poll() is not None:
                    raise Fault("it ended by itself")
                time.sleep(0.01)
            begin = time.monotonic()
            self.judge(process, directory, log, begin, number, way, layout, delay)
        except (Fault, subprocess.TimeoutExpired) as fault:
            end(process)
            sys.exit(f"FAILED: round {number}, {way} to {' '.join(layout)} after {delay:.3f} s: {fault}\n"
                     f"{log.read_text(errors='replace')}\n(results are in {self.work})")

    def judge(self, process, directory, log, begin, number, way, layout, delay):
        code = process.wait(PATIENCE)
        took = time.monotonic() - begin
        text = log.read_text(errors="replace")
        whole = list(directory.glob("checkpoints/step_*.h5"))
        if code < 0 and not text:
            how = "before its first line"  # bash itself was not yet ready for signals
        elif code == 4 and "before the run had begun" in text:
            how = "before it had begun"
        elif code == 4 and "a signal asked for it" in text and whole:
            how = "checkpoint"
        elif code == 3 and text.count("cartwright: error:") == 1:
            how = "ended, with a message"
        else:
            raise Fault(f"exit code {code}, {len(whole)} checkpoints")
        for _ in range(100):
            if not processes(directory):
                break
            time.sleep(0.1)
        else:
            raise Fault(f"exit code {code}, but processes live on: {processes(directory)}")
        self.records.append({"round": number, "way": way, "ranks": " ".join(layout), "after_s": round(delay, 3), "code": code,
                             "how": how, "took_s": round(took, 2)})
        print(f"round {number:3}  {way:15} {' '.join(layout):26} after {delay:5.3f} s: {how}, code {code}, {took:.1f} s later",
              flush=True)
        shutil.rmtree(directory, ignore_errors=True)


def nodes_are_possible():
    made = subprocess.run([str(ROOT / "launcher/make_nodes"), "1x1", "slot", "true"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if made.returncode:
        print("without nodes: " + made.stderr.strip())
    return made.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="writes one record a round")
    arguments = parser.parse_args()
    build = pathlib.Path(os.environ.setdefault("CARTWRIGHT_BUILD", str(ROOT / "build/release"))).resolve()
    if not (build / "bin/pde").exists():
        sys.exit(f"{build}/bin/pde is missing: run ./cartwright test first, or set CARTWRIGHT_BUILD")
    work = pathlib.Path(tempfile.mkdtemp(prefix="cartwright-stops-"))
    before = set(pathlib.Path(tempfile.gettempdir()).glob("cartwright-marks.*"))
    campaign = Campaign(work, arguments.seed, nodes_are_possible())
    for number in range(1, arguments.rounds + 1):
        campaign.round(number)
    left = set(pathlib.Path(tempfile.gettempdir()).glob("cartwright-marks.*")) - before
    shutil.rmtree(work)
    ends = {}
    for record in campaign.records:
        ends[record["how"]] = ends.get(record["how"], 0) + 1
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"campaign": "stops", "seed": arguments.seed, "ends": ends,
                                                            "rounds": campaign.records}, indent=1) + "\n")
    print(f"{arguments.rounds} requests to stop, none lost: " + ", ".join(f"{n} {how}" for how, n in ends.items()) +
          f"; the slowest took {max(r['took_s'] for r in campaign.records):.1f} s")
    if left:
        print(f"files left in {tempfile.gettempdir()} (by this or another run): {sorted(p.name for p in left)}")


if __name__ == "__main__":
    main()
