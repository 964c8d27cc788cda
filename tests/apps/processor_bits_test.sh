#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# processor_bits_test.sh GENERIC NATIVE COMPARE_RESULTS: solvers compiled for any processor and for this one give the
# same bits.
set -euo pipefail
generic=$1 native=$2 compare=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

heat() { # X Y Z LENGTHS
  cat <<END
solver: heat
heat: {diffusivity: 1.0e-3}
grid: {extent: [$1, $2, $3], length: $4, periodic: [false, true, false]}
time: {steps: 21, fuse: 4}
initial: {temperature: {random: {seed: 5}}}
boundary: {temperature: {x_low: {dirichlet: "1 + sin(9*t)*y"}, all: {robin: {coefficient: 2, value: 1}}}}
output: {every: 10}
END
}
heat 61 37 29 '[1, 1, 1]' >"$scratch/different.yaml"
heat 48 48 48 '[1, 1, 1]' >"$scratch/equal.yaml"
cat >"$scratch/flow.yaml" <<'END'
solver: lattice_boltzmann
lattice_boltzmann: {viscosity: 0.01, acceleration: [0.1, 0, 0]}
grid: {extent: [36, 24, 24], length: [1.5, 1, 1], periodic: [true, false, true]}
time: {steps: 21}
initial: {flow: {density: 1, velocity: ["0.1*sin(2*pi*y)", "0.05*cos(2*pi*z)", 0]}, solid: "(x-0.7)^2 + (y-0.5)^2 < 0.02"}
output: {every: 10}
END
for deck in different equal flow; do
  for program in generic native; do
    # shellcheck disable=SC2086 # words of a command
    $MPIRUN -n 2 "${!program}" "$scratch/$deck.yaml" output.directory="$scratch/$deck.$program" >"$scratch/log" 2>&1 ||
      { cat "$scratch/log" && exit 1; }
  done
  "$compare" "$scratch/$deck.generic" "$scratch/$deck.native"
done
