#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An mpirun that starts no rank is ended after five times CARTWRIGHT_STOP_SILENCE. FAKE_SOLVER: path of the fake solver.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"

mkdir -p "$work/build/bin" "$work/out"
program=$work/build/bin/fake
cp "${FAKE_SOLVER:?}" "$program"
printf 'heat\n' >"$program.solvers"
deck=$work/heat.yaml
printf 'solver: heat\n' >"$deck"
sed "s|^mpiexec .*|mpiexec $work/mpirun|" "${BUILD:?}/mpi" >"$work/build/mpi"
mpiexec=$(sed -n 's/^mpiexec //p' "$BUILD/mpi")
export CARTWRIGHT_BUILD=$work/build CARTWRIGHT_HOME=$work/home FAKE_OUTPUT=$work/out CARTWRIGHT_STOP_SILENCE=400ms

# mpirun_that LINES: what the launcher starts. It hears no request to end itself.
mpirun_that() {
  printf '#!/bin/bash\necho $$ >"%s"\ntrap "" HUP TERM INT USR1 USR2\n%s\n' "$work/process" "$1" >"$work/mpirun"
  chmod +x "$work/mpirun"
}

run_in_vain() { # run_in_vain ARGUMENT…
  try run "$deck" "$@" act=finish
  expect_code 3
  expect_one_error
  expect_text 'mpirun has not started any rank within 5 times CARTWRIGHT_STOP_SILENCE (400ms)'
}

mpirun_that 'exec sleep 300'
run_in_vain -n 2 -t 1
! kill -0 "$(<"$work/process")" 2>/dev/null || wrong 'mpirun lives on'
if "$(dirname -- "$launcher")/launcher/make_nodes" 1x1 slot true 2>/dev/null; then
  run_in_vain --nodes 2x1 -t 1
fi
# shellcheck disable=SC2016 # for the mpirun to be
mpirun_that 'kill -STOP $$'
run_in_vain -n 2 -t 1

# One whose ranks are gone, but that doesn't end, is ended: Open MPI's does that where a rank is killed as it begins.
# shellcheck disable=SC2016
mpirun_that "$mpiexec \"\$@\"; exec sleep 300"
try run "$deck" -n 2 -t 1 act=finish
expect_code 0
expect_no_text 'cartwright: error'
! kill -0 "$(<"$work/process")" 2>/dev/null || wrong 'mpirun lives on'
try run "$deck" -n 2 -t 1 act=signal9
expect_code 3
expect_one_error

# Where it may have other machines, nobody can know; nor is anybody in haste who has said so.
mpirun_that "sleep 5; exec $mpiexec \"\$@\""
LSB_JOBID=7 try run "$deck" -n 2 -t 1 act=finish
expect_code 0
expect_no_text 'cartwright: error'
OMPI_MCA_orte_default_hostfile=/dev/null HYDRA_HOST_FILE=/dev/null try run "$deck" -n 2 -t 1 act=finish
expect_no_text 'CARTWRIGHT_STOP_SILENCE'
CARTWRIGHT_STOP_SILENCE=off try run "$deck" -n 2 -t 1 act=finish
expect_code 0

# A launcher that stands still for longer isn't counted.
mpirun_that "sleep 3; exec $mpiexec \"\$@\""
rm -f -- "$work/process"
called='run, the launcher stopped for a while'
"$launcher" run "$deck" -n 2 -t 1 act=finish >"$work/log" 2>&1 </dev/null &
process=$!
# Not before it has started mpirun, which takes a while on a busy machine.
while [[ ! -s $work/process ]] && kill -0 "$process" 2>/dev/null; do sleep 0.05; done
kill -STOP "$process"
sleep 6
kill -CONT "$process"
wait "$process"
code=$? text=$(<"$work/log")
expect_code 0

# Durations, as the programs read them.
# shellcheck source=launcher/patience.bash
source "$(dirname -- "$launcher")/launcher/patience.bash"
expect_patience() { # expect_patience SILENCE MILLISECONDS
  called="start_patience '$1'" code=- text=$(start_patience "$1")
  [[ $text == "$2" ]] || wrong "expected $2"
}
expect_patience 90 450000
expect_patience 1.5s 7500
expect_patience 2min 600000
expect_patience '1h 30m' 27000000
expect_patience 1:30 27000000
expect_patience 0:01:30 450000
expect_patience 1e1 50000
expect_patience off ''
for nothing in 0 -3 soon '2 fortnights'; do expect_patience "$nothing" 300000; done
finish
