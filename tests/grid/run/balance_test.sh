#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# balance_test.sh PROGRAM COMPARE: cells on one side take longer. Where `grid.balance: arrivals` moves work, on any number
# of ranks, and on others after a restart, results have the bits of a run with even blocks. MPIRUN holds the words that
# start MPI programs.
set -u
program=$1 compare=$2
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
faults=0

# fault FILE WORDS: says what is wrong, and what was said.
fault() {
  echo "FAULT: $2" && cat "$1"
  ((++faults))
}

# same DIRECTORY WORDS: the results have the bits of the run with even blocks.
same() {
  "$compare" "$folder/even" "$1" >"$1.compared" 2>&1 || fault "$1.compared" "other bits: $2"
}

cat >"$folder/deck.yaml" <<'DECK'
solver: uneven
uneven: {part: 0.25, loops: 0, sleep: 20}
grid: {extent: [64, 24], weights: {least: 2}}
initial: {u: "sin(3*x)*cos(5*y)"}
time: {steps: 100}
output: {every: 50}
checkpoint: {every: 10}
DECK

# make RANKS DIRECTORY SETTING…
make() {
  local ranks=$1 out=$2
  shift 2
  timeout -k 5 $((90 * ${CARTWRIGHT_SLOWDOWN:-1})) $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" \
    output.directory="$out" "$@" >"$out.said" 2>&1 </dev/null || fault "$out.said" "$ranks ranks, $*: exit code $?"
}
make 1 "$folder/even"

# moves RANKS: work moves, and nothing else changes. Costly cells sleep, so that a busy machine doesn't hide what they take,
# and for so long that beginning anew pays.
moves() {
  local out=$folder/moved_$1
  make "$1" "$out" grid.balance=arrivals uneven.sleep="$((50 * $1))"
  same "$out" "$1 ranks"
  [[ $1 == 1 ]] || grep -q 'work moves' "$out.said" || fault "$out/report.json" "no work moved on $1 ranks"
  grep -q 'moving work would gain' "$out/report.json" || fault "$out/report.json" "nothing of balance on $1 ranks"
  grep -qE '"steps": *100' "$out/report.json" || fault "$out/report.json" "not 100 steps on $1 ranks"
}
for ranks in 1 2 3 4 6 8; do moves $ranks; done

# What a checkpoint knows of the work is of use to other ranks, with or without balance.
goes_on() {
  local out=$folder/goes_on_$1_$2_$3
  make "$1" "$out" grid.balance=arrivals time.steps=50
  make "$2" "$out" grid.balance="$3" --restart
  same "$out" "$1 ranks, then $2, $3"
}
goes_on 4 3 arrivals
goes_on 2 8 arrivals
goes_on 6 1 none
goes_on 3 2 watch

# Watching moves nothing.
make 2 "$folder/watched" grid.balance=watch
! grep -q 'work moves' "$folder/watched.said" || fault "$folder/watched.said" "watched work moved"
grep -q '"0 times"' "$folder/watched/report.json" || fault "$folder/watched/report.json" "nothing of what was watched"

# Where steps take longer once work has moved, it moves back, and stays: what made a rank late wasn't its work. Steps are
# so long that both ways pay after few of them, even where a busy machine takes a second to begin anew.
back=$folder/back
make 2 "$back" grid.balance=arrivals uneven.sleep=150 uneven.wake=200000
same "$back" "back again"
[[ $(grep -c 'work moves' "$back.said") == 2 ]] || fault "$back.said" "work didn't move there and back"
grep -q '2 times; stays: steps took' "$back/report.json" || fault "$back/report.json" "nothing of the way back"

# Weights are a first guess.
make 4 "$folder/guess" grid.balance=arrivals 'grid.weights.formula=x<0.25*lx ? 9 : 1'
same "$folder/guess" "with weights"
((faults == 0))
