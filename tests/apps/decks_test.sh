#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every deck in inputs/pde is right, its effective configuration is a deck that is right, and it runs.
set -u
decks=$1
scratch=$(mktemp -d -p .)
trap 'rm -rf "$scratch"' EXIT
failed=0
for deck in "$decks"/*.yaml; do
  name=$(basename "$deck" .yaml)
  "$PDE" --check "$deck" || { echo "$deck: --check fails"; failed=1; continue; }
  "$PDE" --print-config "$deck" > "$scratch/$name.yaml" && "$PDE" --check "$scratch/$name.yaml" > /dev/null ||
    { echo "$deck: --print-config is no deck"; failed=1; }
  steps=time.steps=20
  grep -q '^iteration:' "$deck" && steps=iteration.limit=1000 # to its end
  $MPIRUN -n 2 "$PDE" --quiet "$deck" output.directory="$scratch/$name" "$steps" output.every=20 output.pictures.every=0 ||
    { echo "$deck: does not run"; failed=1; }
  [ -s "$scratch/$name/diagnostics.csv" ] || { echo "$deck: no diagnostics"; failed=1; }
done
exit $failed
