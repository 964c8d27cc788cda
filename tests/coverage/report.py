#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of framework/ that ran, by floor, from gcovr's JSON; and those that did not, by file.

    report.py coverage.json [--uncovered FILE] [--json FILE]
"""
import argparse
import collections
import json
import pathlib

FLOORS = ("plan", "rt", "mapping", "comm", "grid", "linear")


def ranges(numbers):
    """[3, 4, 5, 9] is "3-5, 9"."""
    spans = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def files_of(report):
    """Path: (lines that could run, those that didn't)."""
    files = {}
    for entry in report["files"]:
        lines = {line["line_number"]: line["count"] for line in entry["lines"] if not line.get("gcovr/noncode")}
        files[entry["file"]] = (set(lines), {number for number, count in lines.items() if count == 0})
    return files


def by_floor(files):
    floors = collections.OrderedDict((floor, [0, 0]) for floor in FLOORS)
    for path, (lines, missing) in files.items():
        floor = pathlib.PurePath(path).parts[1]
        counts = floors.setdefault(floor, [0, 0])
        counts[0] += len(lines)
        counts[1] += len(lines) - len(missing)
    return floors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("report")
    parser.add_argument("--uncovered", help="where the lines that didn't run are listed, by file")
    parser.add_argument("--json", help="where the table goes, for programs")
    options = parser.parse_args()

    files = files_of(json.loads(pathlib.Path(options.report).read_text()))
    floors = by_floor(files)
    total = [sum(counts[i] for counts in floors.values()) for i in (0, 1)]
    print(f"{'framework/':<12}{'lines':>8}{'ran':>8}{'share':>10}")
    for floor, (lines, ran) in [*floors.items(), ("all", total)]:
        print(f"{floor:<12}{lines:>8}{ran:>8}{f'{100 * ran / lines:.1f} %' if lines else '-':>10}")

    listed = [f"{path} ({len(missing)} of {len(lines)}): {ranges(missing)}" for path, (lines, missing) in sorted(files.items()) if missing]
    if options.uncovered:
        pathlib.Path(options.uncovered).write_text("".join(line + "\n" for line in listed))
    if options.json:
        table = {floor: {"lines": lines, "ran": ran} for floor, (lines, ran) in [*floors.items(), ("all", total)]}
        pathlib.Path(options.json).write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
