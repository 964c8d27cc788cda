#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde compare_results
import os
import signal
import subprocess
import threading
import time

import harness
import kill_decks
from harness import PATIENCE, ROOT, Fault, expect, processes

RANKS = [1, 2, 3, 4, 6, 8]
NODES = ["2x1", "2x2", "3x2", "3+1", "4x1"]
# By the first words of their command lines. "other": shells and daemons of the launcher, and of a run on nodes.
VICTIMS = ["rank", "rank", "mpirun", "launcher", "other"]


def step_of_newest_checkpoint(directory):
    return max((int(file.name[5:15]) for file in directory.glob("checkpoints/step_*.h5")), default=-1)


def await_end(directory, seconds, what):
    begin = time.monotonic()
    while processes(directory):
        expect(time.monotonic() - begin < PATIENCE * seconds, f"{what}: its processes live on: {processes(directory)}")
        time.sleep(0.02)
    return time.monotonic() - begin


class Job:
    """One start of the launcher."""

    def __init__(self, deck, directory, layout, restart):
        self.directory, self.on_nodes = directory, isinstance(layout, str)
        self.log = directory.with_name(directory.name + ".log")
        where = ["--nodes", layout] if self.on_nodes else ["-n", str(layout), "-t", "1"]
        words = [str(ROOT / "cartwright"), "run", str(deck), *where, f"output.directory={directory}"] + ["--restart"] * restart
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env=dict(os.environ, CARTWRIGHT_BUILD=str(harness.BUILD)))

    def await_moment(self, early, step, delay, timeout=120):
        """False if the job ends before."""
        begin = time.monotonic()
        while not early and step_of_newest_checkpoint(self.directory) < step:
            if self.process.poll() is not None:
                return False
            expect(time.monotonic() - begin < PATIENCE * timeout, f"no step {step} after {PATIENCE * timeout} s:\n{self.text()}")
            time.sleep(0.002)
        try:
            self.process.wait(delay)
            return False
        except subprocess.TimeoutExpired:
            return True

    def candidates(self, victim):
        if victim == "launcher":
            return [self.process.pid]
        known = processes(self.directory)
        ranks = [process for process, name in known.items() if name == "pde"]
        starters = [process for process, name in known.items() if name in harness.STARTERS]
        if victim == "other":
            return [process for process in harness.descendants(self.process.pid) if process not in ranks + starters]
        return ranks if victim == "rank" else starters

    def kill(self, victim, dice):
        """Sends signal 9; what was hit, or None if the job has no such process (any more)."""
        candidates = sorted(self.candidates(victim))
        if not candidates:
            return None
        try:
            os.kill(dice.choice(candidates), signal.SIGKILL)
        except ProcessLookupError:
            return None
        return victim

    def wait(self, seconds=60):
        try:
            return self.process.wait(PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            for process in [*harness.descendants(self.process.pid), self.process.pid]:
                os.kill(process, signal.SIGKILL)
            raise Fault(f"the launcher does not end:\n{self.text()}") from None

    def text(self):
        return self.log.read_text(errors="replace")

    def expect_one_message(self, code):
        errors = harness.errors_in(self.text())
        expect(len(errors) == 1, f"exit code {code} with {len(errors)} messages:\n{self.text()}")
        return errors[0]


class Kills(harness.Campaign):
    """kill -9 to any process at random moments, restarts elsewhere: the end has the same bits as an undisturbed run"""
    rounds = 40

    def add_options(self, parser):
        parser.add_argument("--kills", type=int, default=4, help="in each round; default: 4")
        parser.add_argument("--deck", choices=sorted(kill_decks.DECKS), help="only this one")
        parser.add_argument("--nodes", type=float, default=0.2, help="share of the rounds on several nodes; default: 0.2")

    def prepare(self, options, scratch):
        harness.program("pde")
        self.options, self.compare = options, harness.program("compare_results")
        if options.nodes and harness.nodes_hindrance():
            print("without nodes: " + harness.nodes_hindrance(), flush=True)
            options.nodes = 0
        self.lock = threading.Lock()
        self.facts = {"kills": {}, "of these on several nodes": 0, "restarts from a checkpoint": 0, "refused while the old job ended": 0, "last process gone after, s": 0.0}
        self.undisturbed = {}
        self.scratch = scratch
        solvers = harness.run([harness.program("pde"), "--list-solvers"]).text.split()
        expect({name.partition(",")[0] for name in kill_decks.DECKS} == set(solvers), "kill_decks.py has other solvers than the program")

    def undisturbed_run(self, name):
        """Its output directory, and its number of steps."""
        with self.lock:
            if name not in self.undisturbed:
                directory = self.scratch / f"{name}-undisturbed"
                deck = self.scratch / f"{name}.yaml"
                deck.write_text(kill_decks.text_of(name))
                job = Job(deck, directory, 2, False)
                code = job.wait(300)
                expect(code == 0, f"{name}: the undisturbed run ends with {code}:\n{job.text()}")
                self.undisturbed[name] = directory, step_of_newest_checkpoint(directory)
            return self.undisturbed[name]

    def note(self, fact, by=1):
        with self.lock:
            self.facts[fact] += by

    def round(self, number, dice, scratch):
        name = self.options.deck or dice.choice(sorted(kill_decks.DECKS))
        expected, steps = self.undisturbed_run(name)
        on_nodes = dice.random() < self.options.nodes
        directory = scratch / "out"
        story, layout = [], 0
        for _ in range(200):
            layout = dice.choice([other for other in (NODES if on_nodes and dice.random() < 0.7 else RANKS) if other != layout])
            restart = step_of_newest_checkpoint(directory) >= 0
            self.note("restarts from a checkpoint", int(restart))
            job = Job(self.scratch / f"{name}.yaml", directory, layout, restart)
            last_try = len(story) >= self.options.kills
            hit = None if last_try else self.disturb(job, dice, steps)
            story.append(f"{layout}: {hit or 'not disturbed'}")
            code = job.wait(400)
            if last_try and code == 0:
                break
            try:
                self.judge(job, code, hit, dice)
            except Fault as fault:
                raise Fault(f"{name}, {', '.join(story)}: {fault}") from None
        expect(code == 0, f"{name} has not ended: {story}")
        await_end(directory, 5, "a finished run")
        same = harness.run([self.compare, expected, directory])
        expect(same.code == 0, f"{name}, {', '.join(story)}: {same.text}")
        return [name, "rounds on several nodes" if any("x" in word.split(":")[0] or "+" in word for word in story) else "rounds on one node"]

    def disturb(self, job, dice, steps):
        """Kills something at a random moment: while ranks start, or some steps later."""
        early = dice.random() < 0.25
        step = step_of_newest_checkpoint(job.directory) + 1 + dice.randrange(steps // 4)
        delay = dice.random() * (1.0 if early else 0.05)
        victim = dice.choice(VICTIMS)
        if not job.await_moment(early, min(step, steps - 8), delay):
            return None
        hit = job.kill(victim, dice)
        if hit:
            with self.lock:
                self.facts["kills"][hit] = self.facts["kills"].get(hit, 0) + 1
                self.facts["of these on several nodes"] += int(job.on_nodes)
        return hit

    def judge(self, job, code, hit, dice):
        """The end of a disturbed job. After the launcher's death the next one starts at once, or waits."""
        if code == 1:
            # An orphan is writing its checkpoint yet: nothing is written over, and the next try comes.
            message = job.expect_one_message(code)
            expect("another run is writing into" in message, job.text())
            self.note("refused while the old job ended")
            time.sleep(0.2)
        elif hit in ("rank", "mpirun", "other") and code != 0:
            expect(code == 3, f"{hit} killed: exit code {code}\n{job.text()}")
            job.expect_one_message(code)
        elif hit == "launcher":
            expect(code == -signal.SIGKILL, f"launcher killed: exit code {code}\n{job.text()}")
        else:
            expect(code == 0, f"not disturbed, but exit code {code}\n{job.text()}")
        if dice.random() < 0.5:
            gone = await_end(job.directory, 30, f"{hit} killed")
            with self.lock:
                self.facts["last process gone after, s"] = round(max(gone, self.facts["last process gone after, s"]), 1)

    def closing(self):
        return self.facts


if __name__ == "__main__":
    harness.main(Kills)
