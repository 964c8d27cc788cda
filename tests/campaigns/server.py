# SPDX-License-Identifier: Apache-2.0
"""Runs of pde without their start-up: processes (campaign_server) that start MPI and Kokkos once, and carry out one
command line after the other by the very function that pde's main calls. One that ends with a line, or is ended
because the line hangs, is the answer to this line; the next line gets a new one.

    servers = Servers(scratch)
    servers.run(2, [pde, deck, "time.steps=3"]).expect_order(0)   # as harness.run of mpirun -n 2
"""
import os
import re
import select
import signal
import subprocess
import tempfile
import threading
import time

import harness

END_OF_WORD = "\x1f"
# As pde chooses when it starts MPI itself (mpi_session.cpp).
ENVIRONMENT = {"OMPI_MCA_fcoll": "two_phase"}


class Server:
    def __init__(self, ranks, folder):
        self.outputs = [folder / f"output.{rank}" for rank in range(ranks)]
        for output in self.outputs:
            output.touch()
        self.served = 0
        words = [harness.program("campaign_server"), folder]
        self.process = subprocess.Popen([str(word) for word in ([*harness.MPIRUN, "-n", ranks] if ranks > 1 else []) + words],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0,
                                        env=harness.variables(ENVIRONMENT), start_new_session=True)
        self.words_of_mpirun = b""
        if self.answer(60) is None:
            raise harness.Fault(f"no server on {ranks} ranks: {self.end()}\n{self.text()}")

    def answer(self, seconds):
        """The next answer's words; None when the processes have ended. What else comes is mpirun's."""
        deadline = time.monotonic() + seconds * harness.PATIENCE
        self.words_of_mpirun = b""
        while True:
            if not select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            self.words_of_mpirun += piece
            if not piece:
                return None
            found = re.search(rb"^answer:(.*)\n", self.words_of_mpirun, re.M)
            if found:
                self.words_of_mpirun = self.words_of_mpirun[:found.start()] + self.words_of_mpirun[found.end():]
                return found[1].split()

    def ask(self, folder, environment, words, seconds):
        """The exit codes of all ranks; None when the processes have ended."""
        self.served += 1
        for output in self.outputs:
            os.truncate(output, 0)
        names = [f"{name}={value}" for name, value in environment.items()]
        line = END_OF_WORD.join(map(str, [folder, *names, *words]))
        assert "\n" not in line
        try:
            self.process.stdin.write(line.encode() + b"\n")
            answer = self.answer(seconds)
        except BrokenPipeError:
            answer = None
        return None if answer is None else [int(code) for code in answer]

    def text(self):
        return b"".join([output.read_bytes() for output in self.outputs] + [self.words_of_mpirun]).decode(errors="replace")

    def end(self, patience=20):
        """The exit code of all, after a request to end, or by force."""
        try:
            self.process.stdin.close()
            return self.process.wait(patience * harness.PATIENCE)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            return self.kill()

    def kill(self):
        self.process.send_signal(signal.SIGTERM)  # mpirun ends its ranks
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            return self.process.wait()


def add_option(parser):
    parser.add_argument("--alone", type=float, default=0.03,
                        help="share of the rounds whose runs are processes of their own, start-up included; default: 0.03")


class Servers:
    """One of each number of ranks for each thread."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.mine = threading.local()
        self.all, self.lost = [], 0

    def of(self, ranks):
        known = self.mine.__dict__.setdefault("servers", {})
        if ranks not in known:
            known[ranks] = Server(ranks, harness.pathlib.Path(tempfile.mkdtemp(prefix="server", dir=self.scratch)))
            self.all.append(known[ranks])
        return known[ranks]

    def run(self, ranks, words, seconds=60, environment=None, folder=None, alone=False):
        """A command line to its end, in a server's processes or (`alone`) in its own."""
        if alone:
            mpirun = [*harness.MPIRUN, "-n", ranks] if ranks > 1 else []
            return harness.run([*mpirun, *words], seconds, environment, folder)
        begin = time.monotonic()
        server = self.of(ranks)
        told = f"{' '.join(map(str, words))}   (line {server.served + 1} of a server of {ranks} ranks)"
        words = [harness.pathlib.Path(words[0]).name, *words[1:]]
        try:
            codes = server.ask(folder or self.scratch, environment or {}, words, seconds)
        except TimeoutError:
            self.forget(ranks)
            server.kill()
            raise harness.Fault(f"{told}\ndoesn't end within {seconds * harness.PATIENCE} s:\n{server.text()[-4000:]}") from None
        if codes is None:
            self.forget(ranks)
            return harness.Outcome([told], server.end(), server.text(), time.monotonic() - begin)
        harness.expect(len(set(codes)) == 1, f"{told}\nranks end with different codes: {codes}\n{server.text()[-4000:]}")
        return harness.Outcome([told], codes[0], server.text(), time.monotonic() - begin)

    def forget(self, ranks):
        self.lost += 1
        self.all.remove(self.mine.servers.pop(ranks))

    def close(self):
        """All end as they should; facts for the record."""
        for server in self.all:
            code = server.end()
            harness.expect(code == 0, f"a server that ends after {server.served} lines does so with code {code}\n{server.text()[-4000:]}")
        return {"servers that ended with a line": self.lost}
