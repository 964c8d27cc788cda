#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde compare_results
import errno
import os
import pathlib
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
LATE = 10.0  # s after stop.silence, or after the patience of those that start, by which a run has ended
STARTS = 5  # times the silence is the patience of ranks that start MPI, and of the launcher before there are ranks
BEGIN = 10.0  # s after the strike by which this patience has begun
START = 3.0  # s after the launcher's start within which early rounds strike


def has_thread(process, name):
    try:
        return any((thread / "comm").read_text().strip() == name for thread in pathlib.Path(f"/proc/{process}/task").iterdir())
    except OSError:  # it has ended
        return False


class Silence(harness.Campaign):
    """ranks that are stopped, networks that are cut, also while it starts: the run ends in time with one message, or goes on when they come back"""
    rounds = 40
    jobs = 2

    def add_options(self, parser):
        parser.add_argument("--early", type=float, default=0.25, help="share of the rounds that strike while it starts; default: 0.25")
        parser.add_argument("--outages", help="only networks that heal, after these seconds in turn (1,8,60); stop.silence is three minutes then")

    def prepare(self, options, scratch):
        self.early = options.early
        self.outages = [float(text) for text in options.outages.split(",")] if options.outages else []
        harness.program("pde")
        self.compare = harness.program("compare_results")
        self.nodes = not harness.nodes_hindrance()
        self.latest = self.latest_start = 0.0

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
        early = not self.outages and dice.random() < self.early
        if early and not survives:
            silence = 3  # the patience is a multiple of it
        (scratch / "deck.yaml").write_text(DECK % FOR_EVER)
        control = scratch / "control"
        os.mkfifo(control)
        run = Run(scratch, layout, silence, control)
        try:
            run.await_moment(early, dice)
            while not self.strike(event, run, dice, silence, outage):
                expect(run.process.poll() is None, f"it ended with {run.process.returncode}")
                time.sleep(0.02)
            when = "while it starts: " if early else ""
            if survives:
                self.expect_life(run)
                return f"{when}{event} after {outage:g} s: goes on" if event == "network heals" else f"{when}{event}: goes on"
            return f"{when}{event}: {self.expect_end(run, silence, event, early)}"
        except Fault as fault:
            raise Fault(f"{event}, {'early, ' * early}{' '.join(layout)}, silence {silence} s: {fault}\n{run.text()}") from None
        finally:
            run.end()

    def strike(self, event, run, dice, silence, outage):
        """False if there is nobody yet to be struck."""
        last = run.ranks_of_nodes() - 1
        if event in ("rank stopped", "all paused"):
            ranks = run.ranks()
            victims = ranks if event == "all paused" else ranks and [dice.choice(ranks)]
            run.signal(signal.SIGSTOP, victims)
            if ranks and event == "all paused":
                time.sleep(silence * dice.choice([0.5, 1.5, 2.0]))
                run.signal(signal.SIGCONT, ranks)
            return bool(ranks)
        if event == "network heals":
            node = dice.randint(0, last)
            if not run.order(f"cut {node}"):
                return False
            time.sleep(outage)
            return run.order(f"heal {node}")
        return run.order(f"{'cut' if event == 'network cut' else 'crash'} {dice.randint(1, last)}")

    def expect_end(self, run, silence, event, early):
        """In time after the strike, or after ranks have begun to watch each other; until then it is the ranks in MPI_Init, and
        the launcher, that have patience."""
        begin = time.monotonic()
        watched = not early or run.is_watched()
        while run.process.poll() is None and time.monotonic() - begin < (self.limit(silence, watched) + 30) * PATIENCE:
            if not watched and run.is_watched():
                watched, begin = True, time.monotonic()
            time.sleep(0.02)
        code, waited = run.process.poll(), time.monotonic() - begin
        expect(code is not None, f"it has not ended {waited:.0f} s later, {'' if watched else 'not '}watched")
        expect(code == 3, f"exit code {code}")
        run.expect_one_message()
        expect(waited < self.limit(silence, watched) * PATIENCE, f"it ended {waited:.1f} s later, {'' if watched else 'not '}watched")
        if watched:
            self.latest = max(self.latest, waited - silence)
        else:
            self.latest_start = max(self.latest_start, waited - STARTS * silence)
        await_end(run.directory, 10, event)
        return "ended" if watched else "ended before all ranks watched"

    @staticmethod
    def limit(silence, watched):
        """Seconds by which a run has ended."""
        return silence + LATE if watched else STARTS * silence + BEGIN + LATE

    @staticmethod
    def expect_life(run):
        """It makes steps again."""
        before = step_of_newest_checkpoint(run.directory)
        run.await_step(before + 1000, 300)

    def closing(self):
        return {"latest end after stop.silence, s": round(self.latest, 1),
                f"latest end after {STARTS} times the silence, struck before all ranks watched, s": round(self.latest_start, 1)}


class Run:
    def __init__(self, scratch, layout, silence, control):
        self.directory, self.log, self.control, self.layout = scratch / "out", scratch / "log", control, layout
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [str(ROOT / "cartwright"), "run", str(scratch / "deck.yaml"), *layout, "-t", "1", f"output.directory={self.directory}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env=dict(os.environ, CARTWRIGHT_BUILD=str(harness.BUILD), CARTWRIGHT_NODES_CONTROL=str(control),
                         CARTWRIGHT_STOP_SILENCE=f"{silence}s"))  # holds before the deck is read

    def await_moment(self, early, dice):
        """Some time after the first checkpoint; or any moment from the launcher's start on."""
        if not early:
            self.await_step(1)
        time.sleep(dice.random() * (START if early else 2))

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

    def count_of_ranks(self):
        return harness.ranks_of(self.layout[1]) if self.layout[0] == "--nodes" else int(self.layout[1])

    def ranks(self):
        return sorted(process for process, name in processes(self.directory).items() if name == "pde")

    def is_watched(self):
        """Whether all ranks have threads that watch the others."""
        return sum(has_thread(rank, "cw_watcher") for rank in self.ranks()) == self.count_of_ranks()

    def signal(self, number, victims):
        for process in victims:
            os.kill(process, number)

    def order(self, line):
        """False while there are no nodes that could carry it out."""
        try:
            control = os.open(self.control, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as fault:
            expect(fault.errno == errno.ENXIO, str(fault))
            return False
        with open(control, "w", encoding="utf-8") as file:
            file.write(line + "\n")
        return True

    def expect_one_message(self):
        errors = harness.errors_in(self.log.read_text(errors="replace"))
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
