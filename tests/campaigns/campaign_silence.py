#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde compare_results
import os
import re
import signal
import subprocess
import time

import harness
from campaign_kills import await_end, step_of_newest_checkpoint
from harness import PATIENCE, ROOT, Fault, expect, processes

DECK = """
solver: heat
grid: {extent: [64, 48], periodic: [false, true]}
time: {steps: %d}
initial: {temperature: {random: {low: 300, high: 400, seed: 7}}}
output: {every: 1000000000}
checkpoint: {every: 500}
"""
FOR_EVER = 1000000000
EVENTS = ["rank stopped", "rank stopped", "rank stopped", "network cut", "network cut", "node crashed", "all paused", "network heals"]
NODES = ["2x1", "2x2", "3x2", "3+1"]
LATE = 10.0  # s after stop.silence by which a run has ended


class Silence(harness.Campaign):
    """ranks that are stopped, networks that are cut: the run ends in time with one message, or goes on when they come back"""
    rounds = 40
    jobs = 2

    def add_options(self, parser):
        parser.add_argument("--outages", help="only networks that heal, after these seconds in turn (1,8,60); stop.silence is three minutes then")

    def prepare(self, options, scratch):
        self.outages = [float(text) for text in options.outages.split(",")] if options.outages else []
        harness.program("pde")
        self.compare = harness.program("compare_results")
        self.nodes = not harness.nodes_hindrance()
        self.latest = 0.0

    def round(self, number, dice, scratch):
        event = "network heals" if self.outages else dice.choice(EVENTS)
        if not self.nodes and event.startswith("n"):
            return "not tried: no nodes can be made here"
        on_nodes = event.startswith("n") or (self.nodes and dice.random() < 0.3)
        layout = ["--nodes", dice.choice(NODES)] if on_nodes else ["-n", dice.choice("234")]
        survives = event in ("all paused", "network heals")
        silence = dice.choice([30, 60]) if event == "network heals" else dice.choice([3, 5, 8])
        outage = self.outages[number % len(self.outages)] if self.outages else dice.choice([1, 4, 8])
        if self.outages:
            silence = 180
        (scratch / "deck.yaml").write_text(DECK % FOR_EVER)
        control = scratch / "control"
        os.mkfifo(control)
        run = Run(scratch, layout, silence, control)
        try:
            run.await_step(1)
            time.sleep(dice.random() * 2)
            begin = time.monotonic()
            self.strike(event, run, dice, silence, outage)
            if survives:
                self.expect_life(run)
                return f"{event} after {outage:g} s: goes on" if event == "network heals" else f"{event}: goes on"
            code = run.wait(silence + LATE + 30)
            seconds = time.monotonic() - begin - silence
            expect(code == 3, f"exit code {code}")
            run.expect_one_message()
            expect(seconds < LATE * PATIENCE, f"it ended {seconds:.1f} s after stop.silence")
            self.latest = max(self.latest, seconds)
            await_end(run.directory, 10, event)
            return f"{event}: ended"
        except Fault as fault:
            raise Fault(f"{event}, {' '.join(layout)}, silence {silence} s: {fault}\n{run.text()}") from None
        finally:
            run.end()

    def strike(self, event, run, dice, silence, outage):
        last = run.ranks_of_nodes() - 1
        if event == "rank stopped":
            run.signal(signal.SIGSTOP, [dice.choice(run.ranks())])
        elif event == "all paused":
            ranks = run.ranks()
            run.signal(signal.SIGSTOP, ranks)
            time.sleep(silence * dice.choice([0.5, 1.5, 2.0]))
            run.signal(signal.SIGCONT, ranks)
        elif event == "network heals":
            node = dice.randint(0, last)
            run.order(f"cut {node}")
            time.sleep(outage)
            run.order(f"heal {node}")
        else:
            run.order(f"{'cut' if event == 'network cut' else 'crash'} {dice.randint(1, last)}")

    @staticmethod
    def expect_life(run):
        """It makes steps again."""
        before = step_of_newest_checkpoint(run.directory)
        run.await_step(before + 1000, 300)

    def closing(self):
        return {"latest end after stop.silence, s": round(self.latest, 1)}


class Run:
    def __init__(self, scratch, layout, silence, control):
        self.directory, self.log, self.control, self.layout = scratch / "out", scratch / "log", control, layout
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [str(ROOT / "cartwright"), "run", str(scratch / "deck.yaml"), *layout, "-t", "1", f"output.directory={self.directory}",
                 f"stop.silence={silence}s"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env=dict(os.environ, CARTWRIGHT_BUILD=str(harness.BUILD), CARTWRIGHT_NODES_CONTROL=str(control)))

    def ranks_of_nodes(self):
        if self.layout[0] != "--nodes":
            return 1
        text = self.layout[1]
        return int(text.split("x")[0]) if "x" in text else len(text.split("+"))

    def text(self):
        return self.log.read_text(errors="replace")[-4000:]

    def await_step(self, step, seconds=120):
        begin = time.monotonic()
        while step_of_newest_checkpoint(self.directory) < step:
            expect(self.process.poll() is None, f"it ended with {self.process.returncode}")
            expect(time.monotonic() - begin < seconds * PATIENCE, f"it doesn't reach step {step}")
            time.sleep(0.02)

    def ranks(self):
        found = [process for process, name in processes(self.directory).items() if name == "pde"]
        expect(found, "no rank is to be seen")
        return sorted(found)

    def signal(self, number, victims):
        for process in victims:
            os.kill(process, number)

    def order(self, line):
        with open(self.control, "w", encoding="utf-8") as file:
            file.write(line + "\n")

    def wait(self, seconds):
        try:
            return self.process.wait(seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            raise Fault(f"it has not ended {seconds * PATIENCE:.0f} s later") from None

    def expect_one_message(self):
        errors = re.findall(r"^cartwright: error:.*", self.log.read_text(errors="replace"), re.M)
        expect(len(errors) == 1, f"{len(errors)} messages")

    def end(self):
        if self.process.poll() is None:
            for process in [*self.ranks_or_none(), self.process.pid]:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.process.wait()

    def ranks_or_none(self):
        return sorted(processes(self.directory))


if __name__ == "__main__":
    harness.main(Silence)
