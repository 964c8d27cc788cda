#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# leaving_test.sh PROGRAM: loops that are left before their end, by all of three ranks or by one. Nothing hangs; exit
# codes, messages and last outputs are right. MPIRUN holds the words that start MPI programs.
set -u
# shellcheck source=tests/exit_status.bash
source "$(dirname "${BASH_SOURCE[0]}")/../../exit_status.bash"
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../../cases.bash"
program=$1
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
printf 'grid: {extent: [12]}\ntime: {steps: 9, step: 0.5}\nlog: {level: quiet}\n' >"$folder/deck.yaml"

# expect CODE MESSAGE LAST SETTING…: the program ends with CODE, says MESSAGE (its only one, if it fails) and leaves
# the output of step LAST.
expect() {
  local code=$1 message=$2 last=$3 begin=$SECONDS status errors newest
  shift 3
  timeout -k 5 $((60 * ${CARTWRIGHT_SLOWDOWN:-1})) $MPIRUN -n 3 "$program" "$folder/deck.yaml" output.directory="$folder/out" "$@" \
    >"$folder/said" 2>&1 </dev/null
  status=$?
  errors=$(grep -c 'cartwright: error:' "$folder/said")
  newest=$(find "$folder/out/fields" -name '*.h5' 2>/dev/null | sort | tail -n 1)
  if ! same_status "$status" "$code" "$folder/said" || [[ $errors != $((code > 0)) || $newest != *0$last.h5 ]] ||
    ! grep -sq -- "$message" "$folder/said" "$folder/out/report.json"; then
    echo "FAULT: $*: exit code $status (expected $code), $errors messages, last output $newest, $((SECONDS - begin)) s;" \
      "expected '$message', got:"
    cat "$folder/said"
  fi
}

beside expect 0 'the solver left its loop in step 4' 4 leaving.how=break
beside expect 0 'the solver left its loop in step 4' 4 leaving.how=return
beside expect 0 'it is steady' 4 leaving.how=stop
beside expect 2 'all have met it' 4 leaving.how='shared error'
beside expect 2 'this rank has met it' 0 leaving.how=error leaving.rank=1
beside expect 2 'this rank has met it' 0 leaving.how=error
beside expect 2 'all have met it' 0 leaving.how='shared error' leaving.rank=2
beside expect 3 'the solver has caught an error that left its loop' 0 leaving.how=caught
# One rank leaves: the others are in the next step, or wait for it in this one.
for talk in halo none; do
  for first in false true; do
    beside expect 3 'A break or return must be the same on all ranks' 0 leaving.how=break leaving.rank=1 leaving.talk=$talk \
      leaving.first=$first
  done
done
beside expect 3 'A break or return must be the same on all ranks' 0 leaving.how=break leaving.rank=1 leaving.talk=reduction
# Nothing tells this from a long step but the time.
beside expect 3 'comm.time_limit' 0 leaving.how=break leaving.rank=1 leaving.talk=reduction leaving.first=true comm.time_limit=8s
beside expect 3 'A break or return must be the same on all ranks' 0 leaving.how=return leaving.rank=0
beside expect 3 'A break or return must be the same on all ranks' 0 leaving.how=break leaving.rank=2 leaving.first=true
all_cases_passed
