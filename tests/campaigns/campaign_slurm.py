#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# needs: pde compare_results
import json
import os
import pathlib
import subprocess
import sys

import harness
from harness import BUILD, Fault

SCRIPT = pathlib.Path(__file__).parent / "slurm_jobs/on_nodes"


class Slurm(harness.Campaign):
    """a real Slurm on nodes of this machine runs the batch script of docs/running.md to its end"""
    rounds = 1
    results = []

    def add_options(self, parser):
        parser.add_argument("--nodes", default="2x2", help="default: 2x2")
        parser.add_argument("--log", help="copy batch script, Slurm's configuration and the jobs' output to this directory")

    def prepare(self, options, scratch):
        self.options = options

    def round(self, number, dice, scratch):
        words = [SCRIPT, "--nodes", self.options.nodes, "--json", scratch / "record.json"]
        if self.options.log:
            words += ["--log", self.options.log]
        process = subprocess.Popen(["bash", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, env=dict(os.environ, CARTWRIGHT_BUILD=str(BUILD)))
        told = []
        for line in process.stdout:
            print("  " + line, end="", flush=True)
            told.append(line)
        if process.wait() == 77:
            sys.exit("".join(told))
        if process.returncode:
            raise Fault("".join(told))
        self.results.append(json.loads((scratch / "record.json").read_text()))
        return "went on from job to job, with the same bits"

    def closing(self):
        return {"jobs": self.results}


if __name__ == "__main__":
    harness.main(Slurm)
