#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./cartwright run --nodes: links that are cut, and links that come back.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/../launcher/checks.bash"
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../cases.bash"
root=$(dirname -- "$launcher")
"$root/launcher/make_nodes" 1x1 slot true || exit
deck=$root/inputs/pde/heat_1d.yaml
folder=$work

# begin LAYOUT SETTING…: a run in the background, until it steps.
begin() {
  called="cartwright run --nodes $*"
  work=$folder
  mkfifo "$work/orders"
  exec {orders}<>"$work/orders" # writing never waits for a reader
  export CARTWRIGHT_NODES_CONTROL=$work/orders
  "$launcher" run "$deck" --nodes "$@" output.directory="$work/out" time.end=1e9 output.pictures.every=0 output.every=1000000 \
    checkpoint.every=200 >"$work/log" 2>&1 </dev/null &
  process=$!
  local tries
  for ((tries = 0; tries < 2000; tries++)); do
    compgen -G "$work/out/checkpoints/step_*.h5" >/dev/null && sleep 2 && return
    sleep 0.1
  done
  text=$(<"$work/log") code=-
  wrong 'it did not begin to step'
}

# turns: tenths of a second for which a process of this machine has slept until the run had ended. As the watchers' own count
# of silence they stand still where the machine gives nobody a turn.
end() {
  for ((turns = 0; ; turns++)); do
    kill -0 "$process" 2>/dev/null || break
    sleep 0.1
  done
  wait "$process"
  code=$?
  text=$(<"$work/log")
}

# One message, from the part with rank 0, and no report; in time, though a busy machine takes longer to end it all.
expect_end() {
  expect_code 3
  [[ $(grep -c 'cartwright: error' <<<"$text") == 1 ]] || wrong 'expected one message'
  expect_text "$1"
  [[ ! -e $work/out/report.json ]] || wrong 'a report says that it finished'
  ((turns < 10 * (3 + 10 + 30))) || wrong "it took $turns turns of 0.1 s to end"
}

unreachable() { # unreachable NODE, cut off
  begin 2x2 stop.silence=3s time.steps=100000000
  echo "cut $1" >&"$orders"
  end
  expect_end 'node node1 (ranks 2, 3) has been unreachable for longer than 3s (stop.silence)'
  expect_text 'What the ranks do:'
  expect_no_text 'rank 2:'
}
beside unreachable 1
beside unreachable 0

# One node of three loses its power: who notices first, mpirun or a watcher, says so.
without_power() {
  begin 3x1 stop.silence=3s time.steps=100000000
  echo 'crash 2' >&"$orders"
  end
  expect_end 'cartwright: error'
}
beside without_power

# A node that can't be reached before anything was started there: who has patience then, mpirun, ranks or the launcher, says so.
never_there() { # never_there SECONDS after which it is cut off
  called="cartwright run --nodes 2x2, node 1 cut off after $1 s" work=$folder
  CARTWRIGHT_STOP_SILENCE=1s CARTWRIGHT_NODES_CUT="$1 1" "$launcher" run "$deck" --nodes 2x2 output.directory="$work/out" time.end=1e9 \
    time.steps=100000000 output.pictures.every=0 output.every=1000000 >"$work/log" 2>&1 </dev/null &
  process=$!
  end
  expect_end 'cartwright: error'
}
beside never_there 0
beside never_there 0.1

# A link that comes back in time is survived: the ranks still agree on stopping, and write a checkpoint together.
healed() {
  begin 2x1 stop.silence=60s time.steps=100000000
  echo 'cut 1' >&"$orders"
  sleep 3
  echo 'heal 1' >&"$orders"
  touch "$work/out/STOP"
  end
  expect_code 4
  expect_no_text 'cartwright: error'
}
beside healed
all_cases_passed || exit 1
printf 'all right\n'
