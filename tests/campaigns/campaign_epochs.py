#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: campaign_epochs
import contextlib
import os
import re
import signal
import subprocess
import threading
import time

import harness
from harness import PATIENCE, Fault, expect

KINDS = ["programs", "kill", "stop"]
RANKS = [*4 * [1, 2, 3, 4, 5, 6, 7, 8], *range(9, 17)]  # many ranks take long where cores are few
LIMIT = 2  # s, of a wait for epochs where a rank is stopped
SILENCE = 5  # s, of the other waits there, as in making the next window
NO_GRACE = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}  # Open MPI's mpirun waits for a second before it kills the others


@contextlib.contextmanager
def started(words, log, environment):
    """A job in the background, whose words go to a file; it is ended at the end of the block."""
    with open(log, "wb") as out:
        job = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                               env=harness.variables(environment), start_new_session=True)
    try:
        yield job
    finally:
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()


class Epochs(harness.Campaign):
    """random programs of one-sided epochs against a model; ranks that are killed or stopped while epochs are open"""
    rounds = 40

    def add_options(self, parser):
        parser.add_argument("--kinds", nargs="+", choices=[*KINDS, "cut"], default=KINDS, help="of rounds; cut (needs --nodes): a link breaks and heals")
        parser.add_argument("--programs", type=int, default=240, help="of a round; default: 240")
        parser.add_argument("--ranks", nargs="+", type=int, default=RANKS, help="to draw from; default: 1 to 16, mostly up to 8")
        parser.add_argument("--nodes", nargs="+", metavar="LAYOUT", help="on several nodes of this machine: 2x1 2x2 3x2 3+1")

    def prepare(self, options, scratch):
        self.options = options
        self.program = harness.program("campaign_epochs")
        self.hindrance = harness.nodes_hindrance() if options.nodes else ""
        self.latest = 0.0
        self.programs = 0
        self.lock = threading.Lock()

    def start(self, dice, kind):
        """The words that start ranks, and where they are."""
        if not self.options.nodes:
            others = kind in ("kill", "stop")  # must be there, to notice
            ranks = dice.choice([ranks for ranks in self.options.ranks if ranks > 1 or not others])
            return [*harness.MPIRUN, "-n", ranks], f"{ranks} ranks"
        layout = dice.choice(self.options.nodes)
        return harness.start_on_nodes(layout, dice.choice(harness.PLACES)), f"nodes {layout}"

    def round(self, number, dice, scratch):
        if self.hindrance:
            return "not tried: no nodes can be made here"
        kind = dice.choice(self.options.kinds)
        start, where = self.start(dice, kind)
        if kind in ("kill", "stop"):
            words = [*start, self.program, f"seed={self.options.seed}", f"first={8 * number}"]
            if kind == "stop":
                words += [f"limit={LIMIT}", f"stop.silence={SILENCE}s"]
            return self.strike(kind, words, where, dice, scratch)
        if kind == "cut":
            return self.cut([*start, self.program, f"seed={self.options.seed}", f"first={number * self.options.programs}"], where, dice, scratch)
        count = self.options.programs
        ended = harness.run([*start, self.program, f"seed={self.options.seed}", f"first={number * count}", f"count={count}"],
                            seconds=300 + count)
        self.expect_programs(f"programs, {where}", ended.code, ended.text)
        return [f"programs: programs on {where}"]

    def expect_programs(self, told, code, text):
        found = re.search(r"^(\d+) programs on .* 0 faults", text, re.M)
        expect(code == 0 and found, f"{told}, code {code}:\n{text[-3000:]}")
        with self.lock:
            self.programs += int(found.group(1))

    def cut(self, words, where, dice, scratch):
        """Cuts a link while programs run, and heals it: they go on."""
        late, outage = 2 * dice.random(), dice.choice([0.5, 2, 5])
        log, control = scratch / "log", scratch / "control"
        os.mkfifo(control)
        told = f"cut for {outage} s, {where}"
        words = [*words, f"seconds={late + outage + 5:.1f}"]
        try:
            with started(words, log, {"CARTWRIGHT_NODES_CONTROL": str(control)}) as job:
                self.await_epochs(job, log)
                time.sleep(late)
                for order, pause in (("cut 1", outage), ("heal 1", 0)):
                    expect(job.poll() is None, f"it had ended before '{order}'")
                    with open(control, "w", encoding="utf-8") as orders:
                        orders.write(order + "\n")
                    time.sleep(pause)
                code, text = job.wait(PATIENCE * 300), log.read_text(errors="replace")
            self.expect_programs(told, code, text)
            return f"cut: programs on {where}"
        except (Fault, subprocess.TimeoutExpired) as fault:
            raise Fault(f"{told}: {fault}\n{log.read_text(errors='replace')[-3000:]}") from None

    def strike(self, kind, words, where, dice, scratch):
        """Kills or stops a rank: all others end, with one message."""
        log = scratch / "log"
        try:
            with started(words, log, NO_GRACE) as job:
                self.strike_one(kind, job, log, dice)
            return f"{kind}: ended, {where}"
        except (Fault, subprocess.TimeoutExpired) as fault:
            raise Fault(f"{kind}, {where}: {fault}\n{log.read_text(errors='replace')[-3000:]}") from None

    def strike_one(self, kind, job, log, dice):
        self.await_epochs(job, log)
        time.sleep(dice.random() * 0.2)
        ranks = self.ranks_below(job)
        expect(ranks, "no rank is to be seen")
        begin = time.monotonic()
        os.kill(dice.choice(ranks), signal.SIGKILL if kind == "kill" else signal.SIGSTOP)
        code = job.wait(PATIENCE * 60)
        while any(os.path.exists(f"/proc/{rank}") for rank in ranks):
            expect(time.monotonic() - begin < PATIENCE * 60, "ranks live on")
            time.sleep(0.01)
        with self.lock:
            self.latest = max(self.latest, time.monotonic() - begin)
        text = log.read_text(errors="replace")
        expect(code != 0 and not harness.CRASHES.search(text), f"code {code}")
        said = harness.errors_in(text)
        if kind == "kill":  # mpirun names the rank, and nobody else speaks
            expect(len(re.findall(r"noticed that process rank|KILLED BY SIGNAL|EXIT STRING: Killed|exited on signal", text)) >= 1 and not said, "not one message")
        else:
            expect(len(said) == 1, f"{len(said)} messages")

    @staticmethod
    def await_epochs(job, log):
        begin = time.monotonic()
        while "epochs are open" not in log.read_text(errors="replace"):
            expect(job.poll() is None, f"it ended with {job.returncode}")
            expect(time.monotonic() - begin < PATIENCE * 240, "it doesn't begin")
            time.sleep(0.01)

    @staticmethod
    def ranks_below(job):
        ranks = []
        for process in harness.descendants(job.pid):
            try:
                with open(f"/proc/{process}/comm", encoding="utf-8") as name:
                    if name.read().strip() == "campaign_epochs":
                        ranks.append(process)
            except OSError:
                pass
        return ranks

    def closing(self):
        return {"programs": self.programs, "last rank gone after, s": round(self.latest, 1)}


if __name__ == "__main__":
    harness.main(Epochs)
