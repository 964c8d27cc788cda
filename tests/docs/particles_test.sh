#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The program of docs/particles.md gives the same results on one and on three ranks, also after a restart: all that it
# writes, pictures included. DUST: the program, DECK: its deck, COMPARE: what compares two folders of results.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"
solve() { # RANKS DIRECTORY MORE…
  # shellcheck disable=SC2086 # a command of several words
  $MPIRUN -n "$1" "$DUST" --quiet "$DECK" "output.directory=$2" "${@:3}" </dev/null
}
solve 1 one time.end=4
solve 3 three time.end=4
"$COMPARE" one three
solve 3 again time.end=3 checkpoint.every=100
solve 2 again time.end=4 checkpoint.every=100 --restart
"$COMPARE" one again
grep -q 'TopologyType="Polyvertex" NumberOfElements="3000"' one/dust.xdmf || { echo "dust.xdmf has no points" && exit 1; }
