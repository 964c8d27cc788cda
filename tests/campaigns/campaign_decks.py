#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde campaign_server compare_results
import re

import harness
import server
from deck_grammar import Grammar, damage
from deck_words import garbage
from harness import expect

RANKS = [1] * 12 + [2, 2, 2, 3, 4, 6, 8]  # many share few cores: most decks are for one
# What only the numbers of all cells tell; some also a plan, whose cells are others than those of --check.
NO_SOLUTION = {"a flow of nothing": re.compile(r"error: the velocity is 0 everywhere"),
               "a coefficient that isn't positive": re.compile(r"error: the coefficient '.*' of a diffusion operator is "),
               "a linear system without a solution": re.compile(r"error: the linear system with the right side '.*' has no solution: ")}
# A plan doesn't know which collectives a solver calls, nor the numbers of all cells, so only the run refuses these.
ONLY_RUNS_REFUSE = {"an algorithm for other numbers of ranks": re.compile(r"error: comm\.\w+\.algorithm: .* (doesn't work for|is for) \d+ rank"),
                    "numbers that float32 doesn't hold": re.compile(r"error: '[\w.]+' can't be stored as float32 at step \d+: "),
                    "memory for fewer ranks": re.compile(r"error: \d+ bytes of shared memory are too few for \d+ ranks"),
                    "steps that are too long for the cells of all": re.compile(r"'time\.step' is \S+, but the largest stable one"),
                    **NO_SOLUTION}


class Decks(harness.Campaign):
    """random decks: checked, planned, and run where they pass; what --check accepts a run must not refuse"""
    rounds = 2000
    jobs = 2

    def add_options(self, parser):
        parser.add_argument("--run", type=float, default=1.0, help="share of the accepted decks that is run; default: all")
        parser.add_argument("--again", type=float, default=0.2,
                            help="share of these that is run on another number of ranks, too; default: 0.2")
        server.add_option(parser)

    def prepare(self, options, scratch):
        self.options = options
        self.pde, self.compare = harness.program("pde"), harness.program("compare_results")
        self.servers = server.Servers(scratch)
        schema = harness.run([self.pde, "--json-schema"]).expect_order(0).text
        self.grammars = [Grammar(schema, hostility) for hostility in (0.0, 0.0, 0.0, 0.01, 0.1, 0.4)]

    def round(self, number, dice, scratch):
        text = dice.choice(self.grammars).deck(dice)
        deck = scratch / "deck.yaml"
        damaged = dice.random() < 0.3
        deck.write_bytes(damage(dice, text) if damaged else text.encode())
        overrides = [f"{dice.choice(['grid.extent', 'time.steps', 'heat.diffusivity', 'solver', 'output', 'nonsense.key', 'time.'])}={garbage(dice)}"
                     ] if dice.random() < 0.1 else []
        attempt = Attempt(self, scratch, [self.pde, deck, *overrides], dice.random() < self.options.alone)
        checked = attempt.carry_out(1, "checked", "--check").expect_order(0, 1)
        kind = "damaged" if damaged else "written"
        if checked.code == 1:
            return [f"{kind} refused"]
        if dice.random() >= self.options.run:
            return [f"{kind} accepted"]
        ranks = dice.choice(RANKS)
        again = dice.choice([other for other in RANKS if other != ranks]) if dice.random() < self.options.again else None
        return [f"{kind} accepted", *attempt.run(ranks, again)]

    def closing(self):
        return self.servers.close()


class Attempt:
    """A deck that --check accepts."""

    def __init__(self, campaign, scratch, words, alone):
        self.campaign, self.scratch, self.words, self.alone = campaign, scratch, words, alone

    def carry_out(self, ranks, name, *options):
        words = [*self.words, f"output.directory={self.scratch / name}", *options]
        return self.campaign.servers.run(ranks, words, 120, folder=self.scratch, alone=self.alone)

    def hindrance(self, ranks):
        """Why it isn't run on so many ranks; a plan must say so."""
        planned = self.carry_out(1, "planned", "--dry-run", "-n", ranks).expect_order(0, 1, 2)
        if planned.code == 2:  # in the steps that it measures
            return "planned into a numerical failure"
        if refused := why_refused(planned, NO_SOLUTION):
            return refused
        if planned.code == 1:  # a deck may be sound, and still be nothing for so many ranks
            expect(ranks > 1 and f"{ranks} rank" in planned.text, "--check accepts, --dry-run refuses:\n" + planned.text)
            return "not for so many ranks"
        expect("together" in planned.text, "the plan is incomplete:\n" + planned.text)
        return "" if small(planned.text) else "too large to run"

    def run(self, ranks, again):
        """A run on `ranks`, and the same `again` on another number."""
        hindrance = self.hindrance(ranks)
        if hindrance:
            return [hindrance]
        ran = self.carry_out(ranks, "once")
        if refused := why_refused(ran, ONLY_RUNS_REFUSE):
            return [refused]
        ran.expect_order(0, 2, 4)
        words = [{0: "ran", 2: "ran into a numerical failure", 4: "stopped"}[ran.code]]
        if again is None or self.hindrance(again):
            return words
        repeated = self.carry_out(again, "again")
        if why_refused(repeated, ONLY_RUNS_REFUSE):
            return words
        code = repeated.expect_order(0, 2, 4).code
        expect(code == ran.code, f"code {ran.code} on {ranks} ranks, {code} on {again}")
        same = harness.run([self.campaign.compare, self.scratch / "once", self.scratch / "again"])
        same_bits = same.code == 0 or same.text.startswith("0 files")  # some decks want none
        expect(code != 0 or same_bits, f"other results on {ranks} ranks than on {again}:\n{same.text}")
        return [*words, "ran alike on another number of ranks"]


def why_refused(ended, reasons):
    """One of these; empty where that is not why it ended."""
    if ended.code != 1:
        return ""
    ended.expect_order(1)
    return next((why for why, message in reasons.items() if message.search(ended.text)), "")


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
