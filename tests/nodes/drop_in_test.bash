#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# drop_in_test.bash LIBRARY PROGRAM: a program that knows MPI only, with the library preloaded, on several nodes.
set -u
library=$1 program=$2
failed=0
# Beside what MPIRUN preloads.
# shellcheck disable=SC2016 # for another shell
preloaded='LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"'

# expect TEXT SETTING PART
expect() {
  local said
  # shellcheck disable=SC2086 # words
  said=$($MPIRUN -n "$RANKS" env "$2" sh -c "$preloaded" "$library" "$program" "$3" 2>&1)
  grep -qF right <<<"$said" && grep -qF "$1" <<<"$said" && return
  printf 'FAULT: %s did not say "%s":\n%s\n' "$3" "$1" "$said"
  failed=1
}

# shellcheck disable=SC2086
nodes=$($MPIRUN -n "$RANKS" hostname | sort -u | wc -l)
expect 'right' CARTWRIGHT_DROP_IN_AFTER=0 messages
expect "$((nodes - 1)) neighbours on other nodes" CARTWRIGHT_DROP_IN_REORDER=1 grid
exit $failed
