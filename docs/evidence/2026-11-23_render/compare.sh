#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compare.sh RENDER RESULTS METHOD…: one rank's pictures against those of four ranks by each way of compositing. From the root
# of the source tree.
render=$1
results=$2
here=$(dirname "$0")
export OMP_NUM_THREADS=1

# draw RANKS NAME ARGUMENT…
draw() {
  mpirun --oversubscribe -n "$1" "$render" --quiet "$here/volume_512.yaml" output.directory="$results/$2" "${@:3}" || exit
}
# compare REFERENCE NAME
compare() {
  echo "== $2"
  tests/apps/render/compare_pictures.py "$results/$1/render" "$results/$2/render" | sed "s#$results/##"
  sed -n '/"render": {/,/^    },/p' "$results/$2/report.json"
}

draw 1 one
for method in "${@:3}"; do
  draw 4 "over.$method" render.compositing="$method"
  compare one "over.$method"
done
draw 1 one.maximum render.mode=maximum
draw 4 maximum.ring render.mode=maximum render.compositing=ring
compare one.maximum maximum.ring
