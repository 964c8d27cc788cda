#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde campaign_server
import csv
import glob

import h5py
import numpy

import harness
import pde_oracle
import server

BACKENDS = ["auto", "native", "p2p", "shared", "rma"]


def formula(dice, names, depth=0):
    """Finite, of moderate size and slope, in Python's and the project's notation alike."""
    if depth > 2 or dice.random() < 0.25:
        return dice.choice([*names, *names, f"{dice.uniform(-3, 3):.4f}", "pi"])
    kind = dice.randrange(5)
    inner = [formula(dice, names, depth + 1) for _ in range(2)]
    if kind < 3:
        return f"({inner[0]}{'+-*'[kind]}{inner[1]})"
    return f"{dice.choice(['sin', 'cos', 'tanh'])}({inner[0]})"


class Numbers(harness.Campaign):
    """random decks of heat and wave, every number of every output compared with the same written in numpy"""
    rounds = 100
    tolerance = 1e-10  # of the largest value: rounding only, in another order

    def add_options(self, parser):
        server.add_option(parser)

    def prepare(self, options, scratch):
        self.options = options
        self.servers = server.Servers(scratch)
        self.pde = harness.program("pde")
        self.largest = 0.0

    def round(self, number, dice, scratch):
        solver = dice.choice(["heat", "wave"])
        field = {"heat": "temperature", "wave": "displacement"}[solver]
        dimension = dice.randint(1, 3)
        ranks = dice.choice([1, 2, 3, 4, 6, 8])
        extent = [dice.randint(max(1, 8 if a == 0 else 1), [200, 40, 14][dimension - 1]) for a in range(dimension)]
        length = [dice.choice([1.0, n * 0.1, dice.uniform(0.5, 5)]) for n in extent]
        origin = [dice.choice([0.0, dice.uniform(-2, 2)]) for _ in extent]
        periodic = [dice.random() < 0.3 for _ in extent]
        names = list("xyz"[:dimension])
        faces = {}
        for axis in range(dimension):
            for side in range(2):
                if not periodic[axis] and dice.random() < 0.6:
                    faces[axis, side] = (dice.choice(["dirichlet", "neumann"]), formula(dice, names + ["t"]))
        if dice.random() < 0.5:
            faces["all"] = (dice.choice(["dirichlet", "neumann"]), formula(dice, names))
        initial = {name: formula(dice, names) for name in ([field, "velocity"] if solver == "wave" else [field])}
        coefficient = dice.choice([1.0, dice.uniform(0.1, 4)])
        problem = pde_oracle.Problem(extent, length, origin, periodic, faces)
        inverse = sum(1 / h**2 for h in problem.spacing)
        stable = 1 / (2 * coefficient * inverse) if solver == "heat" else 1 / (coefficient * inverse**0.5)
        dt, steps = dice.uniform(0.1, 0.9) * stable, dice.randint(1, 40)
        every = dice.choice([1, 3, 10, 50])
        deck = self.deck(solver, field, problem, initial, coefficient, dt, steps, every, dice)
        (scratch / "deck.yaml").write_text(deck)
        out = scratch / "out"
        self.servers.run(ranks, [self.pde, scratch / "deck.yaml", f"output.directory={out}"], seconds=120, folder=scratch,
                         alone=dice.random() < self.options.alone).expect_order(0)
        states = getattr(pde_oracle, solver)(problem, initial, coefficient, dt, steps)
        self.compare_fields(deck, out, solver, field, states)
        self.compare_diagnostics(deck, out, field, states)
        return [solver, f"{dimension}-D", f"{ranks} ranks"]

    @staticmethod
    def deck(solver, field, problem, initial, coefficient, dt, steps, every, dice):
        faces = {"all" if face == "all" else f"{'xyz'[face[0]]}_{['low', 'high'][face[1]]}": value for face, value in problem.faces.items()}
        lines = [f"solver: {solver}", f"{solver}: {{{'diffusivity' if solver == 'heat' else 'speed'}: {coefficient!r}}}",
                 f"grid: {{extent: {problem.extent}, length: {problem.length}, origin: {problem.origin}, "
                 f"periodic: {str(problem.periodic).lower()}}}",
                 f"time: {{steps: {steps}, step: {dt!r}}}", "initial:"]
        lines += [f'  {name}: "{text}"' for name, text in initial.items()]
        if faces:
            lines += ["boundary:", f"  {field}:"] + [f'    {name}: {{{kind}: "{text}"}}' for name, (kind, text) in faces.items()]
        lines += [f"output: {{every: {every}, diagnostics: 1}}",
                  f"comm: {{overlap: {dice.choice(['true', 'false'])}, backend: {dice.choice(BACKENDS)}}}",
                  f"checks: {dice.choice(['none', 'halos'])}"]
        if dice.random() < 0.3:
            lines.append("mapping: {topology: 'node:2 core:4'}")
        return "\n".join(lines) + "\n"

    def close(self, found, expected, scale, what, deck):
        scale = max(scale, 1e-300)
        worst = float(numpy.max(numpy.abs(numpy.asarray(found) - expected))) / scale
        harness.expect(worst <= self.tolerance, f"{what} deviates by {worst:.3g} of {scale:.3g}\n{deck}")
        self.largest = max(self.largest, worst)

    def compare_fields(self, deck, out, solver, field, states):
        files = sorted(glob.glob(f"{out}/fields/{solver}_*.h5"))
        harness.expect(len(files) >= 2, f"only {len(files)} outputs\n{deck}")
        for path in files:
            with h5py.File(path) as file:
                step = int(file.attrs["step"])
                found = file[field][...].transpose()
            harness.expect(found.shape == states[step].shape, f"step {step} has the shape {found.shape}\n{deck}")
            scale = max(float(numpy.max(numpy.abs(state))) for state in states)
            self.close(found, states[step], scale, f"{field} at step {step}", deck)
        harness.expect(step == len(states) - 1, f"the last output is of step {step}\n{deck}")

    def compare_diagnostics(self, deck, out, field, states):
        with open(f"{out}/diagnostics.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        harness.expect(len(rows) == len(states), f"{len(rows)} rows of diagnostics for {len(states)} states\n{deck}")
        scale = max(float(numpy.max(numpy.abs(state))) for state in states)
        for row, state in zip(rows, states):
            values = {"minimum": state.min(), "maximum": state.max(), "mean": state.mean(), "l2": numpy.sqrt((state**2).mean())}
            columns = {key.lower(): float(value) for key, value in row.items() if field in key}
            for name, value in values.items():
                column = next((c for c in columns if name[:3] in c), None)
                harness.expect(column is not None, f"diagnostics.csv has no {name}: {list(row)}")
                self.close(columns[column], value, scale, f"{column} at step {row['step']}", deck)

    def closing(self):
        return {"largest deviation": self.largest, "tolerance": self.tolerance, **self.servers.close()}


if __name__ == "__main__":
    harness.main(Numbers)
