# SPDX-License-Identifier: Apache-2.0
"""Random decks from a program's own JSON schema: every key that there is, with values that fit, nearly fit, or are
something else altogether; and texts that YAML understands differently than their writers."""
import json

from deck_fields import SOLVERS, require_all_of
from deck_words import NUMBERS, WORDS, formula, garbage

# Of each collective, for one rank and for more.
SCHEDULES = {"barrier": ["dissemination(2)", "hierarchical(2)"],
             "broadcast": ["linear", "binomial_high_bit_first", "k_nomial(3)", "k_ary(2)", "chain(4)", "scatter_allgather"],
             "reduce": ["binomial", "n_way_binomial(3)", "butterfly", "ring", "pipeline(3)"],
             "allreduce": ["fan_in_fan_out", "star", "recursive_doubling", "elimination", "rabenseifner", "ring", "hierarchical(2)"],
             "scan": ["linear", "recursive_doubling"], "exscan": ["linear", "recursive_doubling"],
             "reduce_scatter": ["recursive_halving", "ring", "pairwise", "direct"],
             "gather": ["linear", "recursive_splitting", "n_way_binomial(2)"],
             "scatter": ["linear", "recursive_splitting", "n_way_binomial(2)"],
             "allgather": ["ring", "direct", "recursive_doubling", "bruck(2)", "dissemination", "sparbit"],
             "alltoall": ["pairwise", "linear", "bruck"]}
# Of keys whose type alone doesn't tell what fits them.
FITTING = {"time_limit": ["10s", "5min"], "wall_time": ["1h30m", "10min"], "silence": ["60s", "off"], "latency": ["1us", "0s"],
           "backend": ["auto", "native", "p2p", "shared", "rma"], "topology": ['""', "node:2 core:2", "node:1 core:3", "node:4 core:1"],
           "range": ["[0, 1]"], "process_grid": ["[]"], "directory": ["out/a"], "fuse": ["auto", "1", "2", "4"], "limit": ["3", "50", "1000"],
           "palette": ["[]", "[[0, 0, 0, 1], [1, 1, 0, 0]]"], "opacity": ["[]", "[[0, 0], [1, 0.5]]"], "size": ["[32, 24]"],
           "compositing": ["auto", "binary_swap", "direct_send"], "formula": ["1+x*x", '"x<0.3 ? 10 : 1"']}


