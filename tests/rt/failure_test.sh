#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# failure_test.sh PROGRAM RANKS: every way to fail ends all ranks in time, with one message and its
# exit code. MPIRUN holds the words that start MPI programs.
set -u
# shellcheck source=tests/exit_status.bash
source "$(dirname "${BASH_SOURCE[0]}")/../exit_status.bash"
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../cases.bash"
program=$1 ranks=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'log: {level: quiet}\n' >"$folder/deck.yaml"
limit=$((15 * ${CARTWRIGHT_SLOWDOWN:-1}))  # s: 5 s, and the start of mpirun on a busy machine

# expect CODE MESSAGE SETTING…: the program must end with CODE and say MESSAGE in its one message.
expect() {
  local code=$1 message=$2 begin=$SECONDS status said
  shift 2
  timeout -k 5 $limit $MPIRUN -n "$ranks" $program "$folder/deck.yaml" "$@" \
    >"$folder/out" 2>"$folder/err" </dev/null
  status=$?
  said=$(cat "$folder/out" "$folder/err" | grep -c 'cartwright: error:')
  if ! same_status "$status" "$code" "$folder/out" "$folder/err" || [[ $said != 1 ]] || ! grep -q -- "$message" "$folder/err"; then
    echo "FAULT: $* on $ranks ranks: exit code $status (expected $code), $said messages," \
      "$((SECONDS - begin)) s; expected '$message', got:"
    cat "$folder/out" "$folder/err"
  fi
}

last=$((ranks - 1))
for rank in $last -1; do
  beside expect 1 'bad input' fail=input rank=$rank
  beside expect 2 'not a number' fail=number rank=$rank
  beside expect 3 'plain exception' fail=plain rank=$rank
done
beside expect 1 'all have met it' fail=all rank=-1
[[ $ranks -gt 1 ]] && beside expect 1 'all have met it' fail=all rank=$last
beside expect 3 'out of memory: this rank held' fail=memory rank=$last
beside expect 3 'unknown type' fail=unknown rank=$last
beside expect 3 'MPI_Isend failed: .*[iI]nvalid rank' fail=mpi rank=$last
beside expect 3 'in a thread' fail=thread rank=$last
beside expect 3 'from a destructor' fail=destructor rank=$last
beside expect 3 'from noexcept' fail=noexcept rank=$last
if [[ -z ${CARTWRIGHT_SANITIZE-} ]]; then
  for rank in $last -1; do beside expect 3 'SIGSEGV' fail=segv rank=$rank; done
  beside expect 3 'died after step 7: an arithmetic error' fail=divide rank=$last
  beside expect 3 'SIGABRT' fail=abort rank=$last
  beside expect 3 'SIGSEGV' fail=stack rank=$last
  beside expect 3 'a library gave up (SIGTRAP)' fail=trap rank=$last
  beside expect 3 'a library gave up (SIGTRAP)' fail=traps rank=$last
  beside expect 3 'a library gave up (SIGTRAP)' fail=traps rank=-1
  # In so little memory MPI crashes or hangs.
  started=$program
  program="prlimit --as=150000000 $started"
  beside expect 3 'out of memory: MPI and its libraries need about' fail=no
  program="prlimit --as=1500000000 $started"
  beside expect 3 'out of memory: .*a process may have 1.40 GiB (ulimit -v)' fail=memory rank=$last
  beside expect 3 'Its memory is limited to 1.40 GiB' fail=segv rank=$last
  # With so few handles MPI can't begin, and would say so in its own words.
  program="prlimit --nofile=14 $started"
  beside expect 3 'need about 16 open files to start, and .* are left of the 14' fail=no
  # Files that Open MPI makes for itself meet the limit, too. (MPICH over UCX makes larger ones, without which it ends the
  # process in MPI_Init, before a line of ours.)
  program="prlimit --fsize=37888 $started"
  [[ $MPI_FLAVOUR == mpich ]] || beside expect 1 'bad input' fail=input rank=-1
  program=$started
else
  echo 'not reached here: fatal signals, stack overflow, limits on memory (the sanitizer has handlers and address space of its own)'
fi
beside expect 1 'unknown key' unknown_key=3
beside expect 1 'no-such-option' --no-such-option
all_cases_passed
