#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: campaign_programs
import re

import harness


class Programs(harness.Campaign):
    """random programs of collectives, many under way at once, compared with a model; a round is 500 programs"""
    rounds = 20

    def add_options(self, parser):
        parser.add_argument("--nodes", nargs="+", metavar="LAYOUT", help="on several nodes of this machine: 2x1 2x2 3x2 3+1")
        parser.add_argument("--programs", type=int, default=500, help="of a round; default: 500")

    def prepare(self, options, scratch):
        self.options = options
        self.program = harness.program("campaign_programs")
        self.hindrance = harness.nodes_hindrance() if options.nodes else ""

    def start(self, dice):
        """The words that start ranks, and where they are."""
        if not self.options.nodes:
            ranks = dice.choice([1, 2, 3, 4, 6, 8])
            return [*harness.MPIRUN, "-n", ranks], f"{ranks} ranks"
        layout = dice.choice(self.options.nodes)
        place = dice.choice(harness.PLACES)
        return harness.start_on_nodes(layout, place), f"nodes {layout} by {place}"

    def round(self, number, dice, scratch):
        if self.hindrance:
            return "not tried: no nodes can be made here"
        start, where = self.start(dice)
        count = self.options.programs
        ended = harness.run([*start, self.program, self.options.seed, number * count, count], seconds=120 + count * 0.36)
        harness.expect(ended.code == 0 and re.search(rf"^{count} programs on .* 0 faults", ended.text, re.M),
                       f"{where}, code {ended.code}:\n{ended.text[-3000:]}")
        return [f"rounds on {where}"]

    def closing(self):
        return {"programs of a round": self.options.programs}


if __name__ == "__main__":
    harness.main(Programs)