class Grammar:
    """`hostility`: the share of values that are garbage. At 0 nearly all decks are sound."""

    def __init__(self, schema_text, hostility):
        self.schema = json.loads(schema_text)
        self.hostility = hostility
        require_all_of(self.schema)

    def deck(self, dice):
        solver = dice.choice(list(SOLVERS))
        share = dice.choice([0.15, 0.4, 0.8])
        dimension = dice.randint(SOLVERS[solver].least_dimension if dice.random() >= self.hostility else 1, 3)
        periodic = [dice.random() < 0.15 for _ in range(dimension)]
        text = self.section(dice, self.schema, Place((), solver, periodic), share)
        if self.hostility == 0 or dice.random() < 0.75:  # most decks have what every deck needs
            may_stretch = SOLVERS[solver].stretches and "render:" not in text
            needed = {"solver": f"solver: {solver}", "grid": small_grid(dice, SOLVERS[solver], periodic, may_stretch)}
            if SOLVERS[solver].iterates:
                needed["iteration"] = few_iterations(dice)
            else:
                needed["time"] = few_steps(dice, SOLVERS[solver].wants_step or "crank_nicolson" in text)
            for key, line in needed.items():
                text = without(text, key) + line + "\n"
        return text

    def section(self, dice, node, place, share):
        lines = []
        indent = "  " * len(place.path)
        keys = [key for key in node.get("properties", {}) if place.fits(key) or dice.random() < self.hostility]
        dice.shuffle(keys)
        for key in keys:
            if dice.random() > share and key not in node.get("required", []) and not (place.needs(key) and dice.random() < 0.9):
                continue
            key_text = key
            if dice.random() < self.hostility / 4:
                key_text = dice.choice([key.upper(), key + "s", key[:-1], "", "? " + key, f'"{key}"'])
            inner = node["properties"][key]
            if "properties" in inner and not place.below(key).is_value() and dice.random() >= self.hostility:
                body = self.section(dice, inner, place.below(key), share)
                lines.append(f"{indent}{key_text}:\n{body}" if body else f"{indent}{key_text}: {{}}\n")
            else:
                lines.append(f"{indent}{key_text}: {self.value(dice, inner, place.below(key))}\n")
            if dice.random() < self.hostility / 8:
                lines.append(lines[-1])  # the key twice
        return "".join(lines)

    def value(self, dice, node, place):
        if dice.random() < self.hostility:
            return garbage(dice)
        special = self.special(dice, place)
        if special is not None:
            return special
        if "enum" in node:
            return dice.choice([str(word) for word in node["enum"]])
        kinds = node.get("type", "string")
        kinds = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
        kind = dice.choice(kinds)
        if kind == "array":
            length = node["maxItems"] if "maxItems" in node and node.get("minItems") == node["maxItems"] else place.dimension
            length = length if dice.random() > self.hostility else dice.randint(0, 4)
            return "[" + ", ".join(self.value(dice, node.get("items", {}), place) for _ in range(length)) + "]"
        if kind == "boolean":
            return dice.choice(["true", "false"])
        if kind == "integer":
            return dice.choice(within(node, ["1", "2", "3", "5"]) + ["0"] * (self.hostility > 0))
        if kind == "number":
            return dice.choice(within(node, ["1", "0.5", "2e-3", "0.9", "1.0", "1.4", "20"]))
        return dice.choice(["out", "words"])

    def special(self, dice, place):
        """What fits a key whose type alone doesn't tell."""
        section, key = place.path[0], place.path[-1]
        if section in ("initial", "boundary", "exact") and len(place.path) > 1:
            return self.data_of_field(dice, place)
        if place.path[:2] == ("grid", "coordinates"):
            return coordinate(dice, key)
        if key == "algorithm" and place.path[-2] in SCHEDULES:
            return dice.choice(['""', *SCHEDULES[place.path[-2]]])
        return dice.choice(place.fitting()[key]) if key in place.fitting() else None

    @staticmethod
    def data_of_field(dice, place):
        field = place.about.fields.get(place.path[1])
        if field is None:  # of another solver
            return f'"{formula(dice)}"'
        if place.path[0] == "boundary":
            return field.condition(dice, place.dimension)
        return field.initial(dice, place.dimension) if place.path[0] == "initial" else field.formulas(dice, place.dimension)


def within(node, numbers):
    """Those that a schema's limits let through."""
    least, most = node.get("minimum", float("-inf")), node.get("maximum", float("inf"))
    above, below = node.get("exclusiveMinimum", float("-inf")), node.get("exclusiveMaximum", float("inf"))
    found = [text for text in numbers if least <= float(text) <= most and above < float(text) < below]
    return found or [str(int(least) if least == int(least) else least)]


def coordinate(dice, axis):
    """Edges that rise from end to end."""
    return dice.choice([f'"{axis}"', f'"{axis} + 0.1*l{axis}*sin(2*pi*{axis}/l{axis})"', f'"{axis}*(1 + {axis}/l{axis})/2"'])


def small_grid(dice, solver, periodic, may_stretch):
    dimension = len(periodic)
    extent = [max(solver.least_extent, dice.choice([1, 2, 3, 5, 8, 13, 17])) for _ in range(dimension)]
    more = ""
    if any(periodic):
        more += f", periodic: {periodic}".lower()
    if dice.random() < 0.3 and solver.stretches:
        more += f", length: {[dice.choice([1.0, 0.1, 100, 1e-3, 1e6]) for _ in range(dimension)]}"
    if dice.random() < 0.2:
        more += f", origin: {[dice.choice([0, -1, 1e3]) for _ in range(dimension)]}"
    elif dice.random() < 0.2 and may_stretch:
        axis = dice.choice("xyz"[:dimension])
        more += f", coordinates: {{{axis}: {coordinate(dice, axis)}}}"
    if dice.random() < 0.1:
        more += f', weights: {{formula: {dice.choice(FITTING["formula"])}, least: {dice.choice([1, 2, 4])}}}'
    if dice.random() < 0.1:
        more += f", balance: {dice.choice(['watch', 'arrivals'])}"
    return f"grid: {{extent: {extent}{more}}}"


def few_iterations(dice):
    return f"iteration: {{limit: {dice.choice([1, 5, 50, 500])}, tolerance: {dice.choice(['1e-8', '1e-3', '1'])}}}"


