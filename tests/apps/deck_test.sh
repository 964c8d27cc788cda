#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deck_test.sh DECK: it is right, its effective configuration is a deck that is right, and it runs.
set -u
deck=$1
scratch=$(mktemp -d -p .)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$deck: $1"; exit 1; }

"$PDE" --check "$deck" || fail "--check fails"
{ "$PDE" --print-config "$deck" > "$scratch/deck.yaml" && "$PDE" --check "$scratch/deck.yaml" > /dev/null; } ||
  fail "--print-config is no deck"
steps=time.steps=20
grep -q '^iteration:' "$deck" && steps=iteration.limit=1000 # to its end
$MPIRUN -n 2 "$PDE" --quiet "$deck" output.directory="$scratch/out" "$steps" output.every=20 output.pictures.every=0 ||
  fail "does not run"
[ -s "$scratch/out/diagnostics.csv" ] || fail "no diagnostics"
