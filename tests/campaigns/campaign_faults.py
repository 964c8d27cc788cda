#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde compare_results campaign_faults
import collections
import errno
import glob

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
}
ERRORS = [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE, errno.EINTR, errno.EDQUOT, errno.EROFS]
RANKS = 2


def is_before_the_run(text):
    """While global objects are made, or by main itself: nothing of a run has been said."""
    return "terminate called after throwing an instance of 'std::bad_alloc'" in text and "  deck  " not in text


class Faults(harness.Campaign):
    """each call of MPI, of the allocator and of the file system fails once, on one rank or on all: one message, nothing half-written"""
    rounds = 200
    jobs = 2

    def add_options(self, parser):
        parser.add_argument("--kind", choices=["mpi", "memory", "file"], help="only these calls")
        parser.add_argument("--every", action="store_true", help="every call site, on one rank and on all: as many rounds as that takes")

    def prepare(self, options, scratch):
        self.pde, self.compare = harness.program("pde"), harness.program("compare_results")
        self.library = harness.program("campaign_faults.so")
        self.scratch = scratch
        self.cases = []
        self.tried = collections.Counter()
        for name, deck in DECKS.items():
            (scratch / f"{name}.yaml").write_text(deck)
            for restart in (False, True):
                for kind in [options.kind] if options.kind else ["mpi", "memory", "file"]:
                    self.cases += self.sites(name, kind, restart, scratch)
        self.cases = sorted(set(self.cases))
        if options.every:
            options.rounds = 2 * len(self.cases)
        self.every = options.every
        print(f"{len(self.cases)} call sites: " + ", ".join(
            f"{sum(case[2] == kind for case in self.cases)} {kind}" for kind in ("mpi", "memory", "file")), flush=True)

    def start(self, name, kind, restart, out, more, seconds=60):
        environment = {"LD_PRELOAD": str(self.library), "CARTWRIGHT_FAULT_PROGRAM": "pde", "CARTWRIGHT_FAULT_KIND": kind,
                       "CARTWRIGHT_FAULT_FOLDER": str(self.scratch), **more}
        words = [*harness.mpirun_with(self.library), "-n", RANKS, self.pde, self.scratch / f"{name}.yaml", f"output.directory={out}"]
        return harness.run(words + ["--restart"] * restart, seconds=seconds, environment=environment, folder=self.scratch)

    def half_way(self, name, out):
        """A run to be restarted, which has written nothing that the whole one doesn't write."""
        words = [*harness.MPIRUN, "-n", RANKS, self.pde, self.scratch / f"{name}.yaml", f"output.directory={out}", "time.steps=" + {"heat": "4", "wave": "2"}[name]]
        harness.run(words, seconds=60, folder=self.scratch).expect_order(0)

    def sites(self, name, kind, restart, scratch):
        out, found = scratch / f"{name}-{kind}-{restart}", scratch / f"{name}-{kind}-{restart}.sites"
        if restart:
            self.half_way(name, out)
        self.start(name, kind, restart, out, {"CARTWRIGHT_FAULT_SITES": str(found)}).expect_order(0)
        return [(name, restart, kind, *line.split(" ", 1)) for line in found.read_text().splitlines()]

    def round(self, number, dice, scratch):
        if self.every:
            case, everywhere = self.cases[number // 2], number % 2 == 1
        else:
            case, everywhere = dice.choice(self.cases), dice.random() < 0.5
        name, restart, kind, site, call = case
        out = scratch / "out"
        if restart:
            self.half_way(name, out)
        more = {"CARTWRIGHT_FAULT_SITE": site, "CARTWRIGHT_FAULT_ERRNO": str(dice.choice(ERRORS))}
        if not everywhere:
            more["CARTWRIGHT_FAULT_RANK"] = str(dice.choice([0, 0, 1]))
        told = f"{name}{' restarted' * restart}, {call} at {site} fails on {'all ranks' if everywhere else 'rank ' + more['CARTWRIGHT_FAULT_RANK']}"
        try:
            ended = self.start(name, kind, restart, out, more)
            if ended.code in (134, 6) and is_before_the_run(ended.text):
                return "memory: before the run began (std::terminate)"  # no line of ours can catch it there
            ended.expect_order(0, 1, 3)
            self.judge_files(out)
            if ended.code == 0:
                same = harness.run([self.compare, self.scratch / f"{name}-{kind}-{restart}", out])
                harness.expect(same.code == 0, f"code 0, but other results\n{same.text}\n{ended.text}")
        except harness.Fault as fault:
            raise harness.Fault(f"{told}: {fault}") from None
        return f"{kind}: code {ended.code}"

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


if __name__ == "__main__":
    harness.main(Faults)
