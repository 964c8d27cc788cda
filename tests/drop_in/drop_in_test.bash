#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# drop_in_test.bash LIBRARY PROGRAM [FORTRAN…]: programs that know MPI only, with the library preloaded: what they get, and
# what is said to be carried out by whom. MPIRUN holds the words that start MPI programs.
set -u
library=$1 program=$2
shift 2
faults=0
# Beside what MPIRUN preloads.
# shellcheck disable=SC2016 # for another shell
preloaded='LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"'

# run RANKS "VARIABLE=VALUE …" WORD…: its output is in `said`, its code in `code`.
run() {
  local ranks=$1
  local -a settings
  read -r -a settings <<<"$2"
  shift 2
  # shellcheck disable=SC2086 # words
  said=$($MPIRUN -n "$ranks" env CARTWRIGHT_DROP_IN_REPORT=1 "${settings[@]}" sh -c "$preloaded" "$library" "$@" 2>&1 </dev/null)
  code=$?
}

# expect CODE TEXT…: of the latest run.
expect() {
  local text
  [[ $code == "$1" ]] || fault "code $code, not $1"
  shift
  for text in "$@"; do
    grep -qF -- "$text" <<<"$said" || fault "it didn't say '$text'"
  done
}

fault() {
  echo "FAULT: $1:"
  printf '%s\n' "$said"
  faults=$((faults + 1))
}

# A communicator's first collectives, and those that are started, are the MPI library's.
run 3 "" "$program" plain
expect 0 'right' 'collectives of rank 0: 4 by cartwright, 19 by the MPI library' 'allreduce: 4 by cartwright, 16 by the MPI library'
run 3 "CARTWRIGHT_DROP_IN_AFTER=0" "$program" plain
expect 0 'right' 'collectives of rank 0: 20 by cartwright, 3 by the MPI library'
run 2 "CARTWRIGHT_DROP_IN_AFTER=0 CARTWRIGHT_DROP_IN_NONBLOCKING=1 CARTWRIGHT_COMM_BACKEND=p2p" "$program" plain
expect 0 'right' 'collectives of rank 0: 23 by cartwright, 0 by the MPI library'
run 1 "CARTWRIGHT_DROP_IN_AFTER=0" "$program" plain
expect 0 'right' 'collectives of rank 0: 20 by cartwright'

# Of 200 communicators only the one that is used for long is taken over; nobody knows both sides of one between groups.
run 3 "" "$program" communicators
expect 0 'right' 'collectives of rank 0: 24 by cartwright, 653 by the MPI library'
run 1 "" "$program" communicators
expect 0 'right' 'collectives of rank 0: 24 by cartwright, 613 by the MPI library'

run 3 "CARTWRIGHT_DROP_IN_AFTER=0" "$program" errors
expect 0 'right' 'broadcast: 0 by cartwright, 2 by the MPI library (2 for their arguments)' \
  'alltoall: 0 by cartwright, 1 by the MPI library (1 for their arguments)'
for ranks in 1 2 3 4; do
  run "$ranks" "CARTWRIGHT_DROP_IN_AFTER=0" "$program" same_places
  expect 0 'right' 'collectives of rank 0: 9 by cartwright, 0 by the MPI library'
done
run 4 "CARTWRIGHT_DROP_IN_AFTER=0" "$program" messages
expect 0 'right'
run 2 "CARTWRIGHT_DROP_IN_AFTER=0" "$program" large
expect 0 'right' 'gather: 1 by cartwright'

run 3 "CARTWRIGHT_DROP_IN_REORDER=1" "$program" grid
expect 0 'right' '0 neighbours on other nodes'
for setting in CARTWRIGHT_COMM_ARRIVALS=on CARTWRIGHT_COMM_LEARN=true CARTWRIGHT_COMM_CHECKED=true CARTWRIGHT_COMM_BACKEND=native; do
  run 3 "CARTWRIGHT_DROP_IN_AFTER=0 CARTWRIGHT_DROP_IN_NONBLOCKING=1 $setting" "$program" plain
  expect 0 'right' 'collectives of rank 0: 23 by cartwright'
done

# Threads: left alone, or told that there can't be several at once.
run 2 "" "$program" plain threads
expect 0 'right, threads 3' 'asks for MPI_THREAD_MULTIPLE: all collectives are left to the MPI library'
run 2 "CARTWRIGHT_DROP_IN_SERIALIZED=1" "$program" plain threads
expect 0 'right, threads 2' 'collectives of rank 0: 4 by cartwright'

# What is wrong with the settings is said once.
for setting in CARTWRIGHT_DROP_IN_AFTER=never CARTWRIGHT_DROP_IN_AFTER=-1 CARTWRIGHT_DROP_IN_NONBLOCKING=2 CARTWRIGHT_DROP_IN_SERIALIZED=yes; do
  run 3 "$setting" "$program" plain
  [[ $code != 0 ]] || fault "code 0"
  expect "$code" "cartwright: error: ${setting%=*} is '${setting#*=}'" 'It takes a whole number from 0 to'
done
run 3 "CARTWRIGHT_DROP_IN_REPROT=1" "$program" plain
[[ $code != 0 && $(grep -c 'cartwright: error:' <<<"$said") == 1 ]] || fault "not one error"
expect "$code" "CARTWRIGHT_DROP_IN_REPROT sets nothing, did you mean 'CARTWRIGHT_DROP_IN_REPORT'?"
run 3 "CARTWRIGHT_COMM_BACKEND=fast" "$program" plain
[[ $code != 0 && $(grep -c 'cartwright: error:' <<<"$said") == 1 ]] || fault "not one error"

for fortran in "$@"; do
  run 3 "CARTWRIGHT_DROP_IN_AFTER=0" "$fortran"
  expect 0 'right' 'collectives of rank 0: 70 by cartwright, 0 by the MPI library'
  run 3 "" "$fortran"
  expect 0 'right' 'collectives of rank 0: 54 by cartwright, 16 by the MPI library'
done
exit $((faults > 0))
