#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# silence_test.sh PROGRAM RANKS: who is stopped, or waits in vain, ends the run with one message and
# code 3 within stop.silence + 10 s; who only takes long doesn't. MPIRUN holds the words that start
# MPI programs.
set -u
# shellcheck source=tests/exit_status.bash
source "$(dirname "${BASH_SOURCE[0]}")/../exit_status.bash"
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../cases.bash"
program=$1 ranks=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'log: {level: quiet}\nstop: {silence: 2s}\nsteps: 0\n' >"$folder/deck.yaml"
limit=$((2 + 10 + 15 * ${CARTWRIGHT_SLOWDOWN:-1})) # s: and what a busy machine takes to start and end ranks

fault() {
  echo "FAULT: $*"
  cat "$folder/out" "$folder/err"
}

judge() { # judge STATUS CODE MESSAGE WHAT
  local said
  said=$(cat "$folder/out" "$folder/err" | grep -c 'cartwright: error:')
  if [[ $2 == 0 ]]; then
    [[ $1 == 0 && $said == 0 ]] || fault "$4: exit code $1, $said messages; expected none"
  elif ! same_status "$1" "$2" "$folder/out" "$folder/err" || [[ $said != 1 ]] || ! grep -q -- "$3" "$folder/err"; then
    fault "$4: exit code $1 (expected $2), $said messages; expected '$3', got:"
  fi
}

# expect CODE MESSAGE SETTING…
expect() {
  local code=$1 message=$2
  shift 2
  timeout -k 5 $limit $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" "$@" \
    >"$folder/out" 2>"$folder/err" </dev/null
  judge $? "$code" "$message" "$*"
}

# begin SETTING…: a run of many steps in the background; sets mpirun and processes.
begin() {
  rm -rf "$folder/run"
  $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" steps=300 pause=0.01 \
    directory="$folder/run" "$@" >"$folder/out" 2>"$folder/err" </dev/null &
  mpirun=$!
  for _ in {1..300}; do
    [[ -d $folder/run ]] && break
    sleep 0.1
  done
  mapfile -t processes < <(pgrep -f "^$program $folder/deck.yaml")
  [[ ${#processes[@]} == "$ranks" ]] || fault "${#processes[@]} of $ranks ranks found"
}

last=$((ranks - 1))
explained() {
  expect 3 "rank $last (process [0-9]* on node .*) is stopped" fail=stop rank=$last
  grep -q 'in MPI_Wait (run_program.cpp' "$folder/err" || fault 'the others are not explained'
}
# One is stopped before it has started MPI: nobody watches yet, and the others wait for it there.
absent() {
  # shellcheck disable=SC2016
  CARTWRIGHT_STOP_SILENCE=2s timeout -k 5 $((limit + 10)) $MPIRUN -n "$ranks" \
    bash -c 'rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; [[ $rank != 0 ]] || kill -STOP $$; exec "$@"' - \
    "$program" "$folder/deck.yaml" >"$folder/out" 2>"$folder/err" </dev/null
  judge $? 3 'MPI has not started within 10s' 'a rank that never starts MPI'
}
# Another has started MPI, but not its watcher.
unwatched() {
  STOP_AFTER_MPI=$last CARTWRIGHT_STOP_SILENCE=2s timeout -k 5 $((limit + 10)) $MPIRUN -n "$ranks" \
    "$program" "$folder/deck.yaml" >"$folder/out" 2>"$folder/err" </dev/null
  judge $? 3 'MPI has not started within 10s' 'a rank that never starts its watcher'
}
if ((ranks > 1)); then
  beside absent
  beside unwatched
  beside explained
  beside expect 3 'rank 0 (process [0-9]* on node .*) is stopped' fail=stop rank=0
fi
beside expect 3 'all ranks have been waiting for longer than 2s (stop.silence)' wait=message rank=$last
beside expect 0 '' wait=kernel rank=$last pause=6
beside expect 0 '' wait=file rank=0 pause=6

# All stand still for a while, as when a batch system suspends a job.
suspended() {
  begin
  kill -STOP "${processes[@]}"
  sleep 5
  kill -CONT "${processes[@]}"
  wait "$mpirun"
  judge $? 0 '' 'all ranks stopped and continued'
}
beside suspended

# One stands still for longer than a debugger's user says that matters.
debugged() {
  begin stop.silence=off
  kill -STOP "${processes[-1]}"
  sleep 5
  kill -CONT "${processes[-1]}"
  wait "$mpirun"
  judge $? 0 '' 'one rank stopped and continued, silence off'
}
beside debugged
all_cases_passed
