#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bad input and hostile disks, through the launcher and with the real program: one message, the right exit
# code, and nothing that existed before is touched. CARTWRIGHT_BUILD: the build.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/../launcher/checks.bash"
trap 'umount -l "$work/disk" 2>/dev/null; rm -rf -- "$work"' EXIT

deck=$work/good.yaml
out=$work/out
cat >"$deck" <<'DECK'
solver: heat
heat: {diffusivity: 1.0}
grid: {extent: [32, 32]}
time: {steps: 20}
initial: {temperature: gaussian}
checkpoint: {every: 5}
DECK

solve() { try run "$deck" -t 1 output.directory="$out" "$@"; }
refused() { expect_code "$1" && expect_one_error && expect_text "$2"; }

# Decks.
: >"$work/empty.yaml"
printf '# nothing\n' >"$work/comment.yaml"
printf 'solver: heat\n\000\001\377\376\n' >"$work/binary.yaml"
head -c 2000000 /dev/zero | tr '\0' '#' >"$work/huge.yaml"
try run "$work/empty.yaml" && refused 1 'the file is empty'
try run "$work/comment.yaml" && refused 1 'it sets no key'
try run "$work/binary.yaml" && refused 1 'binary.yaml:2'
try run "$work/huge.yaml" && refused 1 'a deck has at most 1 MiB'
printf 'grid: {extent: [8]}\n' | cat "$deck" - >"$work/repeated.yaml"
try run "$work/repeated.yaml" && refused 1 'repeated.yaml:7'

# Grids.
solve -n 8 'grid.extent=[2, 2]' && refused 1 "8 ranks can't share a grid of 2 x 2 cells"
solve -n 2 'grid.extent=[1000000, 1000000]' && refused 1 'of memory a node'
solve -n 2 'grid.extent=[4, 4, 4, 4]' && refused 1 'a list of 1 to 3 integers'
[[ ! -e $out ]] || wrong 'a refused run has made its output directory'
solve -n 1 'grid.extent=[1]' time.steps=0 && expect_code 0

# Numbers that are none.
solve -n 3 'initial.temperature=1/(x-x)' && refused 2 'is not a finite number at step 0'
poisson=$work/poisson.yaml
printf 'solver: poisson\ngrid: {extent: [16, 16]}\niteration: {tolerance: 1e-8}\ninitial: {source: x}\n' >"$poisson"
poisson() { try run "$poisson" -t 1 output.directory="$work/poisson" "$@"; }
poisson -n 3 'initial.source=log(x - 0.5)' &&
  refused 2 "potential by multigrid: the right side 'source' is not a finite number, cell (0, 0), at x, y = (0.03125, 0.03125)"

# Rounding ends a solution that asks for too much: it counts, and that is said.
implicit=(heat.scheme=crank_nicolson time.step=0.01 heat.linear.tolerance=1e-30)
solve -n 2 "${implicit[@]}" && expect_code 0
expect_text 'temperature by multigrid: the tolerance of 1e-30 is below what rounding allows here'
solve -n 2 "${implicit[@]}" heat.linear.limit=2 && expect_code 2
expect_text 'after 2 iterations; its tolerance is 1e-30'
rm -rf "$out" "$out".*

# Checkpoints: of another deck, truncated.
rm -rf "$out" "$out".*
solve -n 4 && expect_code 0
solve -n 2 --restart heat.diffusivity=2 && refused 1 "'heat.diffusivity' is 1 in the checkpoint, 2 in the deck"
solve -n 2 --restart 'boundary.temperature.x_low={dirichlet: 1}' &&
  refused 1 "'boundary.temperature.x_low' is not set in the checkpoint, {dirichlet: \"1\"} in the deck"
solve -n 2 --restart time.steps=25 'boundary.temperature.x_low={dirichlet: 1}' checkpoint.changes=accept && expect_code 0 &&
  expect_text "'boundary.temperature.x_low' is not set in the checkpoint"
