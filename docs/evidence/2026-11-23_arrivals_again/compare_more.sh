#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compare_more.sh RENDER RESULTS MODE METHOD…: one rank's pictures of the volume of 2026-11-23_render against those of four ranks
# by each way of compositing; MODE is over or maximum. From the root of the source tree.
render=$1 results=$2 mode=$3
deck=docs/evidence/2026-11-23_render/volume_512.yaml
export OMP_NUM_THREADS=1

# draw RANKS NAME ARGUMENT…
draw() {
  mpirun --oversubscribe -n "$1" "$render" --quiet "$deck" output.directory="$results/$2" render.mode="$mode" "${@:3}" || exit
}

draw 1 "one.$mode"
for method in "${@:4}"; do
  draw 4 "$mode.$method" render.compositing="$method"
  echo "== $mode, $method"
  tests/apps/render/compare_pictures.py "$results/one.$mode/render" "$results/$mode.$method/render" | sed "s#$results/##"
  grep -o '"compositing": "[^,]*\|"imbalance of[^}]*' "$results/$mode.$method/report.json"
  rm -r "${results:?}/$mode.$method"
done
