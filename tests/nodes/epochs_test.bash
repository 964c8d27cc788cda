#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# epochs_test.bash PROGRAM: random programs of epochs between nodes, while links are cut and ranks are killed.
set -uo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")

# --rank FOLDER PROGRAM ARGUMENT…: what mpirun starts. It notes with what the rank has ended, and kills rank 1 when it is told to.
if [[ ${1:-} == --rank ]]; then
  work=$2
  shift 2
  exec {held}>>"$work/held" # by the program, too, whatever becomes of this script
  flock --shared "$held"
  "$@" &
  program=$!
  if [[ ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}} == 1 ]]; then
    while [[ ! -e $work/kill ]] && kill -0 $program 2>/dev/null; do sleep 0.1; done
    [[ ! -e $work/kill ]] || kill -KILL $program
  fi
  wait $program
  code=$?
  printf '%d\n' $code >>"$work/codes"
  ((code <= 128)) || kill -KILL $$
  exit $code
fi

# shellcheck source=tests/cases.bash
source "$here/../cases.bash"
program=$1
make_nodes=$here/../../launcher/make_nodes
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
"$make_nodes" 1x1 slot true || exit

wrong() {
  printf 'FAILED: %s: %s\n%s\n' "$called" "$1" "$(<"$work/log")"
  exit 1
}

# begin LAYOUT RANKS ARGUMENT…: in the background, until epochs are open, as they are from then on.
begin() {
  called=$*
  work=$folder
  mkfifo "$work/orders"
  exec {orders}<>"$work/orders" # writing never waits for a reader
  # shellcheck disable=SC2086
  CARTWRIGHT_NODES_CONTROL=$work/orders "$make_nodes" "$1" slot $MPIRUN -n "$2" \
    bash "$here/epochs_test.bash" --rank "$work" "$program" seed=5 first=8 "${@:3}" >"$work/log" 2>&1 </dev/null &
  process=$!
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    ! grep -qs 'epochs are open' "$work/log" || return 0
    sleep 0.1
  done
  wrong 'it did not begin'
}

expect_running() {
  if [[ -e $work/codes ]] || ! kill -0 "$process" 2>/dev/null; then wrong "it had ended $1"; fi
}

# A link that comes back in time costs nothing but time.
healed() { # healed LAYOUT RANKS
  begin "$@" seconds=8 stop.silence=60s
  sleep 1
  expect_running 'before the link was cut'
  echo 'cut 1' >&"$orders"
  sleep 4
  expect_running 'before the link was there again'
  echo 'heal 1' >&"$orders"
  wait "$process" || wrong "code $?"
  grep -qE "^[0-9]+ programs on $2 ranks, 0 faults$" "$work/log" || wrong 'results differ'
}
beside healed 2x1 2
beside healed 3x2 6

# All ranks have ended in time, none with 0. An mpirun that can't reach a node any more stays; that is the launcher's business.
expect_end() { # expect_end SECONDS
  local code begin=$SECONDS
  until ! kill -0 "$process" 2>/dev/null || flock --exclusive --nonblock "$work/held" true; do
    ((SECONDS - begin < $1 + 30)) || wrong "it had not ended $((SECONDS - begin)) s later" # 30 for a busy machine
    sleep 0.1
  done
  { kill -KILL "$process" && wait "$process"; } 2>/dev/null
  while read -r code; do ((code != 0)) || wrong 'a rank has ended with 0'; done <"$work/codes"
}

expect_messages() { # expect_messages HOW_MANY
  [[ $(grep -c 'cartwright: error' "$work/log") == "$1" ]] || wrong "not $1 messages"
}

unreachable() { # unreachable NODE, cut off
  begin 2x2 4 stop.silence=3s
  expect_running 'before the link was cut'
  echo "cut $1" >&"$orders"
  expect_end $((3 + 10))
  expect_messages 1
  grep -qF 'node node1 (ranks 2, 3) has been unreachable for longer than 3s (stop.silence)' "$work/log" || wrong 'another message'
}
beside unreachable 1
beside unreachable 0

# Of a rank that was killed mpirun speaks, and nobody else.
killed() {
  begin 2x1 2 stop.silence=3s
  expect_running 'before a rank was killed'
  touch "$work/kill"
  expect_end $((3 + 10))
  expect_messages 0
  grep -q '^137$' "$work/codes" || wrong 'no rank was killed'
}
beside killed

all_cases_passed || exit 1
printf 'all right\n'
