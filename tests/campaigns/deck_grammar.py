# SPDX-License-Identifier: Apache-2.0
"""Random decks from a program's own JSON schema: every key that there is, with values that fit, nearly fit, or are
something else altogether; and texts that YAML understands differently than their writers."""
import json

NUMBERS = ["0", "-0.0", "1", "2", "3", "7", "-1", "0.5", "1e-3", "1e-320", "1e308", "1e400", "nan", ".inf", "-.inf", "0x10", "0o7",
           "007", "1_000", "1.", ".5", "+4", "1e", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
           "18446744073709551616", "4294967296", "2147483648", "65536"]
WORDS = ["~", "null", "''", '""', "true", "no", "off", "heat", "wave", "auto", "none", "x", "[]", "{}", "[[]]", "[1, [2]]", "{a: b}",
         "&a 1", "*a", "!!str 5", "!!binary aGk=", "!!python/object:os.system x", "'it''s'", '"\\u0000"', '"\\x07"', "ä", "…", "%d%s%n",
         "${HOME}", "$(true)", "../..", "/", "|", ">-", "- 1", "<<", "<<: {a: 1}", "2026-11-22", "1:30", "@", "`", "a: b: c"]
DURATIONS = ["10s", "1h30m", "0s", "-1s", "5", "1d", "1e9h", "5 min", "s", "1h1h", "off"]
ALGORITHMS = ["ring", "recursive_multiplying(a2)", "recursive_multiplying(a0)", "recursive_multiplying(", "binomial", "tree(k3)", "none",
              "native", "ring()", "ring(1)", "pipeline(s4)", "a" * 300]
FUNCTIONS = ["sin", "cos", "exp", "sqrt", "abs", "atan2", "tanh", "log", "min", "max", "frobnicate"]


def formula(dice, depth=0):
    """A formula, mostly sound."""
    kind = dice.random()
    if depth > 4 or kind < 0.35:
        return dice.choice(["x", "y", "z", "t", "pi", "lx", "ly", "1", "2.5", "0", "1e3", "q", ""] if dice.random() < 0.01
                           else ["x", "y", "x", "pi", "lx", "1", "2.5", "0.1"])
    if kind < 0.75:
        operator = dice.choice(["+", "-", "*", "/", "^", "<", "&&", "?"] if dice.random() < 0.03 else ["+", "-", "*"])
        return f"{formula(dice, depth + 1)}{operator}{formula(dice, depth + 1)}"
    if kind < 0.995:
        return f"{dice.choice(FUNCTIONS if dice.random() < 0.1 else FUNCTIONS[:3])}({formula(dice, depth + 1)})"
    return f"({formula(dice, depth + 1)}"  # a bracket is missing


def garbage(dice):
    kind = dice.random()
    if kind < 0.4:
        return dice.choice(NUMBERS)
    if kind < 0.8:
        return dice.choice(WORDS)
    if kind < 0.9:
        return dice.choice(DURATIONS + ALGORITHMS)
    return '"' + formula(dice) + '"'


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
FIELDS = {"heat": ["temperature"], "wave": ["displacement", "velocity"]}


