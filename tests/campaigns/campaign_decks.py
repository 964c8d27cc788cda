#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde campaign_server
import harness
import server
from deck_grammar import Grammar, damage, garbage


class Decks(harness.Campaign):
    """random decks: checked, planned, and run where they pass; what --check accepts a run must not refuse"""
    rounds = 2000
    jobs = 2

    def add_options(self, parser):
        parser.add_argument("--run", type=float, default=1.0, help="share of the accepted decks that is run; default: all")
        server.add_option(parser)

    def prepare(self, options, scratch):
        self.options = options
        self.pde = harness.program("pde")
        self.servers = server.Servers(scratch)
        schema = harness.run([self.pde, "--json-schema"]).expect_order(0).text
        self.grammars = [Grammar(schema, hostility) for hostility in (0.0, 0.01, 0.1, 0.4)]

    def round(self, number, dice, scratch):
        text = dice.choice(self.grammars).deck(dice)
        deck = scratch / "deck.yaml"
        damaged = dice.random() < 0.3
        deck.write_bytes(damage(dice, text) if damaged else text.encode())
        overrides = [f"{dice.choice(['grid.extent', 'time.steps', 'heat.diffusivity', 'output', 'nonsense.key', 'time.'])}={garbage(dice)}"
                     ] if dice.random() < 0.1 else []
        words = [self.pde, deck, *overrides, f"output.directory={scratch / 'out'}"]
        alone = dice.random() < self.options.alone

        def run(ranks, *more, seconds=60):
            return self.servers.run(ranks, [*words, *more], seconds, folder=scratch, alone=alone)

        checked = run(1, "--check").expect_order(0, 1)
        kind = "damaged" if damaged else "written"
        if checked.code == 1:
            return [f"{kind} refused"]
        if dice.random() >= self.options.run:
            return [f"{kind} accepted"]
        return [f"{kind} accepted", self.run_it(run, dice)]

    @staticmethod
    def run_it(run, dice):
        ranks = dice.choice([1, 1, 2, 3])
        planned = run(1, "--dry-run", "-n", ranks).expect_order(0, 1)
        if planned.code == 1:  # a deck may be sound, and still be nothing for so many ranks
            harness.expect(ranks > 1 and f"{ranks} rank" in planned.text, "--check accepts, --dry-run refuses:\n" + planned.text)
            return "not for so many ranks"
        harness.expect("together" in planned.text, "the plan is incomplete:\n" + planned.text)
        if not small(planned.text):
            return "too large to run"
        ran = run(ranks, seconds=120).expect_order(0, 2, 4)
        return {0: "ran", 2: "ran into a numerical failure", 4: "stopped"}[ran.code]

    def closing(self):
        return self.servers.close()


def small(plan):
    """Whether a run by this plan ends within seconds."""
    for line in plan.splitlines():
        words = line.split()
        if words[:1] == ["grid"]:
            cells = 1
            for extent in " ".join(words[1:]).replace("cells", "").split(" x "):
                cells *= int(extent.split()[0])
            if cells > 100000:
                return False
        if words[:2] == ["time", "step"]:
            steps = [int(words[i - 1].replace(",", "")) for i, word in enumerate(words) if word.startswith("step") and i > 1 and words[i - 1].isdigit()]
            if not steps or max(steps) > 200:
                return False
    return True


if __name__ == "__main__":
    harness.main(Decks)
