#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# faults_test.sh PROGRAM RANKS BACKEND: ranks that call different collectives, or none, end the run in
# time, with exit code 3 and one message that names operation, call site and ranks. MPIRUN holds the words
# that start MPI programs, MPI_FLAVOUR says whose they are.
set -u
# shellcheck source=tests/exit_status.bash
source "$(dirname "${BASH_SOURCE[0]}")/../../exit_status.bash"
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../../cases.bash"
program=$1 ranks=$2 backend=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'log: {level: quiet}\n' >"$folder/deck.yaml"
limit=$((40 * ${CARTWRIGHT_SLOWDOWN:-1}))  # s: a time limit of 2 s, 5 s to end all ranks, and the start of mpirun on a busy machine

# run SETTING…: sets status, and said to the number of messages.
run() {
  timeout -k 5 $limit $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" comm.backend="$backend" "$@" \
    >"$folder/out" 2>"$folder/err" </dev/null
  status=$?
  said=$(cat "$folder/out" "$folder/err" | grep -c 'cartwright: error:')
}

fault() {
  echo "FAULT: $backend on $ranks ranks: $1, got exit code $status, $said messages:"
  cat "$folder/out" "$folder/err"
}

# expect WHAT PATTERN… -- SETTING…: fails with every pattern in its one message.
expect() {
  local patterns=()
  while [[ $1 != -- ]]; do patterns+=("$1"); shift; done
  shift
  run "$@"
  { same_status "$status" 3 "$folder/out" "$folder/err" && [[ $said == 1 ]]; } || { fault "expected exit code 3 and one message of $*"; return; }
  for pattern in "${patterns[@]}"; do
    grep -qE -- "$pattern" "$folder/err" || { fault "expected '$pattern' of $*"; return; }
  done
}

last=$((ranks - 1))
others="ranks? 0(-|, |:)"
[[ $ranks == 2 ]] && others='rank 0:'
site='faulty_program.cpp:[0-9]+'
checked=(comm.checked=true rank=$last)

agreement() {
  run comm.checked=true comm.time_limit=30s
  [[ $status == 0 && $said == 0 ]] || fault 'expected no fault'
}
beside agreement

for form in blocking nonblocking persistent; do
  beside expect 'collective number 4' "rank $last: allreduce \(sum\) of 5 doubles in place at $site" \
    "$others.*allreduce \(sum\) of 4 doubles in place at $site" -- "${checked[@]}" fault=count form=$form
  beside expect "rank $last: broadcast of 4 doubles, root 0 at $site" "$others.*allreduce \(sum\) of 4 doubles in place at $site" \
    -- "${checked[@]}" fault=order form=$form
done
# Blocks that don't fit together: which ones, and both lengths.
for form in blocking nonblocking persistent; do
  beside expect 'collective number 7' "ranks 0.*alltoall of doubles in own blocks at $site" \
    "^  rank $last sends $((last + 1)) elements to rank 0, which expects $last$" -- "${checked[@]}" fault=pair form=$form
  beside expect 'collective number 8' "rank $last: gather of $((3 * ranks + 2)) doubles in blocks, root 0 at $site" \
    "$others.*gather of $((3 * ranks)) doubles in blocks, root 0 at $site" \
    "^  the block of rank $last has 5 elements, says rank $last, and 3, says rank 0$" \
    -- "${checked[@]}" fault=own form=$form
done
# As many in all, in other blocks.
beside expect 'collective number 8' "ranks 0.*: gather of $((3 * ranks)) doubles in blocks, root 0 at $site" \
  "^  the block of rank $last has 5 elements, says rank $last, and 3, says rank 0$" -- "${checked[@]}" fault=cut
beside expect 'collective number 6' "rank $last: alltoall of 3 doubles per rank in place at $site" \
  "$others.*alltoall of 2 doubles per rank in place at $site" -- "${checked[@]}" fault=blocks
beside expect 'collective number 5' "rank $last: broadcast of 4 doubles, root 1" -- "${checked[@]}" fault=root
beside expect "rank $last: allreduce \(maximum\) of 4 doubles" -- "${checked[@]}" fault=operator
beside expect "rank $last: broadcast of 4 doubles" -- "${checked[@]}" fault=skip
# A rank that calls nothing, checked or not.
for mode in 'true blocking' 'false nonblocking'; do
  beside expect "allreduce at $site has been waited for longer than 2s" "rank $last is not known to have begun it" \
    "rank $last: no answer" "$others.*number 4, allreduce \(sum\) of 4 doubles in place at $site" \
    -- comm.checked="${mode% *}" comm.time_limit=2s fault=sleep rank=$last form="${mode#* }"
done
# A rank that begins one and then doesn't poll.
beside expect "allgather at $site has been waited for longer than 2s" "rank $last is not known to have begun it" \
  "$others.*allgather of .* at $site" -- comm.time_limit=2s fault=poll rank=$last
# By environment, for all programs.
export CARTWRIGHT_COMM_CHECKED=1
beside expect "rank $last: allreduce \(sum\) of 5 doubles" -- rank=$last fault=count
unset CARTWRIGHT_COMM_CHECKED

# A rank that dies takes the others along: mpirun sees to that, and gives the code of its signal (MPICH's: the
# bare number).
killed=137
[[ $MPI_FLAVOUR == mpich ]] && killed=9
death() {
  run fault=kill rank=$last comm.time_limit=10s
  [[ $status == "$killed" || $status == 3 ]] || fault 'expected the end after a death'
}
beside death
# Where mpirun doesn't, those that live on find out by themselves (mpirun's own exit code says nothing then). Not
# with MPICH 4.0.2: told to let them live (-disable-auto-cleanup), its mpiexec breaks down at the first death.
survivors() {
  MPIRUN="$MPIRUN --enable-recovery"
  run fault=kill rank=$last comm.time_limit=2s
  [[ $status != 124 && $said == 1 ]] && grep -q "rank $last: no answer" "$folder/err" \
    || fault 'expected survivors to name the dead'
}
[[ $MPI_FLAVOUR == mpich ]] || beside survivors
all_cases_passed
