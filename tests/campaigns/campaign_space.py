#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde compare_results
import resource

import harness

DECK = """
solver: heat
grid: {extent: [61, 47, 11], periodic: [false, true, false]}
time: {steps: 12}
initial: {temperature: {random: {low: 300, high: 400, seed: 7}}}
output: {every: 3, diagnostics: 1, pictures: {every: 6}}
checkpoint: {every: 4}
trace: trace.json
"""
LACKS = ["disk", "disk", "inodes", "shared memory", "temporary files", "memory", "handles", "file size"]


class Space(harness.Campaign):
    """too little disk, inodes, shared memory, memory or handles: one message, or the complete result"""
    rounds = 50

    def prepare(self, options, scratch):
        self.pde, self.compare = harness.program("pde"), harness.program("compare_results")
        self.scratch = scratch
        (scratch / "deck.yaml").write_text(DECK)
        self.expected = scratch / "expected"
        harness.run([*harness.MPIRUN, "-n", 2, self.pde, scratch / "deck.yaml", f"output.directory={self.expected}"]).expect_order(0)
        self.namespaces = harness.run(["unshare", "--mount", "true"]).code == 0

    def round(self, number, dice, scratch):
        lack = dice.choice(LACKS)
        ranks = dice.choice([1, 2, 3, 4])
        mounts, limits, said = [], [], ""
        out = scratch / "disk" / "out"
        (scratch / "disk").mkdir()
        if lack == "disk":
            size = dice.randrange(8, 6000)
            mounts, said = [(scratch / "disk", f"size={size}k")], f"{size} KiB of disk"
        elif lack == "inodes":
            count = dice.randrange(2, 30)
            mounts, said = [(scratch / "disk", f"nr_inodes={count}")], f"{count} inodes"
        elif lack == "shared memory":
            size = dice.choice([4, 64, 1000, 5000, 20000, 65536])
            mounts, said = [("/dev/shm", f"size={size}k")], f"{size} KiB of /dev/shm"
        elif lack == "temporary files":
            size = dice.choice([4, 64, 1000, 20000])
            (scratch / "tmp").mkdir()
            mounts, said = [(scratch / "tmp", f"size={size}k")], f"{size} KiB of TMPDIR"
        elif lack == "memory":
            size = dice.randrange(150, 1200) << 20
            limits, said = [(resource.RLIMIT_AS, size)], f"{size >> 20} MiB of addresses"
        elif lack == "handles":
            count = dice.randrange(12, 80)
            limits, said = [(resource.RLIMIT_NOFILE, count)], f"{count} handles"
        else:
            size = dice.randrange(1, 600) << 10
            limits, said = [(resource.RLIMIT_FSIZE, size)], f"files of {size >> 10} KiB at most"
        if mounts and not self.namespaces:
            return "not tried: no namespaces here"
        ended = self.run(out, ranks, mounts, limits, scratch)
        told = f"{said}, {ranks} ranks"
        try:
            self.judge(ended, mounts, out)
        except harness.Fault as fault:
            raise harness.Fault(f"{told}: {fault}") from None
        return f"{lack}: {'complete' if ended.code == 0 else 'one message'}"

    def run(self, out, ranks, mounts, limits, scratch):
        """Limits hold for the ranks alone, mounts for all; results are compared inside, where they can be seen."""
        rank = [self.pde, self.scratch / "deck.yaml", f"output.directory={out}"]
        options = {resource.RLIMIT_AS: "--as", resource.RLIMIT_NOFILE: "--nofile", resource.RLIMIT_FSIZE: "--fsize"}
        for kind, value in limits:
            rank = ["prlimit", f"{options[kind]}={value}", *rank]
        words = [*harness.MPIRUN, "-n", ranks, *rank]
        if (scratch / "tmp").exists():  # mpirun itself hangs without them: only the launcher can say so
            words = [harness.ROOT / "cartwright", "run", *rank[1:], "-n", ranks, "-t", 1]
        if mounts:
            lines = [f"mount -t tmpfs -o {how} none '{where}' || exit 77" for where, how in mounts]
            lines += [" ".join(f"'{word}'" for word in words), "code=$?", f"[ $code = 0 ] || exit $code",
                      f"'{self.compare}' '{self.expected}' '{out}' || {{ echo OTHER RESULTS; exit 78; }}"]
            words = ["unshare", "--mount", "bash", "-c", "\n".join(lines)]
        environment = {"TMPDIR": str(scratch / "tmp"), "CARTWRIGHT_BUILD": str(harness.BUILD)} if (scratch / "tmp").exists() else None
        return harness.run(words, seconds=90, environment=environment, folder=scratch)

    def judge(self, ended, mounts, out):
        ended.expect_order(0, 1, 3)
        if ended.code == 0 and not mounts:
            same = harness.run([self.compare, self.expected, out])
            harness.expect(same.code == 0, f"code 0, but other results\n{same.text}")


if __name__ == "__main__":
    harness.main(Space)
