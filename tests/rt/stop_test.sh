#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stop_test.sh PROGRAM RANKS: requests to stop end a run with exit code 4. MPIRUN holds the words that start MPI
# programs, STOP_SIGNAL the signal that it passes on.
set -u
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../cases.bash"
program=$1 ranks=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'steps: 100000\npause: 0.01\n' >"$folder/deck.yaml"

start() { $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" directory="$folder/out" "$@" >"$folder/log" 2>&1 </dev/null & }

expect() {  # expect CODE MESSAGE WHAT
  wait $!
  local status=$?
  if [[ $status != "$1" ]] || ! grep -q -- "$2" "$folder/log"; then
    echo "FAULT: $3: exit code $status (expected $1), expected '$2' in:"
    cat "$folder/log"
  fi
}

until_running() {
  for _ in {1..200}; do
    [[ -d $folder/out ]] && sleep 0.3 && return
    kill -0 $! 2>/dev/null || return
    sleep 0.1
  done
}

by_signal() {
  start
  until_running
  kill -"$STOP_SIGNAL" $!
  # MPICH's mpiexec loses the exit code of a single rank to which it has passed a signal on.
  local code=4
  [[ $MPI_FLAVOUR == mpich && $ranks == 1 ]] && code=0
  expect $code 'stopped: a signal asked for it' "SIG$STOP_SIGNAL to mpirun"
  grep -q 'exit code *4$' "$folder/log" || echo 'FAULT: no words on exit code 4'
  [[ -s $folder/out/report.json ]] || echo 'FAULT: no report'
}
beside by_signal

by_file() {
  start
  until_running
  touch "$folder/out/STOP"
  expect 4 'STOP was found' 'stop file'
  [[ ! -e $folder/out/STOP ]] || echo 'FAULT: the stop file is still there'
}
beside by_file

by_time() {
  start stop.wall_time=1s
  expect 4 'limit of wall time (1s)' 'wall time'
}
beside by_time

not_at_all() {
  start steps=3
  expect 0 'wall time' 'no request'
}
beside not_at_all
all_cases_passed
