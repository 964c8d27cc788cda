#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde campaign_server compare_results cartwright-simulate cartwright-probe cartwright-tune
import hashlib
import pathlib
import shutil
import threading

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
        self.initial = next((self.expected / "fields").glob("heat_*00.h5"))
        self.tuned = self.tune(scratch / "tuned")
        self.checksums = "checksum" in harness.run([self.pde, "--json-schema"]).text
        self.kinds = {"checkpoint": self.checkpoint, "initial data": self.initial_data, "machine file": self.machine_file,
                      "tuning file": self.tuning_file, "samples": self.samples}

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
        kind = dice.choice(["checkpoint", "checkpoint", *self.kinds])
        how, end = self.kinds[kind](dice, scratch)
        return f"{kind} {end}" if how else None

    def closing(self):
        return self.servers.close()

    def checkpoint(self, dice, scratch):
        out = scratch / "out"
        shutil.copytree(self.stopped, out)
        files = sorted((out / "checkpoints").glob("step*.h5"))
        all_damaged = dice.random() < 0.3
        how = [damage(dice, file) for file in (files if all_damaged else files[-1:])]
        ran = self.run(self.scratch / "deck.yaml", out, dice.choice(RANKS), "--restart").expect_order(0, 1)
        if ran.code == 1:
            harness.expect(all_damaged, f"a whole older checkpoint was not used ({how})\n{ran.text}")
            return how, "refused"
        self.expect_same(self.expected, out, f"{how} in {'all checkpoints' if all_damaged else 'the newest checkpoint'}")
        return how, "passed over or harmless"

    def initial_data(self, dice, scratch):
        data = scratch / "data.h5"
        shutil.copy(self.initial, data)
        value = f'{{file: "{data}", dataset: temperature}}'
        deck = scratch / "deck.yaml"
        checksum = "sha256:" + hashlib.sha256(data.read_bytes()).hexdigest()
        deck.write_text(DECK % value)
        whole = self.run(deck, scratch / "whole", 1).expect_order(0)
        if self.checksums:
            checksum = next((word for line in whole.text.splitlines() if "checksum" in line for word in line.split() if ":" in word), checksum)
        how = damage(dice, data)
        words = [f"initial.checksum={checksum}"] if self.checksums else []
        ran = self.run(deck, scratch / "out", dice.choice(RANKS), *words).expect_order(0, 1, 2)
        if ran.code == 0 and self.checksums:
            self.expect_same(scratch / "whole", scratch / "out", f"initial data with {how}")
        return how, {0: "read", 1: "refused", 2: "numerical failure"}[ran.code]

    def text_file(self, dice, scratch, sources, suffix):
        path = scratch / f"file{suffix}"
        shutil.copy(dice.choice(sources), path)
        return path, damage(dice, path)

    def machine_file(self, dice, scratch):
        sources = sorted((harness.ROOT / "inputs" / "machines").glob("*.yaml"))
        path, how = self.text_file(dice, scratch, sources, ".yaml")
        ran = harness.run([harness.program("cartwright-simulate"), "allreduce", "--ranks", 8, "--size", 1024, "--machine", path],
                          folder=scratch).expect_order(0, 1)
        return how, "read" if ran.code == 0 else "refused"

    def tuning_file(self, dice, scratch):
        path, how = self.text_file(dice, scratch, [self.tuned], ".tuned.json")
        path.rename(path.with_name(self.tuned.name))
        out = scratch / "out"
        ran = self.run(self.scratch / "deck.yaml", out, 2, environment={"CARTWRIGHT_MACHINES": str(scratch)}).expect_order(0, 1)
        if ran.code == 0:
            self.expect_same(self.expected, out, f"tuning file with {how}")
        return how, "passed over or harmless" if ran.code == 0 else "refused"

    def samples(self, dice, scratch):
        sources = sorted((harness.ROOT / "docs" / "evidence").glob("*/*.samples.jsonl"))
        path, how = self.text_file(dice, scratch, sources, ".samples.jsonl")
        ran = harness.run([harness.program("cartwright-probe"), "--analyse", path, "--output", scratch / "machine.yaml"], seconds=60,
                          folder=scratch).expect_order(0, 1)
        written = (scratch / "machine.yaml").exists()
        harness.expect(written == (ran.code == 0), f"samples with {how}: code {ran.code}, machine file written: {written}\n{ran.text}")
        return how, "read" if ran.code == 0 else "refused"


if __name__ == "__main__":
    harness.main(Files)
