#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde matmul nbody render compare_results campaign_faults
import collections
import errno
import glob
import re
import shutil
import sys
import threading

import h5py

import harness

DECKS = {
    "heat": """
solver: heat
grid: {extent: [16, 12]}
time: {steps: 6}
initial: {temperature: "x"}
boundary: {temperature: {x_low: {dirichlet: "t*y"}}}
exact: {temperature: "x+t"}
output: {every: 2, diagnostics: 1, pictures: {every: 3}}
checkpoint: {every: 2}
trace: t.json
""",
    "wave": """
solver: wave
grid: {extent: [9, 8, 7], periodic: [true, false, false]}
time: {steps: 4}
initial: {displacement: {random: {seed: 3}}, velocity: "x - y"}
output: {every: 2, precision: float32, pictures: {every: 4, slice: "x=0.4"}}
checkpoint: {every: 2}
comm: {backend: p2p}
""",
    "matmul": """
solver: matmul
matmul: {rows: 24, inner: 18, columns: 21, algorithm: cannon, a: {kind: random, seed: 3}, b: {kind: hilbert}, check: pdgemm}
output: {product: true}
""",
    "poisson": """
solver: poisson
poisson: {linear: {method: cg, preconditioner: multigrid}}
grid: {extent: [32, 24], length: [2.0, 1.5]}
iteration: {tolerance: 1.0e-6}
initial: {coefficient: "1 + 19*(x < 1)", source: "x - 1"}
output: {pictures: {every: 1, fields: [potential]}}
""",
    "rma": """
solver: gray_scott
grid: {extent: [20, 16], periodic: [true, true], balance: watch}
time: {steps: 4}
initial: {concentration: {u: "1 - x", v: "0.1 + x*y"}}
output: {every: 2, pictures: {every: 4}}
comm: {backend: rma, arrivals: on}
""",
    "gravity": """
solver: gravity
gravity: {bodies: 40, softening: 0.05, forces: rows_and_columns, initial: {kind: plummer, seed: 1}}
grid: {extent: [8, 8, 8], length: [8, 8, 8], origin: [-4, -4, -4]}
time: {step: 0.01, steps: 4}
output: {every: 2, pictures: {every: 4}}
checkpoint: {every: 2}
""",
    "volume": """
solver: render
grid: {extent: [12, 10, 8], length: [1.0, 1.0, 1.0]}
initial: {field: "x*y + z"}
render: {field: sample, size: [40, 30], orbit: {frames: 2}, compositing: binary_swap}
""",
}
PROGRAMS = {"matmul": "matmul", "gravity": "nbody", "volume": "render"}  # all others: pde
HALF_WAY = {"heat": "4", "wave": "2"}  # steps before a restart
ERRORS = [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE, errno.EINTR, errno.EDQUOT, errno.EROFS]
RANKS = 2
KINDS = ["mpi", "memory", "file"]

# A way to run a deck, and a call site that it meets: of a kind, by these ranks, in the program itself or below a library.
Case = collections.namedtuple("Case", "deck restart kind site ranks whose call")


