#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# solvers_test.bash INPUTS: on several nodes pde gives the bits of a run on one, restarts and ghosts by epochs included, as does nbody,
# and matmul passes its check.
set -u
inputs=$1
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failed=0
wrong() { printf 'FAILED: %s\n' "$1" && failed=1; }

# pde RANKS OUTPUT ARGUMENT…
pde() {
  # shellcheck disable=SC2086
  $MPIRUN -n "$1" "$PDE" --quiet "$inputs/pde/wave_3d.yaml" 'grid.extent=[21, 14, 9]' output.every=6 output.pictures.every=0 \
    checkpoint.every=6 output.directory="$work/$2" "${@:3}"
}

pde 1 one time.steps=12 || wrong 'pde on one node'
pde "$RANKS" nodes time.steps=6 || wrong 'pde on nodes'
pde "$RANKS" nodes time.steps=12 --restart || wrong 'pde on nodes, restarted'
"$COMPARE" "$work/one" "$work/nodes" || wrong 'the bits of one node'
grep -q '"messages between nodes": *[1-9]' "$work/nodes/report.json" || wrong 'no message went between nodes'
# Ghosts and collectives by one-sided epochs.
pde "$RANKS" rma time.steps=12 comm.backend=rma || wrong 'pde with comm.backend rma'
"$COMPARE" "$work/one" "$work/rma" || wrong 'the bits of one node, by epochs'
grep -q '"backend": *"rma"' "$work/rma/report.json" || wrong 'comm.backend was not rma'

# nbody RANKS DECK OUTPUT ARGUMENT…
nbody() {
  # shellcheck disable=SC2086
  $MPIRUN -n "$1" "$NBODY" --quiet "$inputs/nbody/$2.yaml" output.every=6 output.pictures.every=0 checkpoint.every=6 \
    output.directory="$work/$3" "${@:4}"
}

for deck in plummer argon; do
  particles=gravity.bodies=300
  [ $deck = argon ] && particles=lennard_jones.particles=864
  nbody 1 $deck $deck time.steps=12 $particles || wrong "$deck on one node"
  nbody "$RANKS" $deck ${deck}_nodes time.steps=6 $particles || wrong "$deck on nodes"
  nbody "$RANKS" $deck ${deck}_nodes time.steps=12 $particles --restart || wrong "$deck on nodes, restarted"
  "$COMPARE" "$work/$deck" "$work/${deck}_nodes" || wrong "the bits of $deck on one node"
done

# shellcheck disable=SC2086
$MPIRUN -n "$RANKS" "$MATMUL" --quiet "$inputs/matmul/summa.yaml" matmul.rows=151 matmul.inner=203 matmul.columns=97 \
  matmul.panel=20 matmul.check=pdgemm output.directory="$work/matmul" || wrong 'matmul on nodes'
exit $failed
