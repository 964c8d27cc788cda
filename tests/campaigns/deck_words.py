# SPDX-License-Identifier: Apache-2.0
"""What random decks are made of: numbers, words that YAML understands differently than their writers, and formulas."""

NUMBERS = ["0", "-0.0", "1", "2", "3", "7", "-1", "0.5", "1e-3", "1e-320", "1e308", "1e400", "nan", ".inf", "-.inf", "0x10", "0o7",
           "007", "1_000", "1.", ".5", "+4", "1e", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
           "18446744073709551616", "4294967296", "2147483648", "65536"]
WORDS = ["~", "null", "''", '""', "true", "no", "off", "heat", "wave", "auto", "none", "x", "[]", "{}", "[[]]", "[1, [2]]", "{a: b}",
         "&a 1", "*a", "!!str 5", "!!binary aGk=", "!!python/object:os.system x", "'it''s'", '"\\u0000"', '"\\x07"', "ä", "…", "%d%s%n",
         "${HOME}", "$(true)", "../..", "/", "|", ">-", "- 1", "<<", "<<: {a: 1}", "2026-11-22", "1:30", "@", "`", "a: b: c"]
DURATIONS = ["10s", "1h30m", "0s", "-1s", "5", "1d", "1e9h", "5 min", "s", "1h1h", "off"]
ALGORITHMS = ["ring", "recursive_multiplying(a2)", "recursive_multiplying(a0)", "recursive_multiplying(", "binomial", "tree(k3)", "none",
              "native", "ring()", "ring(1)", "pipeline(s4)", "a" * 300]
FUNCTIONS = ["sin", "cos", "exp"]
MORE_FUNCTIONS = ["sqrt", "abs", "tanh", "log", "atan", "sinh"]
NO_FUNCTIONS = ["atan2", "min", "max", "frobnicate"]  # of one number


def formula(dice, depth=0):
    """A formula, mostly sound."""
    kind = dice.random()
    if depth > 4 or kind < 0.35:
        return dice.choice(["x", "y", "z", "t", "pi", "lx", "ly", "1", "2.5", "0", "1e3", "q", ""] if dice.random() < 0.003
                           else ["x", "y", "x", "pi", "lx", "1", "2.5", "0.1"])
    if kind < 0.75:
        operator = dice.choices(["+", "-", "*", dice.choice(["/", "^", "<", "&&"]), "?"], [32, 32, 32, 3, 0.3])[0]
        return f"{formula(dice, depth + 1)}{operator}{formula(dice, depth + 1)}"
    if kind < 0.999:
        function = dice.choice(dice.choices([FUNCTIONS, MORE_FUNCTIONS, NO_FUNCTIONS], [90, 9.5, 0.5])[0])
        return f"{function}({formula(dice, depth + 1)})"
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
