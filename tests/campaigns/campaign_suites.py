#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: cartwright_drop_in campaign_compare_with_mpi
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

import harness

BACKENDS = ["auto", "p2p", "shared", "rma", "native"]
# Of drop_in, which is careful without: all collectives from the first on, nonblocking ones, and programs that ask for threads.
ALL = {"CARTWRIGHT_DROP_IN_AFTER": 0, "CARTWRIGHT_DROP_IN_NONBLOCKING": 1, "CARTWRIGHT_DROP_IN_SERIALIZED": 1, "CARTWRIGHT_DROP_IN_REPORT": 1}
# Of what configure would find out: what g++ 12 and the headers of today's MPI libraries have.
FOUND = ["HAVE_LONG_DOUBLE", "HAVE_LONG_LONG", "HAVE_LONG_LONG_INT", "HAVE_FLOAT__COMPLEX", "HAVE_DOUBLE__COMPLEX",
         "HAVE_LONG_DOUBLE__COMPLEX", "HAVE__BOOL", "HAVE_STDINT_H", "HAVE_UNISTD_H", "HAVE_STRING_H", "HAVE_SYS_TIME_H",
         "HAVE_STDARG_H", "HAVE_MPI_WIN_CREATE", "HAVE_MPI_INIT_THREAD", "STDC_HEADERS", "USE_STRICT_MPI"]
# Programs that want of collectives what comm's don't promise.
WANT_MORE = {"p_order": "ranks start persistent collectives in different orders; comm's are started in one order by all"}


class Trial:
    """A program of a suite, and how one sees that it has found nothing."""

    def __init__(self, name, words, ranks, seconds, has_passed, folder=None, is_ours_alone=False):
        self.name, self.words, self.ranks, self.seconds = name, words, ranks, seconds
        self.has_passed, self.folder = has_passed, folder
        self.is_ours_alone = is_ours_alone  # the MPI library has no such collectives


def command(words, folder=None):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout + done.stderr


def own(calls):
    """Random calls by comm beside the same by the MPI library; no suite of others, but what theirs don't draw."""
    program = harness.program("campaign_compare_with_mpi")
    return [Trial(f"own {ranks} ranks, seed {seed}", [program, seed, calls], ranks, 60 + calls, lambda text: re.search(r", 0 differences", text) is not None)
            for seed in (1, 2) for ranks in (1, 2, 3, 4, 6, 8)]


def mpich(sources, work, library):
    """Programs of MPICH's test/mpi/coll, as its list says. With an MPI library before MPI 4 those of persistent collectives are linked
    with ours; those that don't link at all are left out."""
    tests = pathlib.Path(sources) / "test" / "mpi"
    include = work / "include"
    (include / "below").mkdir(parents=True)
    text = "".join(f"#define {name} 1\n" for name in FOUND) + "#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX\n"
    package = "".join(f"#define THREAD_PACKAGE_{name} {number}\n" for number, name in
                      enumerate(["INVALID", "NONE", "POSIX", "SOLARIS", "WIN", "UTI", "ARGOBOTS"]))
    for name, content in (("mpitestconf.h", text + package), ("dtpoolsconf.h", text), ("mtest_mpix.h", "")):
        (include / name).write_text(content)
    flags = ["-O1", "-w", "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0", f"-I{include}", f"-I{include}/below", f"-I{tests}/include", f"-I{tests}/dtpools/include"]
    objects = []
    for source in [*(tests / "util" / f"{name}.c" for name in ("mtest", "mtest_common", "mtest_single", "dtypes")),
                   *sorted((tests / "dtpools" / "src").glob("*.c"))]:
        code, told = command(["mpicc", *flags, "-c", source, "-o", work / f"{source.stem}.o"])
        if code:
            sys.exit(f"{source} doesn't compile (MPICH 4.0 to 4.2 does):\n{told[-2000:]}")
        objects.append(work / f"{source.stem}.o")
    programs, ours_alone, left = {}, set(), []
    for source in sorted((tests / "coll").glob("*.c")):
        words = ["mpicc", *flags, source, *objects, "-o", work / source.stem, "-lm", "-lpthread"]
        if command(words)[0] == 0:
            programs[source.stem] = work / source.stem
        elif command([*words, library])[0] == 0:
            programs[source.stem] = work / source.stem
            ours_alone.add(source.stem)
        else:
            left.append(source.stem)
    trials = []
    for line in (tests / "coll" / "testlist.in").read_text().splitlines():
        words = line.split("#")[0].split()
        options = [word.partition("=")[::2] for word in words[2:]]
        settings = dict(options)
        if not words or words[0] not in programs or words[0] in WANT_MORE or "env" in settings or float(settings.get("mem", 0)) > 4:
            continue
        arguments = [value for key, value in options if key == "arg"]
        trials.append(Trial("mpich " + " ".join(words[:2] + arguments), [programs[words[0]], *arguments], int(words[1]),
                            max(400, int(settings.get("timeLimit", 0))), lambda text: re.search(r"^ ?No Errors", text, re.M) is not None,
                            is_ours_alone=words[0] in ours_alone))
    return trials, left


