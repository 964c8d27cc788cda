#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random moments to a random rank, to mpirun or to the launcher, and a restart on another number of
ranks, until the run ends: its results must have the same bits as those of an undisturbed run.

    tests/apps/kill_restart.py --rounds 40

needs the build that ./cartwright test makes (build/release), or another one in CARTWRIGHT_BUILD."""
import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANKS = [1, 2, 3, 4, 6, 8]
VICTIMS = ["rank", "mpirun", "launcher"]
STEPS = 400
PATIENCE = 5 if os.environ.get("CARTWRIGHT_SANITIZE") else 1  # as CTest has for sanitized programs

HEAT = """
solver: heat
heat: {diffusivity: 1.0e-4}
grid: {extent: [101, 67, 13], length: [1.0, 0.7, 0.2], periodic: [false, true, false]}
time: {steps: %d}
initial: {temperature: {random: {low: 300, high: 400, seed: 7}}}
boundary: {temperature: {x_low: {dirichlet: "350 + 10*sin(t)*y"}, all: {neumann: 3}}}
exact: {temperature: "350"}
output: {every: 50, diagnostics: 10, pictures: {every: 200}}
checkpoint: {every: 7}
""" % STEPS
WAVE = """
solver: wave
wave: {speed: 2.0}
grid: {extent: [101, 67, 13], periodic: [false, false, true]}
time: {steps: %d}
initial: {displacement: {random: {seed: 3}}, velocity: "x - y"}
boundary: {displacement: {y_high: {neumann: "x"}}}
output: {every: 50, diagnostics: 10, pictures: {every: 200}}
checkpoint: {every: 5}
""" % STEPS
DECKS = {"heat": HEAT, "wave": WAVE}


class Fault(Exception):
    pass


def expect(condition, sentence):
    if not condition:
        raise Fault(sentence)


def processes(directory):
    """The living processes of the run into `directory`: {kind: [pid]}."""
    found = {"rank": [], "mpirun": [], "launcher": []}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"output.directory={directory}".encode() not in words:
            continue
        first = os.path.basename(words[0])
        if first == b"pde":
            found["rank"].append(int(entry.name))
        elif first == b"mpirun":
            found["mpirun"].append(int(entry.name))
    return found


def step_of_newest_checkpoint(directory):
    steps = [int(file.name[5:15]) for file in directory.glob("checkpoints/step_*.h5") if file.suffix == ".h5"]
    return max(steps, default=-1)


def await_end(directory, seconds, what):
    begin = time.monotonic()
    while any(processes(directory).values()):
        expect(time.monotonic() - begin < seconds, f"{what}: its processes live on: {processes(directory)}")
        time.sleep(0.02)
    return time.monotonic() - begin


class Job:
    """One start of the launcher."""

    def __init__(self, deck, directory, ranks, restart):
        self.directory = directory
        self.log = directory.with_name(directory.name + ".log")
        words = [str(ROOT / "cartwright"), "run", str(deck), "-n", str(ranks), "-t", "1",
                 f"output.directory={directory}"] + (["--restart"] if restart else [])
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

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

    def kill(self, victim, dice):
        """Sends signal 9; what was hit, or None if the job has no such process (any more)."""
        candidates = [self.process.pid] if victim == "launcher" else processes(self.directory)[victim]
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
            raise Fault(f"the launcher does not end:\n{self.text()}") from None

    def text(self):
        return self.log.read_text(errors="replace")

    def expect_one_message(self, code):
        errors = re.findall(r"^cartwright: error:.*", self.text(), re.M)
        expect(len(errors) == 1, f"exit code {code} with {len(errors)} messages:\n{self.text()}")
        return errors[0]


class Campaign:
    def __init__(self, work, compare, seed):
        self.work, self.compare, self.dice = work, compare, random.Random(seed)
        self.kills = dict.fromkeys(VICTIMS, 0)
        self.waited = self.refused = self.restarts = self.slowest = 0
        for name, deck in DECKS.items():
            (work / f"{name}.yaml").write_text(deck)

    def undisturbed(self, name):
        directory = self.work / f"{name}-undisturbed"
        job = Job(self.work / f"{name}.yaml", directory, 2, False)
        code = job.wait(300)
        expect(code == 0, f"the undisturbed run ends with {code}:\n{job.text()}")
        return directory

    def round(self, number, name, expected, kills):
        directory = self.work / f"{name}-{number}"
        story, ranks, last_try = [], 0, False
        for attempt in range(200):
            ranks = self.dice.choice([n for n in RANKS if n != ranks])
            restart = step_of_newest_checkpoint(directory) >= 0
            self.restarts += restart
            job = Job(self.work / f"{name}.yaml", directory, ranks, restart)
            last_try = len(story) >= kills
            if not last_try:
                hit = self.disturb(job)
                story.append(f"{ranks}: {hit or 'ended first'}")
            code = job.wait()
            if last_try and code == 0:
                break
            self.judge(job, code, None if last_try else hit)
        expect(code == 0, f"round {number} has not ended: {story}")
        await_end(directory, 5, "a finished run")
        same = subprocess.run([self.compare, expected, directory], capture_output=True, text=True)
        expect(same.returncode == 0, f"round {number} ({', '.join(story)}): {same.stdout}{same.stderr}")
        print(f"round {number:3}  {name}  " + ", ".join(story) + f", {ranks}: ended; {same.stdout.strip()}", flush=True)
        for path in self.work.glob(f"{directory.name}*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def disturb(self, job):
        """Kills something at a random moment: while ranks start, or some steps later."""
        early = self.dice.random() < 0.25
        step = step_of_newest_checkpoint(job.directory) + 1 + self.dice.randrange(STEPS // 4)
        delay = self.dice.random() * (1.0 if early else 0.05)
        victim = self.dice.choice(VICTIMS)
        if not job.await_moment(early, min(step, STEPS - 8), delay):
            return None
        hit = job.kill(victim, self.dice)
        if hit:
            self.kills[hit] += 1
        return hit

    def judge(self, job, code, hit):
        """The end of a disturbed job. After the launcher's death the next one starts at once, or waits."""
        if code == 1:
            # An orphan is writing its checkpoint yet: nothing is written over, and the next try comes.
            message = job.expect_one_message(code)
            expect("another run is writing into" in message, job.text())
            self.refused += 1
            time.sleep(0.2)
        elif hit in ("rank", "mpirun") and code != 0:
            expect(code == 3, f"{hit} killed: exit code {code}\n{job.text()}")
            job.expect_one_message(code)
        elif hit == "launcher":
            expect(code == -signal.SIGKILL, f"launcher killed: exit code {code}\n{job.text()}")
        else:
            expect(code == 0, f"not disturbed, but exit code {code}\n{job.text()}")
        if self.dice.random() < 0.5:
            self.waited += 1
            self.slowest = max(self.slowest, await_end(job.directory, 30, f"{hit} killed"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--kills", type=int, default=4, help="in each round")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    build = pathlib.Path(os.environ.setdefault("CARTWRIGHT_BUILD", str(ROOT / "build/release"))).resolve()
    compare = build / "bin/compare_results"
    if not compare.exists():
        sys.exit(f"{compare} is missing: run ./cartwright test first, or set CARTWRIGHT_BUILD")
    work = pathlib.Path(tempfile.mkdtemp(prefix="cartwright-kill-", dir=os.environ.get("TMPDIR")))
    campaign = Campaign(work, compare, arguments.seed)
    try:
        expected = {name: campaign.undisturbed(name) for name in DECKS}
        for number in range(1, arguments.rounds + 1):
            name = list(DECKS)[number % len(DECKS)]
            campaign.round(number, name, expected[name], arguments.kills)
    except Fault as fault:
        sys.exit(f"FAILED (seed {arguments.seed}, results are in {work}): {fault}")
    shutil.rmtree(work)
    print(f"{arguments.rounds} rounds, " + ", ".join(f"{n} kills of {v}" for v, n in campaign.kills.items()) +
          f", {campaign.restarts} restarts from a checkpoint, {campaign.refused} refused while the old job ended; the "
          f"last process was gone at the latest {campaign.slowest:.1f} s after a kill ({campaign.waited} looked at); "
          "all ended with the same bits")


if __name__ == "__main__":
    main()
