#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# compare.sh RENDER RESULTS METHOD…: one rank's pictures against those of four ranks by each way of compositing. From the root
# of the source tree.
render=$1
results=$2
here=$(dirname "$0")
export OMP_NUM_THREADS=1
mpirun --oversubscribe -n 1 "$render" --quiet "$here/volume_512.yaml" output.directory="$results/one" || exit
for method in "${@:3}"; do
  for mode in over maximum; do
    frames=4
    [ "$mode" = maximum ] && [ "$method" != "${3}" ] && continue
    mpirun --oversubscribe -n 4 "$render" --quiet "$here/volume_512.yaml" output.directory="$results/$method.$mode" \
      render.compositing="$method" render.mode=$mode render.orbit.frames=$frames || exit
    reference=$results/one
    if [ "$mode" = maximum ]; then
      reference=$results/one.maximum
      [ -d "$reference" ] || mpirun --oversubscribe -n 1 "$render" --quiet "$here/volume_512.yaml" output.directory="$reference" render.mode=maximum
    fi
    echo "== $method, $mode"
    tests/apps/render/compare_pictures.py "$reference/render" "$results/$method.$mode/render" | sed "s#$results/##"
    sed -n '/"render": {/,/^    },/p' "$results/$method.$mode/report.json"
  done
done
