#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The plasma of docs/particles.md gives the same results on one and on three ranks and after a restart, and its electrons
# swing with their frequency. PLASMA: the program, DECK: its deck, COMPARE: what compares two folders of results.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"
solve() { # RANKS DIRECTORY MORE…
  # Pictures of the potential: the greatest one is the first. Other ranges grow, and a restart leaves what is drawn.
  # shellcheck disable=SC2086 # a command of several words
  $MPIRUN -n "$1" "$PLASMA" --quiet "$DECK" "output.directory=$2" 'output.pictures.fields=[potential]' "${@:3}" </dev/null
}
solve 1 one
solve 3 three
"$COMPARE" one three
cmp one/energies.csv three/energies.csv
solve 3 again time.steps=50
solve 2 again time.steps=100 --restart
"$COMPARE" one again
cmp one/energies.csv again/energies.csv
# After a quarter of 2 pi all is motion, after a half nothing; and what is lost is little.
awk -F, 'NR > 1 { kinetic[$1] = $3; electric[$1] = $4 }
  END {
    all = kinetic[25] + electric[25]
    late = kinetic[100] + electric[100]
    if (!(electric[25] < 0.01 * all && kinetic[50] < 0.01 * all && electric[75] < 0.01 * all && late > 0.98 * all && late < 1.02 * all)) {
      print "the plasma swings otherwise: " electric[25], kinetic[50], electric[75], all, late
      exit 1
    }
  }' one/energies.csv
