# SPDX-License-Identifier: Apache-2.0
"""What all campaigns have in common: rounds that can be repeated one by one, a time budget, a scratch folder a
round, programs that are run with a limit of time, and a record.

A campaign is a class with a method `round`; everything that it draws comes from `dice`, which depends on the seed
and the number of the round only:

    class Decks(harness.Campaign):
        "random decks: checked, and run if they pass"
        def round(self, number, dice, scratch): ...

    harness.main(Decks)
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CARTWRIGHT_BUILD", ROOT / "build" / "release"))
PATIENCE = int(os.environ.get("CARTWRIGHT_SLOWDOWN", 1))  # as CTest has for instrumented programs


def mpi_of_build():
    """What the build's file `mpi` says: which MPI it is for, and how its ranks are started."""
    known = BUILD / "mpi"
    return dict(line.partition(" ")[::2] for line in known.read_text().splitlines()) if known.exists() else {}


MPI = mpi_of_build()
MPIRUN = os.environ.get("MPIRUN", MPI.get("crowded", "mpirun")).split()
PLACES = ["slot"] if MPI.get("flavour") == "mpich" else ["slot", "node"]  # MPICH's mpiexec can't place by node
# What no message of ours ever says.
CRASHES = re.compile(r"terminate called|Segmentation|Assertion|runtime error:|Sanitizer|fault of the program|unexpected exception"
                     r"|Signal: |core dumped|PMIX ERROR|free\(\): |corrupted")


class Fault(Exception):
    """The project did what it must not."""


def expect(condition, sentence):
    if not condition:
        raise Fault(sentence)


def errors_in(text):
    """Our messages; what a rank was writing may stand before one in its line."""
    return re.findall(r"cartwright: error:.*", text)


def ranks_of(layout):
    """2x2 is 4 ranks, 3+1 as well."""
    terms = [term.split("x") for term in layout.split("+")]
    return sum(int(term[0]) * int(term[-1]) if len(term) == 2 else int(term[0]) for term in terms)


def start_on_nodes(layout, place):
    """The words that start a program on each rank of such nodes. make_nodes tells an mpirun the rest, in the environment."""
    preloaded = ["-genv", "LD_PRELOAD", MPI["preloaded"]] if MPI.get("preloaded") else []  # else MPICH's never end there
    return [ROOT / "launcher" / "make_nodes", layout, place, MPIRUN[0], *preloaded, "-n", ranks_of(layout)]


def preloads(library):
    """LD_PRELOAD of ranks into which a library is loaded beside what the build's MPI has there."""
    return ":".join(filter(None, [str(library), MPI.get("preloaded")]))


class Outcome:
    """The end of a program."""

    def __init__(self, words, code, text, seconds):
        self.words, self.code, self.text, self.seconds = words, code, text, seconds

    def errors(self):
        return errors_in(self.text)

    def expect_order(self, *codes):
        """One of these exit codes; nothing that looks like a crash; with an error code, one message."""
        told = f"{' '.join(map(str, self.words))}\nended with {self.code}:\n{self.text[-4000:]}"
        expect(self.code in codes, f"exit code {self.code}, not {' or '.join(map(str, codes))}\n{told}")
        expect(not CRASHES.search(self.text), f"this looks like a crash\n{told}")
        if self.code in (1, 2, 3):
            expect(len(self.errors()) == 1, f"{len(self.errors())} messages instead of one\n{told}")
        return self


