#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# simulate_test.bash PROGRAM: what cartwright-simulate prints, writes and refuses.
LAUNCHER=${1:?path of cartwright-simulate}
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/../launcher/checks.bash"

try allreduce --ranks 64 --size 8 --machine archer
expect_code 0
expect_text 'recursive_multiplying(a4,a4,a4)    6.060 us    1.00'
expect_text 'recursive_doubling                 7.560 us    1.25'
expect_text 'numbers from: Rüfenacht 2020'
expect_text 'allreduce of 8 B on 64 ranks of archer: recursive_multiplying(a4,a4,a4), 6.060 us; next elimination'

try allreduce --ranks 7 --machine fennel --algorithm 'recursive_multiplying(m1g2a3,n1g3a2)' \
  --timeline "$work/merge.svg" --trace "$work/merge.json" --json "$work/table.json" --show 3
expect_code 0
expect_text '1.426 us'
expect_text 'rank 3 of 7'
expect_text 'received from'
grep -q '<svg' "$work/merge.svg" || wrong 'no picture'
python3 - "$work" <<'PYTHON' || wrong 'JSON cannot be read'
import json, sys
table = json.load(open(sys.argv[1] + "/table.json"))
assert table["algorithms"][0]["spread_seconds"] == 1e-7
assert json.load(open(sys.argv[1] + "/merge.json"))
PYTHON

# What isn't compared, and what the machine doesn't have, is said.
try allreduce --ranks 512 --size 8 --machine archer --limit 1000
expect_code 0
expect_text 'note: not compared, since not meant for so many ranks: star (--algorithm star shows it)'
expect_text "note: 512 nodes, as many as it takes: the description of 'archer' sets no limit"
try allreduce --ranks 512 --machine archer --algorithm star
expect_code 0
expect_no_text 'not compared'
try barrier --ranks 600 --machine chic
expect_code 0
expect_text "note: 'chic' has 538 nodes; 600 are imagined to be there"
expect_text 'messages between nodes'
try barrier --ranks 538 --machine chic
expect_code 0
expect_no_text 'imagined'
try barrier --ranks 4 --machine chic --timeline "$work/b.png"
expect_code 1
expect_one_error
expect_text "--timeline: '$work/b.png' doesn't end in .svg"
try barrier --ranks 0
expect_one_error
expect_text 'cartwright: error: -n, --ranks: '

# A million ranks by formula, and what is simulated of them.
try broadcast --ranks 1000000 --size 1MiB --machine frontier --limit 1000
expect_code 0
expect_text 'formula'
try barrier --ranks 1 --machine jaguar
expect_code 0
try scatter --ranks 5 --size 0 --root 4 --machine chic --all
expect_code 0
try allgather --ranks 31 --size 3 --machine ra --arrivals random --latest 20us --noise 100ns --seed 7
expect_code 0

try --list
expect_code 0
expect_text 'n_way_binomial(fan-out)'
expect_text 'jaguar'

for bad in 'allreduce' '--ranks 4' 'allreduce --ranks 0' 'allreduce --ranks x' 'allreduce --ranks 4 --size -1' \
  'allreduce --ranks 4 --machine nowhere' 'allreduce --ranks 4 --algorithm nothing' 'gather --ranks 4 --root 4' \
  'broadcast --ranks 4 --algorithm chain(0)' 'allreduce --ranks 4 --algorithm recursive_multiplying(a3)' \
  'allreduce --ranks 4 --show 9' 'allreduce --ranks 4 --timeline /nowhere/at/all.svg' 'allreduce --ranks 4 --bogus'; do
  # shellcheck disable=SC2086 # several words
  try $bad
  expect_code 1
  expect_no_text 'terminate called'
done
try broadcst --ranks 4
expect_code 1
expect_text "did you mean 'broadcast'?"

# Where results go: devices and pipes are written, never replaced; what can't be written is refused before any work.
ls -A "$work" >"$work/.before"
for place in / . .. "$work" '' "$work/none/file" "$(printf 'n%.0s' {1..300})"; do
  for option in --json --timeline --trace; do
    [[ -n $place ]] || continue
    try allreduce --ranks 4 --size 8 --machine archer "$option" "$place"
    expect_code 1
    expect_text "cannot write '$place'"
    expect_no_text 'recursive_doubling '
  done
done
ln -s loop "$work/loop"
try allreduce --ranks 4 --size 8 --machine archer --json "$work/loop"
expect_code 1
rm "$work/loop"
ls -A "$work" | diff "$work/.before" - || wrong 'something was left behind'
if mknod "$work/null" c 1 3 2>/dev/null; then
  for option in --json --timeline --trace; do
    try allreduce --ranks 4 --size 8 --machine archer "$option" "$work/null"
    expect_code 0
    [[ -c $work/null ]] || wrong "$option has replaced a device"
  done
fi
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/read" &
try allreduce --ranks 4 --size 8 --machine archer --json "$work/pipe"
expect_code 0
wait $!
[[ -p $work/pipe && -s $work/read ]] || wrong 'a pipe was replaced, or got nothing'
try allreduce --ranks 4 --size 8 --machine archer --json /dev/stdout
expect_code 0
expect_text '}'
[[ -L /dev/stdout ]] || wrong '/dev/stdout was replaced'

finish
