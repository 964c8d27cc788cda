#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde campaign_server compare_results cartwright-simulate cartwright-probe cartwright-tune
import functools
import pathlib
import random
import re
import shutil
import threading

import h5py

import harness
import server

DECK = """
solver: heat
heat: {diffusivity: 1.0e-3}
grid: {extent: [23, 11, 5], length: [1.0, 0.7, 0.2], periodic: [false, true, false]}
time: {steps: 20}
initial: {temperature: %s}
boundary: {temperature: {x_low: {dirichlet: "350 + 10*sin(t)*y"}, all: {neumann: 3}}}
output: {every: 10, diagnostics: 5}
checkpoint: {every: 7, keep: 2}
"""
RANKS = [1, 2, 3, 4, 6, 8]
RANDOM = "{random: {low: 300, high: 400, seed: 7}}"


def leave(_dice, _path):
    """No damage."""
    return "nothing"


def empty(_dice, path):
    path.write_bytes(b"")
    return "empty"


def damage(dice, path):
    """Bits that flip, blocks that are lost, ends that are missing. What was done, in a word."""
    data = bytearray(path.read_bytes())
    kind = dice.choice(["bits", "bits", "bits", "byte", "cut", "hole", "swap", "grown", "empty"])
    if kind == "bits":
        for _ in range(dice.choice([1, 1, 1, 2, 10])):
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    elif kind == "byte":
        data[dice.randrange(len(data))] = dice.randrange(256)
    elif kind == "cut":
        del data[dice.randrange(len(data)):]
    elif kind == "hole":
        begin = dice.randrange(len(data))
        end = min(len(data), begin + dice.choice([16, 512, 4096]))
        data[begin:end] = bytes(end - begin)
    elif kind == "swap":
        first, second = (dice.randrange(len(data)) // 512 * 512 for _ in range(2))
        data[first:first + 512], data[second:second + 512] = data[second:second + 512], data[first:first + 512]
    elif kind == "grown":
        data += bytes(dice.randrange(256) for _ in range(dice.choice([1, 100, 5000])))
    else:
        data = bytearray()
    path.write_bytes(data)
    return kind


class Files(harness.Campaign):
    """damaged files: refused with one message, passed over, or harmless; never a crash, a hang or another result"""
    rounds = 200

    def add_options(self, parser):
        server.add_option(parser)

    def prepare(self, options, scratch):
        self.options = options
        self.servers = server.Servers(scratch)
        self.alone = threading.local()
        self.pde, self.compare = harness.program("pde"), harness.program("compare_results")
        self.scratch = scratch
        (scratch / "deck.yaml").write_text(DECK % RANDOM)
        self.expected = scratch / "expected"
        self.run(scratch / "deck.yaml", self.expected, 2).expect_order(0)
        # The same run as it stands after its second checkpoint, to be restarted; it has no output that the whole one lacks.
        self.stopped = scratch / "stopped"
        self.run(scratch / "deck.yaml", self.stopped, 2, "time.steps=10").expect_order(0)
        self.tuned = self.tune(scratch / "tuned")
        self.prepare_initial_data()
        # What a round may damage; how it ends where the file is whole, and where it is empty.
        over = "passed over or harmless"
        self.kinds = {"newest checkpoint": (self.newest_checkpoint, over, over),
                      "all checkpoints": (self.all_checkpoints, over, "refused"),
                      "machine file": (self.machine_file, "read", "refused"),
                      "tuning file": (self.tuning_file, over, over),
                      "samples": (self.samples, "read", "refused")}
        for guard in ("in the deck", "in the file", "nowhere"):
            self.kinds[f"initial data, checksum {guard}"] = (functools.partial(self.initial_data, guard), "read", "refused")
        self.try_all_ends(scratch)

    def prepare_initial_data(self):
        """A file with a checksum, as runs write it; one without; and what comes of both."""
        self.guarded = next((self.expected / "fields").glob("heat_*00.h5"))
        self.bare = self.scratch / "bare.h5"
        shutil.copy(self.guarded, self.bare)
        with h5py.File(self.bare, "r+") as file:
            del file["temperature"].attrs["checksum"]
        deck = self.scratch / "from_file.yaml"
        deck.write_text(DECK % f'{{file: "{self.bare}", dataset: temperature}}')
        self.from_file = self.scratch / "from_file"
        text = self.run(deck, self.from_file, 2).expect_order(0).text
        found = re.search(r"checksum ([0-9a-f]{16}) \(nothing to compare it with", text)
        harness.expect(found, f"initial data are read without a word on their checksum:\n{text}")
        self.checksum = found[1]

    def try_all_ends(self, scratch):
        """A kind of round that always ends in one way, whatever the damage, would show nothing."""
        for kind, (attack, whole, spoilt) in self.kinds.items():
            for spoil, expected in ((leave, whole), (empty, spoilt)):
                folder = scratch / f"{kind}, {spoil.__name__}"
                folder.mkdir()
                end = attack(random.Random(0), folder, spoil)
                harness.expect(end == expected, f"{kind}, {spoil.__name__}: {end}, not {expected}")

    @staticmethod
    def tune(folder):
        """What a run on two ranks of this machine would use."""
        folder.mkdir()
        words = [*harness.MPIRUN, "-n", 2, harness.program("cartwright-tune"), "allreduce", "--size", 8, "--quick"]
        harness.run(words, seconds=120, environment={"CARTWRIGHT_MACHINES": str(folder)}).expect_order(0)
        return next(folder.glob("*.tuned.json"))

    def run(self, deck, out, ranks, *more, environment=None):
        return self.servers.run(ranks, [self.pde, deck, f"output.directory={out}", *more], seconds=90, folder=deck.parent,
                                environment=environment, alone=getattr(self.alone, "now", False))

    def expect_same(self, expected, found, what):
        same = harness.run([self.compare, expected, found])
        harness.expect(same.code == 0, f"{what}: other results\n{same.text}")

    def round(self, number, dice, scratch):
        self.alone.now = dice.random() < self.options.alone
        kind = dice.choice(list(self.kinds))
        attack, _, _ = self.kinds[kind]
        return f"{kind}: {attack(dice, scratch, damage)}"

    def closing(self):
        return self.servers.close()

    def restart(self, dice, scratch, spoil, is_damaged):
        """From checkpoints, of which some are damaged. The exit code, and how they were."""
        out = scratch / "out"
        shutil.copytree(self.stopped, out)
        files = sorted((out / "checkpoints").glob("step*.h5"))
        how = [spoil(dice, file) for file in files if is_damaged(file, files)]
        ran = self.run(self.scratch / "deck.yaml", out, dice.choice(RANKS), "--restart").expect_order(0, 1)
        if ran.code == 0:
            self.expect_same(self.expected, out, f"checkpoints with {how}")
        return ran, how

    def newest_checkpoint(self, dice, scratch, spoil):
        ran, how = self.restart(dice, scratch, spoil, lambda file, files: file == files[-1])
        harness.expect(ran.code == 0, f"a whole older checkpoint was not used ({how})\n{ran.text}")
        return "passed over or harmless"

    def all_checkpoints(self, dice, scratch, spoil):
        ran, _ = self.restart(dice, scratch, spoil, lambda file, files: True)
        return "passed over or harmless" if ran.code == 0 else "refused"

    def initial_data(self, guard, dice, scratch, spoil):
        """What was compared with its checksum is right; of what wasn't anything may come."""
        data = scratch / "data.h5"
        shutil.copy(self.guarded if guard == "in the file" else self.bare, data)
        how = spoil(dice, data)
        checksum = f", checksum: '{self.checksum}'" if guard == "in the deck" else ""
        deck = scratch / "deck.yaml"
        deck.write_text(DECK % f'{{file: "{data}", dataset: temperature{checksum}}}')
        ran = self.run(deck, scratch / "out", dice.choice(RANKS)).expect_order(0, 1, 2)
        compared = "(is right)" in ran.text  # one in the file may be lost with the damage
        harness.expect(compared or guard != "in the deck" or ran.code == 1, f"{how}: nothing was compared\n{ran.text}")
        if compared or spoil == leave:
            harness.expect(ran.code == 0, f"{how}: sound data, but code {ran.code}\n{ran.text}")
            self.expect_same(self.from_file, scratch / "out", f"initial data with {how}, checksum {guard}")
        return {0: "read", 1: "refused", 2: "numerical failure"}[ran.code]

    def text_file(self, dice, scratch, spoil, sources, suffix):
        path = scratch / f"file{suffix}"
        shutil.copy(dice.choice(sources), path)
        return path, spoil(dice, path)

    def machine_file(self, dice, scratch, spoil):
        sources = sorted((harness.ROOT / "inputs" / "machines").glob("*.yaml"))
        path, _ = self.text_file(dice, scratch, spoil, sources, ".yaml")
        ran = harness.run([harness.program("cartwright-simulate"), "allreduce", "--ranks", 8, "--size", 1024, "--machine", path],
                          folder=scratch).expect_order(0, 1)
        return "read" if ran.code == 0 else "refused"

    def tuning_file(self, dice, scratch, spoil):
        path, how = self.text_file(dice, scratch, spoil, [self.tuned], ".tuned.json")
        path.rename(path.with_name(self.tuned.name))
        out = scratch / "out"
        ran = self.run(self.scratch / "deck.yaml", out, 2, environment={"CARTWRIGHT_MACHINES": str(scratch)}).expect_order(0, 1)
        if ran.code == 0:
            self.expect_same(self.expected, out, f"tuning file with {how}")
        return "passed over or harmless" if ran.code == 0 else "refused"

    def samples(self, dice, scratch, spoil):
        sources = sorted((harness.ROOT / "docs" / "evidence").glob("*/*.samples.jsonl"))
        path, how = self.text_file(dice, scratch, spoil, sources, ".samples.jsonl")
        ran = harness.run([harness.program("cartwright-probe"), "--analyse", path, "--output", scratch / "machine.yaml"], seconds=60,
                          folder=scratch).expect_order(0, 1)
        written = (scratch / "machine.yaml").exists()
        harness.expect(written == (ran.code == 0), f"samples with {how}: code {ran.code}, machine file written: {written}\n{ran.text}")
        return "read" if ran.code == 0 else "refused"


if __name__ == "__main__":
    harness.main(Files)