def variables(more=None):
    """The environment of all programs."""
    return dict(os.environ, OMP_NUM_THREADS="1", OMP_PROC_BIND="false", OMPI_ALLOW_RUN_AS_ROOT="1",
                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", UCX_HANDLE_ERRORS="none", **(more or {}))


def run(words, seconds=60, environment=None, folder=None, prepare=None):
    """Runs a program to its end; a Fault if it takes longer than `seconds`."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env=variables(environment), cwd=folder, start_new_session=True, preexec_fn=prepare)
    try:
        output, _ = process.communicate(timeout=seconds * PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        raise Fault(f"{' '.join(map(str, words))}\ndoesn't end within {seconds * PATIENCE} s:\n"
                    f"{output.decode(errors='replace')[-4000:]}") from None
    return Outcome(words, process.returncode, output.decode(errors="replace"), time.monotonic() - begin)


def program(name):
    path = BUILD / "bin" / name
    if not path.exists():
        sys.exit(f"there is no {path}: ./cartwright campaign builds it, or CARTWRIGHT_BUILD names another build")
    return path


def nodes_hindrance():
    """Why no nodes can be made on this machine; empty where they can."""
    made = subprocess.run([ROOT / "launcher" / "make_nodes", "1x1", "slot", "true"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return "" if made.returncode == 0 else made.stderr.strip() or "nodes can't be made here"


STARTERS = ("mpirun", "mpiexec", "orterun", "mpirun.openmpi", "mpiexec.openmpi", "mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra")


def processes(directory):
    """What lives of the run into an output directory, whose name it carries: {process: name of its program}."""
    found = {}
    wanted = f"output.directory={directory}".encode()
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if wanted in words:
                found[int(entry.name)] = os.path.basename(words[0]).decode(errors="replace")
    return found


def descendants(ancestor):
    """All that live below a process, those of a generation after their parents."""
    children = collections.defaultdict(list)
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                children[int((entry / "stat").read_text().rpartition(")")[2].split()[1])].append(int(entry.name))
            except (OSError, ValueError, IndexError):
                continue
    found = [ancestor]
    for process in found:
        found += children[process]
    return found[1:]


class Campaign:
    """To be derived from. The docstring of a class is its line in --help."""
    rounds = 100   # by default
    jobs = 1       # rounds at a time, by default

    def add_options(self, parser):
        pass

    def prepare(self, options, scratch):
        """Once, before the first round."""

    def round(self, number, dice, scratch):
        """One attack. Returns a word for the tally (or several); raises Fault."""
        raise NotImplementedError

    def closing(self):
        """Further facts for the record."""
        return {}


def machine():
    model = next((line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    return f"{os.cpu_count()} cores ({model}), Linux {platform.release()}"


def commit():
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+changes", "--abbrev=12", "--exclude=*"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def words_to_repeat(options):
    """The command line without where its record goes, and with the seed."""
    words = list(sys.argv[1:])
    for option in ("--json", "--keep", "--minutes", "--rounds", "--first"):
        if option in words:
            del words[words.index(option):words.index(option) + 2]
    return words if "--seed" in words else [*words, "--seed", str(options.seed)]


class Record:
    """What has happened so far; rounds of several threads report here."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.words = words_to_repeat(options)
        self.commit = commit()  # now: a long campaign outlives what it was built from
        self.begin = time.monotonic()
        self.passed, self.tally, self.faults = 0, collections.Counter(), []
        self.lock = threading.Lock()
        self.last_line = 0.0

    def good(self, words):
        with self.lock:
            self.passed += 1
            self.tally.update([words] if isinstance(words, str) else words or [])
            self.say()

    def bad(self, number, fault, kept):
        one = ["--rounds", str(self.options.rounds)] if number == "end" else ["--first", str(number), "--rounds", "1"]
        replay = " ".join(["./cartwright campaign", self.name, *self.words, *one])
        with self.lock:
            self.faults.append({"round": number, "what": fault, "replay": replay})
            print(f"round {number}: FAULT: {fault}\n  again: {replay}" + (f"\n  kept: {kept}" if kept else ""), flush=True)

    def say(self, now=False):
        if not now and time.monotonic() - self.last_line < 10:
            return
        self.last_line = time.monotonic()
        rounds = "round" if self.passed == 1 else "rounds"
        facts = ", ".join(f"{count} {word}" for word, count in sorted(self.tally.items()))
        print(f"{self.last_line - self.begin:7.0f} s  {self.passed} {rounds} passed, {len(self.faults)} failed  {facts}", flush=True)

    def write(self, facts):
        if not self.options.json:
            return
        result = {"campaign": self.name, "machine": machine(), "commit": self.commit, "mpi": MPI.get("library", "unknown"),
                   "command": " ".join(sys.argv[1:]),
                  "seed": self.options.seed, "first": self.options.first, "passed": self.passed, "failed": len(self.faults),
                  "seconds": round(time.monotonic() - self.begin, 1), "tally": dict(sorted(self.tally.items())), **facts,
                  "faults": self.faults}
        pathlib.Path(self.options.json).write_text(json.dumps(result, indent=1) + "\n")


def parse(kind, campaign, name):
    parser = argparse.ArgumentParser(prog=f"./cartwright campaign {name}", description=kind.__doc__)
    parser.add_argument("--rounds", type=int, default=campaign.rounds, help=f"default: {campaign.rounds}")
    parser.add_argument("--first", type=int, default=0, help="number of the first round (to repeat one that failed)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="begin no round after this time")
    parser.add_argument("--jobs", type=int, default=campaign.jobs, help=f"rounds at a time; default: {campaign.jobs}")
    parser.add_argument("--json", help="write the record to this file")
    parser.add_argument("--keep", help="keep the folders of rounds that failed, in this directory")
    campaign.add_options(parser)
    return parser.parse_args()


def special_files(folder, names):
    """Pipes and the like can't be copied."""
    return [name for name in names if not ((pathlib.Path(folder) / name).is_file() or (pathlib.Path(folder) / name).is_dir())]


def end_early(options):
    """A signal lets the rounds that run end, and no other begin; the record is written."""
    def on_signal(*_):
        options.minutes = 1e-9
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, on_signal)


def one_round(campaign, record, options, work, number):
    if options.minutes and time.monotonic() - record.begin > 60 * options.minutes:
        return
    scratch = work / f"round{number}"
    scratch.mkdir()
    try:
        record.good(campaign.round(number, random.Random(f"{options.seed} {number}"), scratch))
    except Fault as fault:
        kept = None
        if options.keep:
            kept = pathlib.Path(options.keep) / f"{record.name}_{options.seed}_{number}"
            shutil.copytree(scratch, kept, dirs_exist_ok=True, ignore_dangling_symlinks=True, ignore=special_files)
        record.bad(number, str(fault), kept)
    shutil.rmtree(scratch, ignore_errors=True)


def close(campaign, record):
    try:
        return campaign.closing()
    except Fault as fault:
        record.bad("end", str(fault), None)
        return {}


def main(kind):
    """Runs a campaign by the command line; exit code 0 if no round failed, 3 if one did."""
    name = pathlib.Path(sys.argv[0]).stem.removeprefix("campaign_")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for what they start in the background
    campaign = kind()
    options = parse(kind, campaign, name)
    record = Record(name, options)
    end_early(options)
    with tempfile.TemporaryDirectory(prefix=f"cartwright-{name}-") as folder:
        work = pathlib.Path(folder)
        campaign.prepare(options, work)
        numbers = range(options.first, options.first + options.rounds)  # now: some set them as they prepare
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in pool.map(lambda number: one_round(campaign, record, options, work, number), numbers):
                assert done is None
        facts = close(campaign, record)
    record.say(now=True)
    record.write(facts)
    print(f"{record.passed} passed, {len(record.faults)} failed")
    sys.exit(3 if record.faults else 0)