class Faults(harness.Campaign):
    """every call site of MPI, of the allocator and of the file system fails once, on one rank and on all: one message, nothing half-written"""
    rounds = 200
    jobs = 2

    def add_options(self, parser):
        parser.add_argument("--kind", choices=KINDS, help="only these calls")
        parser.add_argument("--deck", choices=sorted(DECKS), help="only this one")
        parser.add_argument("--depth", type=int, default=1, help="so many nested places in the program make a call site, and one more of MPI's; default: 1")
        parser.add_argument("--every", action="store_true", help="every place in a program, by one of the decks that come to it, on one rank and on all: as many rounds as that takes")

    def prepare(self, options, scratch):
        self.compare, self.library = harness.program("compare_results"), harness.program("campaign_faults.so")
        self.scratch, self.depth, self.every = scratch, options.depth, options.every
        self.lock, self.struck = threading.Lock(), set()
        self.cases = []
        for name in [options.deck] if options.deck else DECKS:
            (scratch / f"{name}.yaml").write_text(DECKS[name])
            self.cases += self.sites(name, False)
            if name in HALF_WAY:
                self.half_way(name, self.halves(name))
                self.cases += self.sites(name, True)
        self.cases = sorted(case for case in self.cases if options.kind in (None, case.kind))
        places = collections.defaultdict(list)
        for case in self.cases:
            places[self.place(case)].append(case)
        self.places = list(places.values())
        if options.every:
            rest = 2 * len(self.places) - options.first
            options.rounds = rest if options.rounds == self.rounds else min(options.rounds, rest)
        for kind in [options.kind] if options.kind else KINDS:
            if not any(case.kind == kind for case in self.cases):
                sys.exit(f"no call site of {kind} was met: none could fail")
        print(f"{len(self.cases)} call sites in {len(self.places)} places: " + ", ".join(f"{sum(case.kind == kind for case in self.cases)} {kind}" for kind in KINDS), flush=True)

    @staticmethod
    def program(name):
        return PROGRAMS.get(name, "pde")

    def place(self, case):
        """A place in a program, which several decks may come to, by several libraries."""
        return self.program(case.deck), case.kind, case.site

    def halves(self, name):
        return self.scratch / f"{name}-halfway"

    def expected(self, name, restart):
        return self.scratch / f"{name}{'-restarted' * restart}"

    def start(self, name, restart, out, more=None, seconds=60):
        program = harness.program(self.program(name))
        environment = {"CARTWRIGHT_FAULT_PROGRAM": program.name, "CARTWRIGHT_FAULT_FOLDER": str(self.scratch),
                       "CARTWRIGHT_FAULT_DEPTH": str(self.depth), "CARTWRIGHT_STOP_SILENCE": "10s", **(more or {})}
        # Not into mpirun: what it does is not ours.
        into_ranks = ["env", f"LD_PRELOAD={harness.preloads(self.library)}"]
        words = [*harness.MPIRUN, "-n", RANKS, *into_ranks, program, self.scratch / f"{name}.yaml", f"output.directory={out}"]
        return harness.run(words + ["--restart"] * restart, seconds=seconds, environment=environment, folder=self.scratch)

    def half_way(self, name, out):
        """A run to be restarted, which has written nothing that the whole one doesn't write."""
        words = [*harness.MPIRUN, "-n", RANKS, harness.program("pde"), self.scratch / f"{name}.yaml", f"output.directory={out}", f"time.steps={HALF_WAY[name]}"]
        harness.run(words, seconds=60, folder=self.scratch).expect_order(0)

    def sites(self, name, restart):
        out = self.expected(name, restart)
        found = out.with_suffix(".sites")
        if restart:
            shutil.copytree(self.halves(name), out)
        self.start(name, restart, out, {"CARTWRIGHT_FAULT_SITES": str(found)}).expect_order(0)
        ranks, calls = collections.defaultdict(set), {}
        for line in found.read_text().splitlines():
            kind, site, rank, whose, call = line.split(" ", 4)
            ranks[kind, site].add(int(rank))
            calls.setdefault((kind, site), (whose, call))
        return [Case(name, restart, kind, site, tuple(sorted(who)), *calls[kind, site]) for (kind, site), who in ranks.items()]

    def round(self, number, dice, scratch):
        if self.every:
            case, everywhere = dice.choice(self.places[number // 2]), number % 2 == 1
        else:
            case, everywhere = dice.choice(self.cases), dice.random() < 0.5
        out, struck = scratch / "out", scratch / "struck"
        if case.restart:
            shutil.copytree(self.halves(case.deck), out)
        more = {"CARTWRIGHT_FAULT_KIND": case.kind, "CARTWRIGHT_FAULT_SITE": case.site, "CARTWRIGHT_FAULT_STRUCK": str(struck),
                "CARTWRIGHT_FAULT_ERRNO": str(dice.choice(ERRORS))}
        if not everywhere:
            more["CARTWRIGHT_FAULT_RANK"] = str(dice.choice(case.ranks))
        told = f"{case.deck}{' restarted' * case.restart}, {case.call} at {case.site} ({case.whose}) fails on {'all ranks' if everywhere else 'rank ' + more['CARTWRIGHT_FAULT_RANK']}"
        try:
            ended = self.start(case.deck, case.restart, out, more)
            if not struck.exists():
                ended.expect_order(0)
                return f"{case.kind}: not met"
            self.judge(case, ended, out, dice)
        except harness.Fault as fault:
            raise harness.Fault(f"{told}: {fault}") from None
        with self.lock:
            self.struck.add((case, everywhere))
        return f"{case.kind}: code {ended.code}"

    @staticmethod
    def ended_by_mpich(case, ended):
        """MPICH asserts that there is memory where it asks for some; it says so, and nobody else speaks."""
        asserted = re.search(r"^Assertion failed in file src/", ended.text, re.M)
        return case.whose == "library" and harness.MPI.get("flavour") == "mpich" and ended.code != 0 and asserted and not ended.errors()

    @staticmethod
    def mpiexec_says_killed(ended):
        """MPICH's mpiexec gives the code of the first process whose end it notices: now and then of one that it has killed itself."""
        return harness.MPI.get("flavour") == "mpich" and ended.code == 9 and "EXIT STRING: Killed" in ended.text and len(ended.errors()) == 1

    def judge(self, case, ended, out, dice):
        if self.ended_by_mpich(case, ended) or self.mpiexec_says_killed(ended):
            return self.judge_files(out)
        if case.whose == "library" and ended.code == 3 and "cartwright: error: rank" in ended.text and "died" in ended.text:
            # Libraries may not survive a failure of what they call; the message is still one.
            harness.expect(len(ended.errors()) == 1, f"{len(ended.errors())} messages\n{ended.text}")
        else:
            ended.expect_order(0, 1, 3)
        self.judge_files(out)
        if ended.code != 0 and case.deck in HALF_WAY and glob.glob(f"{out}/checkpoints/step_*.h5") and (case.kind == "file" or dice.random() < 0.2):
            again = self.start(case.deck, True, out)
            harness.expect(again.code == 0, f"the restart from what is there ends with {again.code}\n{again.text}\nafter\n{ended.text}")
            ended = again
        if ended.code == 0 and case.deck in HALF_WAY:
            same = harness.run([self.compare, self.expected(case.deck, case.restart), out])
            harness.expect(same.code == 0, f"code 0, but other results\n{same.text}\n{ended.text}")

    @staticmethod
    def judge_files(out):
        """What has its final name is whole."""
        for path in glob.glob(f"{out}/**/*.h5", recursive=True):
            try:
                with h5py.File(path) as file:
                    file.visititems(lambda _, item: item[...] if isinstance(item, h5py.Dataset) else None)
            except OSError as fault:
                raise harness.Fault(f"{path} is not whole: {fault}") from None
        for path in glob.glob(f"{out}/**/*.png", recursive=True):
            with open(path, "rb") as file:
                harness.expect(file.read()[-8:-4] == b"IEND", f"{path} is not whole")

    def closing(self):
        count = {kind: sum(places[0].kind == kind for places in self.places) for kind in KINDS}
        failed = {kind: [len({self.place(case) for case, everywhere in self.struck if case.kind == kind and everywhere == on_all}) for on_all in (False, True)] for kind in KINDS}
        facts = {"places": count, "failed on one rank, and on all": failed}
        print(f"places: {count}; of them failed on one rank, and on all: {failed}", flush=True)
        return facts


if __name__ == "__main__":
    harness.main(Faults)