def few_steps(dice, need_length):
    step = f", step: {dice.choice(['1e-6', '1e-3', '0.1', '3'])}" if need_length or dice.random() < 0.05 else ""
    return f"time: {{steps: {dice.choice([1, 2, 2, 3, 7])}{step}}}"


class Place:
    """Where in the deck a value stands, and what the deck is about."""

    def __init__(self, path, solver, periodic):
        self.path, self.solver, self.periodic = path, solver, periodic
        self.about, self.dimension = SOLVERS[solver], len(periodic)

    def below(self, key):
        return Place((*self.path, key), self.solver, self.periodic)

    def is_value(self):
        """Some values may also be written as sections: here they are written in one line."""
        return (self.path[0] in ("initial", "exact", "boundary") and len(self.path) == (3 if self.path[0] == "boundary" else 2)
                or self.path[:2] == ("grid", "coordinates") and len(self.path) == 3)

    def fits(self, key):
        """Whether the key may stand here in a deck of this solver and dimension."""
        if not self.path:
            return key == self.solver or key not in SOLVERS and (key != "time" or not self.about.iterates)
        if self.path[0] in ("initial", "exact") or self.path == ("boundary",):
            return key in self.about.fields
        if self.path[0] == "boundary" and len(self.path) == 2:
            return key == "all" or "xyz".index(key[0]) < self.dimension and not self.periodic["xyz".index(key[0])]
        if self.path[:2] in (("grid", "coordinates"), ("grid", "weights")):
            return key in ("formula", "least", *"xyz"[:self.dimension])
        if self.path == ("grid",):
            return key != "coordinates" or self.about.stretches
        if self.path == ("output",):
            return (key != "render" or self.dimension == 3) and (key != "interval" or not self.about.iterates)
        if self.path == ("comm",):
            return key != "links"  # delays are for two of the backends
        return self.path != ("output", "pictures") or key != "interval" or not self.about.iterates

    def needs(self, key):
        """Whether little comes of a deck without this key."""
        if not self.path:
            return key == "initial" and bool(self.about.needs)
        return self.path == ("initial",) and key in self.about.needs or self.path == ("output", "render") and key == "field"

    def fitting(self):
        first = next(iter(self.about.fields.values()))
        parts = [f"{first.name}.{part}" for part in first.parts]
        vectors = [f"{first.name}.{part}" for part in first.vectors]
        slices = ['""', "z=0.0005", "x=0.0002"] if self.dimension == 3 else ['""']
        return {**FITTING, "slice": slices, "fields": ["[]", f"[{first.name}]", *[f"[{part}]" for part in parts]],
                "field": parts or [first.name], "vectors": ['""', *vectors]}


def without(text, key):
    """The deck without one section or key of the top level."""
    kept, dropping = [], False
    for line in text.splitlines(keepends=True):
        if line[:1] not in (" ", "\n"):
            dropping = line.startswith(key + ":")
        if not dropping:
            kept.append(line)
    return "".join(kept)


def damage(dice, text):
    """Bytes that editors, wrong encodings and hurried hands make of a deck."""
    data = bytearray(text.encode())
    for _ in range(dice.choice([1, 1, 2, 5, 20])):
        where = dice.randrange(len(data) + 1)
        kind = dice.randrange(9)
        if kind == 0:
            data[where:where] = bytes([dice.randrange(256)])
        elif kind == 1:
            del data[where:where + dice.choice([1, 1, 5, 50])]
        elif kind == 2:
            data[where:where] = dice.choice([b"\t", b"\0", b"\r\n", b"\xff", b"\xef\xbb\xbf", b"---\n", b"...\n", b"#", b"\xe2\x80\xa8"])
        elif kind == 3 and where < len(data):
            data[where] ^= 1 << dice.randrange(8)
        elif kind == 4:
            data[where:where] = data[max(0, where - 40):where]
        elif kind == 5:
            data[where:where] = dice.choice([b"[", b"{", b"- ", b": "]) * dice.choice([1, 3, 200, 5000])
        elif kind == 6:
            data[where:where] = dice.choice(NUMBERS + WORDS).encode()
        elif kind == 7:
            data = data.replace(b"\n", b"\r\n")
        else:
            data[where:where] = b"a" * dice.choice([100, 10000])
    return bytes(data)
