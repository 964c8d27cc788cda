#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The program of docs/reference runs with its decks on one and on three ranks: what it shows of the API holds, or it ends
# with an exit code other than 0. TOUR: the program, DOCS: its folder; GRIDS: the one that needs no deck.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch"
for deck in wind pressure descent drift; do
  for ranks in 1 3; do
    # shellcheck disable=SC2086 # a command of several words
    $MPIRUN -n "$ranks" "$TOUR" "$DOCS/$deck.yaml" checks=halos "output.directory=out/$deck$ranks" </dev/null || {
      echo "$deck.yaml on $ranks ranks failed"
      exit 1
    }
  done
  cmp "out/${deck}1/diagnostics.csv" "out/${deck}3/diagnostics.csv"
done
for ranks in 1 3; do
  # shellcheck disable=SC2086 # a command of several words
  $MPIRUN -n "$ranks" "$GRIDS" </dev/null || { echo "grids.cpp on $ranks ranks failed" && exit 1; }
done
[[ -s out/wind1/passed.csv ]] || { echo "there is no passed.csv" && exit 1; }
cmp out/wind1/passed.csv out/wind3/passed.csv
