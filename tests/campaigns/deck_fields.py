# SPDX-License-Identifier: Apache-2.0
"""The solvers of pde, and data of their fields as decks give them: mostly such as a run gets on with."""
from deck_words import formula
from harness import expect

# By the names of fields and of their parts.
ABOVE_ZERO = ["density", "pressure", "coefficient"]
CELLS = ["solid", "alive"]


def quoted_formula(dice, name):
    """One that suits the numbers of this name."""
    if name in ABOVE_ZERO:
        return f'"1.5+0.4*sin({formula(dice)})"'
    return f'"{"sin(" + formula(dice) + ")>0.5" if name in CELLS else formula(dice)}"'


class Field:
    """Its parts are components, or vectors (velocity[]) with one for each axis; none: it is a number."""

    def __init__(self, name, *parts):
        self.name = name
        self.parts = [part.removesuffix("[]") for part in parts]
        self.vectors = [part.removesuffix("[]") for part in parts if part.endswith("[]")]

    def is_positive(self):
        return any(part in ABOVE_ZERO for part in self.parts or [self.name])

    def part(self, dice, dimension, part):
        if part in self.vectors and dice.random() < 0.7:
            return "[" + ", ".join(quoted_formula(dice, part) for _ in range(dimension)) + "]"
        return quoted_formula(dice, part)

    def formulas(self, dice, dimension):
        """By the names of components, as a list of all, or one for all."""
        if not self.parts:
            return quoted_formula(dice, self.name)
        form = dice.random()
        if form < 0.6:
            return "{" + ", ".join(f"{part}: {self.part(dice, dimension, part)}" for part in self.parts) + "}"
        if form < 0.8:
            names = [name for part in self.parts for name in [part] * (dimension if part in self.vectors else 1)]
            return "[" + ", ".join(quoted_formula(dice, name) for name in names) + "]"
        return quoted_formula(dice, "density" if self.is_positive() else self.name)

    def initial(self, dice, dimension):
        if dice.random() < 0.6:
            return self.formulas(dice, dimension)
        sound = ["{constant: {value: 3}}", "{random: {low: 1, high: 2, seed: 3}}"]
        return dice.choice(sound if self.is_positive() else [*sound, "zero", "gaussian", "random", "sine", "box"])

    def condition(self, dice, dimension):
        """Of a face: for the whole field, for each part of it, or for parts of the face."""
        form = dice.random()
        if form < 0.1:
            return (f'[{{where: "{formula(dice)}", {self.kind(dice, dimension)}}}, '
                    f"{{{self.kind(dice, dimension)}}}]")
        if form < 0.4 and self.parts:
            return "{" + ", ".join(f"{part}: {self.condition_of_part(dice, part)}" for part in self.parts) + "}"
        if form < 0.6:
            return dice.choice(["outflow", "slip", "no_slip"] if self.vectors else ["outflow"])
        return f"{{{self.kind(dice, dimension)}}}"

    def kind(self, dice, dimension):
        kind = dice.choice(["dirichlet", "neumann", "inflow", "robin"])
        values = self.formulas(dice, dimension)
        return f"robin: {{coefficient: {dice.choice([0, 1, 2.5])}, value: {values}}}" if kind == "robin" else f"{kind}: {values}"

    @staticmethod
    def condition_of_part(dice, part):
        return dice.choice(["outflow", f"{{dirichlet: {quoted_formula(dice, part)}}}", "{neumann: 0}",
                            f"{{inflow: {quoted_formula(dice, part)}}}"])


class Solver:
    """What decks of it are like. The first field is in the output; `needs`: those that can't be 0 everywhere."""

    def __init__(self, fields, least_dimension=1, least_extent=1, needs=(), iterates=False, wants_step=False, stretches=True):
        self.fields = {field.name: field for field in fields}
        self.least_dimension, self.least_extent = least_dimension, least_extent
        self.needs = needs
        self.iterates = iterates      # there is no time
        self.wants_step = wants_step  # knows no largest stable one
        self.stretches = stretches    # else its cells are equal


SOLVERS = {
    "advection": Solver([Field("tracer"), Field("velocity", "velocity[]")], least_extent=2, needs=["velocity"]),
    "euler": Solver([Field("gas", "density", "velocity[]", "pressure")], least_extent=2, needs=["gas"]),
    "gray_scott": Solver([Field("concentration", "u", "v")]),
    "heat": Solver([Field("temperature")]),
    "lattice_boltzmann": Solver([Field("flow", "density", "velocity[]"), Field("solid"), Field("vorticity")],
                                least_dimension=2, needs=["flow"], stretches=False),
    "life": Solver([Field("alive")], least_dimension=2, wants_step=True, stretches=False),
    "navier_stokes": Solver([Field("velocity_x"), Field("velocity_y"), Field("velocity_z"), Field("pressure"), Field("solid"),
                             Field("vorticity")], least_dimension=2),
    "poisson": Solver([Field("potential"), Field("source"), Field("coefficient")], iterates=True),
    "porous_medium": Solver([Field("density")], wants_step=True),
    "wave": Solver([Field("displacement"), Field("velocity")]),
}


def require_all_of(schema):
    """A solver or a field that is new in the program belongs into the table."""
    expect(set(SOLVERS) == set(schema["properties"]["solver"]["enum"]), "deck_fields.py knows other solvers than the program")
    fields = {name for solver in SOLVERS.values() for name in solver.fields}
    expect(fields == set(schema["properties"]["initial"]["properties"]), "deck_fields.py knows other fields than the program")
