#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stop_test.sh PROGRAM RANKS: requests to stop end a run with exit code 4. MPIRUN holds the words that start MPI
# programs, STOP_SIGNAL the signal that it passes on.
set -u
program=$1 ranks=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'steps: 100000\npause: 0.01\ndirectory: %s/out\n' "$folder" >"$folder/deck.yaml"
faults=0

start() { $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" "$@" >"$folder/log" 2>&1 </dev/null & }

expect() {  # expect CODE MESSAGE WHAT
  wait $!
  local status=$?
  if [[ $status != "$1" ]] || ! grep -q -- "$2" "$folder/log"; then
    echo "FAULT: $3: exit code $status (expected $1), expected '$2' in:"
    cat "$folder/log"
    faults=$((faults + 1))
  fi
}

until_running() {
  for _ in {1..200}; do
    [[ -d $folder/out ]] && sleep 0.3 && return
    kill -0 $! 2>/dev/null || return
    sleep 0.1
  done
}

start
until_running
kill -"$STOP_SIGNAL" $!
# MPICH's mpiexec loses the exit code of a single rank to which it has passed a signal on.
code=4
[[ $MPI_FLAVOUR == mpich && $ranks == 1 ]] && code=0
expect $code 'stopped: a signal asked for it' "SIG$STOP_SIGNAL to mpirun"
grep -q 'exit code *4$' "$folder/log" || { echo 'FAULT: no words on exit code 4'; faults=$((faults + 1)); }
[[ -s $folder/out/report.json ]] || { echo 'FAULT: no report'; faults=$((faults + 1)); }

rm -rf "$folder/out"
start
until_running
touch "$folder/out/STOP"
expect 4 'STOP was found' 'stop file'
[[ ! -e $folder/out/STOP ]] || { echo 'FAULT: the stop file is still there'; faults=$((faults + 1)); }

start stop.wall_time=1s
expect 4 'limit of wall time (1s)' 'wall time'

start steps=3
expect 0 'wall time' 'no request'
[[ $faults == 0 ]]