def imb(sources, work, _):
    """The benchmarks of Intel's IMB, which compare what they get with what they should: with small data, all collectives."""
    shutil.copytree(sources, work / "imb")
    trials = []
    for suite, names in (("MPI1", "Barrier Bcast Reduce Allreduce Reduce_scatter Reduce_scatter_block Gather Gatherv Scatter Scatterv "
                                  "Allgather Allgatherv Alltoall Alltoallv"),
                         ("NBC", "Ibarrier Ibcast Ireduce Iallreduce Ireduce_scatter Igather Igatherv Iscatter Iscatterv Iallgather "
                                 "Iallgatherv Ialltoall Ialltoallv")):
        code, told = command(["make", f"TARGET={suite}", "CC=mpicc", "CXX=mpicxx", "CPPFLAGS=-DCHECK", "CFLAGS=-w", "CXXFLAGS=-w",
                              f"-j{os.cpu_count()}"], work / "imb" / "src_cpp")
        program = work / "imb" / "src_cpp" / f"IMB-{suite}"
        if code or not program.exists():
            sys.exit(f"IMB-{suite} doesn't compile:\n{told[-2000:]}")
        for name, ranks in itertools.product(names.split(), (2, 3, 4, 6)):
            trials.append(Trial(f"imb {name} {ranks}", [program, "-npmin", ranks, "-iter", 10, "-msglog", "0:17", "-time", 2, name],
                                ranks, 300, has_no_defects))
    return trials, []


def has_no_defects(text):
    """IMB's last column, where it has checked: all of them zero."""
    rows = [line.split() for line in text.splitlines() if re.match(r"\s*\d+\s+\d+\s+[\d.]+", line)]
    return "All processes entering MPI_Finalize" in text and "rror" not in text and all(float(row[-1]) == 0 for row in rows if len(row) > 5)


def mpi4py(sources, _, __):
    """The tests of mpi4py (the version that is installed) on collectives."""
    tests = pathlib.Path(sources) / "test"
    trials = []
    for module, ranks in itertools.product(["test_cco_buf", "test_cco_vec", "test_cco_obj", "test_cco_nb_buf", "test_cco_nb_vec",
                                            "test_op"], (1, 2, 3, 4, 5)):
        trials.append(Trial(f"mpi4py {module} {ranks}", ["/usr/bin/python3", "-m", "unittest", "-q", module], ranks, 300,
                            lambda text: len(re.findall(r"^OK", text, re.M)) > 0 and "FAILED" not in text, tests))
    return trials, []