class Grammar:
    """`hostility`: the share of values that are garbage. At 0 nearly all decks are sound."""

    def __init__(self, schema_text, hostility):
        self.schema = json.loads(schema_text)
        self.hostility = hostility

    def deck(self, dice):
        solver = dice.choice(["heat", "wave"])
        share = dice.choice([0.15, 0.4, 0.8])
        dimension = dice.randint(1, 3)
        text = self.section(dice, self.schema, Place((), solver, dimension), share)
        if self.hostility == 0 or dice.random() < 0.75:  # most decks have what every deck needs
            needed = {"solver": f"solver: {solver}", "grid": self.small_grid(dice, dimension), "time": f"time: {{steps: {dice.choice([1, 2, 2, 3, 7])}}}"}
            for key, line in needed.items():
                text = without(text, key) + line + "\n"
        return text

    @staticmethod
    def small_grid(dice, dimension):
        extent = [dice.choice([1, 2, 3, 5, 8, 13, 17]) for _ in range(dimension)]
        more = ""
        if dice.random() < 0.3:
            more += f", periodic: {[dice.random() < 0.5 for _ in range(dimension)]}".lower()
        if dice.random() < 0.3:
            more += f", length: {[dice.choice([1.0, 0.1, 100, 1e-3, 1e6]) for _ in range(dimension)]}"
        if dice.random() < 0.2:
            more += f", origin: {[dice.choice([0, -1, 1e3]) for _ in range(dimension)]}"
        return f"grid: {{extent: {extent}{more}}}"

    def section(self, dice, node, place, share):
        lines = []
        indent = "  " * len(place.path)
        keys = [key for key in node.get("properties", {}) if place.fits(key) or dice.random() < self.hostility]
        dice.shuffle(keys)
        for key in keys:
            if dice.random() > share and key not in node.get("required", []):
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
            length = place.dimension if dice.random() > self.hostility else dice.randint(0, 4)
            return "[" + ", ".join(self.value(dice, node.get("items", {}), place) for _ in range(length)) + "]"
        if kind == "boolean":
            return dice.choice(["true", "false"])
        if kind == "integer":
            return str(dice.choice([1, 2, 3, 5] + [0] * (self.hostility > 0)))
        if kind == "number":
            return dice.choice(["1", "0.5", "2e-3", "0.9", "1.0"])
        return dice.choice(["out", "words"])

    def special(self, dice, place):
        """What fits a key whose type alone doesn't tell."""
        section, key = place.path[0], place.path[-1]
        if section in ("initial", "exact"):
            named = ["zero", "{constant: 3}", "gaussian", "random", "{random: {low: 1, high: 2, seed: 3}}", "sine", "box"]
            return dice.choice(named) if section == "initial" and dice.random() < 0.5 else f'"{formula(dice)}"'
        if section == "boundary":
            return f'{{{dice.choice(["dirichlet", "neumann"])}: "{formula(dice)}"}}'
        if key == "algorithm" and place.path[-2] in SCHEDULES:
            return dice.choice(['""', *SCHEDULES[place.path[-2]]])
        known = {"time_limit": ["10s", "5min"], "wall_time": ["1h30m", "10min"],
                 "silence": ["60s", "off"], "backend": ["auto", "native", "p2p", "shared", "rma"], "topology": ['""', "node:2 core:2", "node:1 core:3", "node:4 core:1"],
                 "slice": ['""', "z=0.0005", "x=0.0002"] if place.dimension == 3 else ['""'], "range": ["[0, 1]"], "process_grid": ["[]"], "directory": ["out/a"],
                 "fields": ["[]", f"[{FIELDS[place.solver][0]}]", str(FIELDS[place.solver][::-1])], "checksum": ['""']}
        return dice.choice(known[key]) if key in known else None


class Place:
    """Where in the deck a value stands, and what the deck is about."""

    def __init__(self, path, solver, dimension):
        self.path, self.solver, self.dimension = path, solver, dimension

    def below(self, key):
        return Place((*self.path, key), self.solver, self.dimension)

    def is_value(self):
        """Some values may also be written as sections: here they are written in one line."""
        return self.path[0] in ("initial", "exact", "boundary") and len(self.path) == (3 if self.path[0] == "boundary" else 2)

    def fits(self, key):
        """Whether the key may stand here in a deck of this solver and dimension."""
        if not self.path:
            return key == self.solver or key not in FIELDS
        if self.path[0] in ("initial", "exact") or self.path == ("boundary",):
            return key in FIELDS[self.solver]
        if self.path[0] == "boundary" and len(self.path) == 2:
            return key == "all" or "xyz".index(key[0]) < self.dimension
        return True


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