rm -rf "$out" "$out".*
solve -n 4 && expect_code 0
truncate -s -100 "$out/checkpoints/step_0000000020.h5"
solve -n 3 --restart && expect_code 0
expect_text 'it is truncated or not a checkpoint'
expect_text 'from step 15'
truncate -s 100 "$out"/checkpoints/*.h5
solve -n 1 --restart && refused 1 'there is no whole checkpoint'
solve -n 1 --restart="$work/nowhere" && refused 1 'there is no directory'

# An obstacle is no part of a checkpoint, and a mask holds integers.
flow=$work/flow.yaml
cat >"$flow" <<'DECK'
solver: navier_stokes
navier_stokes: {viscosity: 0.01}
grid: {extent: [24, 16], length: [1.5, 1.0]}
time: {steps: 4}
initial: {velocity_x: 1, solid: "(x-0.5)^2 + (y-0.5)^2 < 0.04"}
boundary:
  velocity_x: {x_low: {dirichlet: 1}, x_high: outflow}
  velocity_y: {x_high: outflow}
  pressure: {x_high: {dirichlet: 0}}
checkpoint: {every: 2}
DECK
flow() { try run "$flow" -t 1 output.directory="$work/flow" "$@"; }
flow -n 2 && expect_code 0
flow -n 2 --restart time.steps=6 initial.solid=0 &&
  refused 1 "'initial.solid' is \"(x-0.5)^2 + (y-0.5)^2 < 0.04\" in the checkpoint, \"0\" in the deck"
flow -n 3 --restart time.steps=6 initial.velocity_x=2 && expect_code 0
flow -n 3 'initial.solid=x < 0.5 ? 256 : 0' && refused 1 'but the field holds integers from 0 to 255'
flow -n 1 'initial.solid={random: {low: 0, high: 300}}' && refused 1 'but the field holds integers from 0 to 255'
flow -n 1 'initial.solid=0.5*x' && refused 1 "'initial.solid' is 0.015625 at (0.03125, 0.03125)"

# A rank dies: the run ends, and says how to go on. A stop file: a checkpoint first.
long=(time.steps=100000000 checkpoint.every=1000)
await_checkpoint() {
  for _ in {1..300}; do compgen -G "$out/checkpoints/step_*.h5" >/dev/null && return; sleep 0.1; done
}
# (with rma while epochs are open: of ghosts, exposed one exchange ahead)
for backend in rma auto; do
  rm -rf "$out" "$out".*
  (await_checkpoint; kill -9 "$(pgrep -f "^$CARTWRIGHT_BUILD/bin/pde .*$out" | tail -n 1)") &
  solve -n 3 "${long[@]}" comm.backend="$backend" && refused 3 'signal 9 (SIGKILL)'
  expect_text '--restart'
done
(sleep 1; touch "$out/STOP") &
solve -n 2 "${long[@]}" --restart && expect_code 4
expect_text 'STOP was found'
[[ ! -e $out/STOP ]] || wrong 'the stop file would stop the next run, too'

# Directories: a file, none's, full, read-only.
touch "$work/file"
solve -n 2 output.directory="$work/file" && refused 1 'is not a directory'
solve -n 2 output.directory=/proc/out && refused 1 "cannot create '/proc/out'"
mkdir "$work/disk"
if mount -t tmpfs -o size=300k none "$work/disk" 2>/dev/null; then
  solve -n 2 output.directory="$work/disk/out" && expect_code 0
  before=$(cd "$work/disk/out" && find . -type f -exec cksum {} + | sort)
  solve -n 2 output.directory="$work/disk/out" 'grid.extent=[400, 400]' && refused 1 'the disk is full'
  [[ $(cd "$work/disk/out.1" && find . -type f -exec cksum {} + | sort) == "$before" ]] || wrong 'earlier results have changed'
  rm -rf "$work/disk/out"
  mount -o remount,nr_inodes=12 "$work/disk" && solve -n 2 output.directory="$work/disk/many" output.every=1 &&
    refused 1 'its inodes are used up'
  mount -o remount,nr_inodes=0,ro "$work/disk"
  solve -n 2 output.directory="$work/disk/new" && refused 1 'Read-only file system'
  solve -n 2 output.directory="$work/disk/out.1" && refused 1 'Read-only file system'
  solve -n 2 output.directory="$work/disk/out.1" --restart && refused 1 'Read-only file system'
else
  printf 'no permission to mount a small disk: full and read-only ones are left out\n'
fi
finish