class Suites(harness.Campaign):
    """test suites of others, whose collectives drop_in has comm carry out; a round is one program by one backend"""
    rounds = 0  # all

    def add_options(self, parser):
        parser.add_argument("--mpich", metavar="DIRECTORY", help="MPICH's sources, 4.0 to 4.2")
        parser.add_argument("--imb", metavar="DIRECTORY", help="Intel's MPI benchmarks")
        parser.add_argument("--mpi4py", metavar="DIRECTORY", help="mpi4py's sources, of the version that is installed")
        parser.add_argument("--calls", type=int, default=1000, help="of a program of our own; default: 1000")
        parser.add_argument("--backends", nargs="+", default=BACKENDS, choices=BACKENDS, help="default: all")
        parser.add_argument("--nodes", nargs="+", default=[], metavar="LAYOUT", help="on several nodes of this machine: 2x2 3x1; what fits them")

    def prepare(self, options, scratch):
        self.library = harness.program("../lib/libcartwright_mpi.so").resolve()
        self.left, self.carried, self.by_mpi = [], 0, 0
        trials = own(options.calls)
        for suite in (mpich, imb, mpi4py):
            sources = getattr(options, suite.__name__)
            if sources:
                work = scratch / suite.__name__
                work.mkdir()
                found, left = suite(pathlib.Path(sources).resolve(), work, self.library)
                trials += found
                self.left += left
        places = options.nodes or [None]
        self.rounds_to_do = [(trial, backend, nodes) for trial, backend, nodes in itertools.product(trials, options.backends, places)
                             if nodes is None or harness.ranks_of(nodes) == trial.ranks]
        random.Random(options.seed).shuffle(self.rounds_to_do)
        options.rounds = min(options.rounds or len(self.rounds_to_do), len(self.rounds_to_do) - options.first)

    def run(self, trial, nodes, environment):
        """Whether it has passed, and what it said."""
        start = harness.start_on_nodes(nodes, harness.PLACES[0]) if nodes else [*harness.MPIRUN, "-n", trial.ranks]
        given = [f"{key}={value}" for key, value in environment.items()]
        try:
            ended = harness.run([*start, "env", *given, *trial.words], seconds=trial.seconds, folder=trial.folder)
        except harness.Fault as fault:
            return False, str(fault)
        return ended.code == 0 and trial.has_passed(ended.text), f"code {ended.code}:\n{ended.text[-3000:]}"

    def round(self, number, dice, scratch):
        trial, backend, nodes = self.rounds_to_do[number]
        where = f"{trial.name}, {backend}" + (f", nodes {nodes}" if nodes else "")
        passed, told = self.run(trial, nodes, {"LD_PRELOAD": harness.preloads(self.library), "CARTWRIGHT_COMM_BACKEND": backend, **ALL})
        if not passed:
            return self.excuse(trial, backend, nodes, f"{where}: {told}")
        counts = re.search(r"^cartwright: collectives of rank 0: (\d+) by cartwright, (\d+) by the MPI library", told, re.M)
        harness.expect(counts, f"{where}: nobody told how many collectives were carried out by comm:\n{told}")
        self.carried += int(counts.group(1))
        self.by_mpi += int(counts.group(2))
        return f"{trial.name.split()[0]} by {backend}"

    def excuse(self, trial, backend, nodes, told):
        """Why it says nothing about comm that a program has failed; a Fault where it does."""
        if trial.is_ours_alone:
            harness.expect(backend == "native" and "left to an MPI library without persistent collectives" in told, told)
            return f"left to an MPI library without it: {trial.name}"
        harness.expect(not self.run(trial, nodes, {})[0], f"passed by the MPI library alone; with comm {told}")
        return f"not passed by the MPI library alone: {trial.name}"

    def closing(self):
        return {"programs that want more than comm promises": WANT_MORE,
                "programs that don't link with this MPI library": sorted(self.left),
                "collectives by comm (rank 0)": self.carried, "collectives left to MPI (rank 0)": self.by_mpi}


if __name__ == "__main__":
    harness.main(Suites)
