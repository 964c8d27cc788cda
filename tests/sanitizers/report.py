#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a run of the tests under a sanitizer found, and what it did not reach, by name and with the reason.

    report.py pattern address|thread        a regular expression of the tests that are left out
    report.py summary address|thread FOLDER tests.xml (CTest's record), all.json (all tests) and report.* in FOLDER
"""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

LIST = pathlib.Path(__file__).with_name("left_out")
SKIPPED_CASE = re.compile(r"^\[  SKIPPED \] (\S+)(?: \(\d+ ms\))?$", re.M)


def left_out(kind):
    """Regular expression: reason, from lines "KINDS  EXPRESSION  REASON"."""
    rules = {}
    for line in LIST.read_text().splitlines():
        if line and not line.startswith("#"):
            kinds, expression, reason = line.split(maxsplit=2)
            if kind in kinds.split(","):
                re.compile(expression)
                rules[expression] = reason
    return rules


def numberless(name):
    """comm_mpi.ranks_3 and comm_mpi.ranks_8 are listed together."""
    return re.sub(r"\.(ranks_)?\w+$", ".*", name) if "." in name else name


def grouped(names):
    groups = collections.Counter(numberless(name) for name in names)
    alone = {numberless(name): name for name in names}
    return ", ".join(f"{group} ({count})" if count > 1 else alone[group] for group, count in groups.items())


class Run:
    """The record of one run of CTest. limits: each test's seconds."""

    def __init__(self, folder, limits):
        self.passed, self.failed, self.skipped, self.cases = [], {}, collections.defaultdict(list), collections.defaultdict(list)
        for case in xml.etree.ElementTree.parse(folder / "tests.xml").iter("testcase"):
            name, output = case.get("name"), case.findtext("system-out") or ""
            failure, skipped = case.find("failure"), case.find("skipped")
            if failure is not None:
                ended = float(case.get("time", 0)) < limits.get(name, float("inf"))
                self.failed[name] = "failed" if ended else "not at its end after its limit of time"
            elif skipped is not None or case.get("status") in ("notrun", "disabled"):
                said = [line for line in output.splitlines() if re.search("skip", line, re.I)]
                message = skipped.get("message", "") if skipped is not None else ""
                self.skipped[said[-1] if said else message or "not run"].append(name)
            else:
                self.passed.append(name)
                for passed_over in sorted(set(SKIPPED_CASE.findall(output))):
                    self.cases[passed_over].append(name)
                for line in re.findall(r"^not reached here: (.*)$", output, re.M):
                    self.cases[line].append(name)

    def names(self):
        return {*self.passed, *self.failed, *(name for names in self.skipped.values() for name in names)}


def reports(folder):
    """First line that tells what, of each report: how often."""
    found = collections.Counter()
    for path in sorted(folder.glob("report.*")):
        text = path.read_text(errors="replace")
        told = re.search(r"^SUMMARY: .*$|^.*runtime error: .*$|^.*(?:ERROR|WARNING): .*$", text, re.M)
        found[re.sub(r"^SUMMARY: ", "", told.group()) if told else text[:200].strip()] += 1
    return found


def summary(kind, folder):
    limits = {test["name"]: {entry["name"]: entry["value"] for entry in test["properties"]}.get("TIMEOUT", 1500)
              for test in json.loads((folder / "all.json").read_text())["tests"]}
    every = list(limits)
    run, found = Run(folder, limits), reports(folder)
    rules = left_out(kind)
    print(f"\n{kind} sanitizer: {len(run.passed)} of {len(every)} tests passed, {len(run.failed)} failed, "
          f"{sum(found.values())} reports")
    for name, reason in run.failed.items():
        print(f"  failed: {name} ({reason})")
    for text, times in found.most_common():
        print(f"  reported {times} x: {text}")
    if found:
        print(f"  the reports are in {folder}")

    print("not reached:")
    rest = [name for name in every if name not in run.names()]
    for expression, reason in rules.items():
        names = [name for name in rest if re.search(expression, name)]
        rest = [name for name in rest if name not in names]
        if names:
            print(f"  left out: {grouped(names)}: {reason}")
    for reason, names in run.skipped.items():
        print(f"  not run: {grouped(names)}: {reason}")
    for case, names in run.cases.items():
        print(f"  passed over: {case}, by {grouped(names)}")
    if rest:
        print(f"  not asked for: {grouped(rest)}")
    return 1 if found or run.failed else 0


def main():
    what, kind = sys.argv[1:3]
    if what == "pattern":
        print("|".join(left_out(kind)) or "^$")
        return 0
    return summary(kind, pathlib.Path(sys.argv[3]))


if __name__ == "__main__":
    sys.exit(main())
