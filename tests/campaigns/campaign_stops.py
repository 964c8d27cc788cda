#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde
import os
import signal
import subprocess
import time

import harness
from harness import PATIENCE, ROOT, Fault, descendants, expect, processes

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
LATEST = 3.0  # seconds after the start; ranks compute after about one


def send(number, victims):
    for process in victims:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def strike(way, launcher, directory):
    """Sends the signal; false if there is nobody yet to get it."""
    whom, name = way.split()
    if whom == "launcher":
        victims = [launcher]
    elif whom == "mpirun":
        victims = [process for process, called in processes(directory).items() if called in harness.STARTERS]
    else:  # as batch systems do
        victims = [launcher, *descendants(launcher)]
    send(getattr(signal, "SIG" + name), victims)
    return bool(victims)


class Stops(harness.Campaign):
    """requests to stop at any moment, to the launcher, mpirun or all; also on nodes: none is lost"""
    rounds = 100
    nodes = False
    slowest = 0.0

    def prepare(self, options, scratch):
        hindrance = harness.nodes_hindrance()
        self.nodes = not hindrance
        if not self.nodes:
            print("without nodes: " + hindrance, flush=True)

    def round(self, number, dice, scratch):
        way = WAYS[number % len(WAYS)]
        layout = ["-n", dice.choice("123")]
        if self.nodes and dice.random() < 0.34:
            layout = ["--nodes", dice.choice(["2x1", "2+1"]), "--place", dice.choice(harness.PLACES)]
        delay = dice.random() * LATEST * (2 if "--nodes" in layout else 1)
        (scratch / "deck.yaml").write_text(DECK)
        directory, log = scratch / "out", scratch / "log"
        with open(log, "wb") as file:
            process = subprocess.Popen([str(ROOT / "cartwright"), "run", str(scratch / "deck.yaml"), *layout, "-t", "1",
                                        f"output.directory={directory}"], stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        try:
            time.sleep(delay)
            while not strike(way, process.pid, directory):
                expect(process.poll() is None, "it ended by itself")
                time.sleep(0.01)
            begin = time.monotonic()
            how = self.judge(process, directory, log)
            self.slowest = max(self.slowest, time.monotonic() - begin)
        except (Fault, subprocess.TimeoutExpired) as fault:
            send(signal.SIGKILL, [*descendants(process.pid), process.pid])
            process.wait()
            raise Fault(f"{way} to {' '.join(layout)} after {delay:.3f} s: {fault}\n{log.read_text(errors='replace')}") from None
        return how

    def judge(self, process, directory, log):
        code = process.wait(120 * PATIENCE)
        text = log.read_text(errors="replace")
        whole = list(directory.glob("checkpoints/step_*.h5"))
        if code < 0 and not text:
            how = "ended before the launcher's first line"  # the shell itself was not yet ready for signals
        elif code == 4 and "before the run had begun" in text:
            how = "stopped before it had begun"
        elif code == 4 and "a signal asked for it" in text and whole:
            how = "stopped with a checkpoint"
        elif code == 3 and text.count("cartwright: error:") == 1:
            how = "ended with code 3 and a message"
        else:
            raise Fault(f"exit code {code}, {len(whole)} checkpoints")
        for _ in range(100 * PATIENCE):
            if not processes(directory):
                return how
            time.sleep(0.1)
        raise Fault(f"exit code {code}, but processes live on: {processes(directory)}")

    def closing(self):
        return {"slowest_seconds": round(self.slowest, 1), "nodes": self.nodes}


if __name__ == "__main__":
    harness.main(Stops)
