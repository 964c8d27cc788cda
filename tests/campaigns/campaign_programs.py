#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: campaign_programs
import harness


class Programs(harness.Campaign):
    """random programs of collectives, many under way at once, compared with a model; a round is 500 programs"""
    rounds = 20
    programs_of_a_round = 500

    def prepare(self, options, scratch):
        self.seed = options.seed
        self.program = harness.program("campaign_programs")

    def round(self, number, dice, scratch):
        ranks = dice.choice([1, 2, 3, 4, 6, 8])
        words = [*harness.MPIRUN, "-n", ranks, self.program, self.seed, number * self.programs_of_a_round, self.programs_of_a_round]
        ended = harness.run(words, seconds=300)
        harness.expect(ended.code == 0 and " 0 faults" in ended.text, f"{ranks} ranks, code {ended.code}:\n{ended.text[-3000:]}")
        return [f"rounds on {ranks} ranks"]

    def closing(self):
        return {"programs of a round": self.programs_of_a_round}


if __name__ == "__main__":
    harness.main(Programs)
