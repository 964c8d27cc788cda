#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Kills checkpoint writers (a rank or mpirun, at a random moment): the newest checkpoint is always whole,
# on another number of ranks. Usage: killed_writer_test.sh PROGRAM [KILLS]
set -u
program=$1
kills=${2:-6}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
RANDOM=17

await_first() {
  for _ in $(seq 200); do
    compgen -G "$directory/step_*.h5" >/dev/null && return
    sleep 0.05
  done
}

for kill in $(seq "$kills"); do
  rm -rf "${directory:?}"/*
  $MPIRUN -n 3 "$program" write "$directory" >/dev/null 2>&1 &
  writer=$!
  await_first
  sleep "0.$(printf '%03d' $((RANDOM % 500)))"
  mapfile -t ranks < <(pgrep -f "^$program write $directory")
  victim=$writer
  if ((kill % 3 != 0 && ${#ranks[@]} > 0)); then victim=${ranks[RANDOM % ${#ranks[@]}]}; fi
  kill -9 "$victim"
  wait "$writer" 2>/dev/null
  for _ in $(seq 100); do
    pgrep -f "^$program write $directory" >/dev/null || break
    sleep 0.1
  done
  readers=$((1 + kill % 4))
  if ! $MPIRUN -n "$readers" "$program" read "$directory"; then
    echo "kill $kill (process $victim): no whole checkpoint; there are:"
    ls -l "$directory"
    exit 1
  fi
done
echo "$kills kills, $kills whole checkpoints"
