#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# map_test.bash PROGRAM: what cartwright-map prints, writes and refuses.
LAUNCHER=${1:?path of cartwright-map}
unset SLURM_TASKS_PER_NODE
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/../launcher/checks.bash"

try --dims 24x24 --machine jaguar -n 576
expect_code 0
expect_text '24 x 24 ranks on 48 nodes of 12 (jaguar)'
expect_text 'A A A|B B B|C C C|D D D|E E E|F F F|G G G|H H H'
expect_text '576 (24 + 552)'
expect_text '288 (168 + 120)'
expect_text 'lower bound 288'
expect_text 'tiles of 3 x 4: no mapping can leave less between nodes'
expect_text 'chains of 4 KiB, overlapped'
expect_text '576 from node to node'
expect_text 'quickest broadcasts, predicted:'
expect_no_text $'\033'

# Every strategy, with a picture and for programs.
try --dims 6x8 --machine ra --compare --simulate --no-picture --picture "$work/grid.svg" --json "$work/grid.json"
expect_code 0
for strategy in 'ranks in their order' round-robin 'tiles of' strips hyperplanes 'k-d tree' "Hilbert's curve" bricks; do
  expect_text "$strategy"
done
expect_text simulated
python3 - "$work" <<'PYTHON' || wrong 'picture or JSON are wrong'
import json, sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1] + "/grid.svg")
grid = json.load(open(sys.argv[1] + "/grid.json"))
assert grid["dims"] == [6, 8] and grid["node_sizes"] == [8] * 6 and grid["faces"] == 82
assert sorted(grid["nodes"]) == sorted(list(range(6)) * 8)
best = min(one["off_node_faces"] for one in grid["mappings"])
assert best == grid["lower_bound"] == 22
before = grid["mappings"][0]
assert before["halo_messages_by_level"][0] == 2 * 34 and sum(before["halo_messages_by_level"]) == 2 * 82
assert before["mapping"] == "ranks in their order" and before["off_node_faces_by_axis"] == [4, 30]
assert all(b["seconds"] > 0 and b["simulated_seconds"] > 0 for b in before["broadcasts"])
PYTHON

# One, three and four dimensions, rings, unequal nodes, weights, one rank.
try --dims 12 --machine alamode
expect_code 0
try --dims 4x4x4 --machine ra
expect_code 0
expect_text 'z = 3'
expect_text '48 (16 + 16 + 16)'
try --dims 2x3x2x2 --nodes 4 --periodic all
expect_code 0
expect_text 'rings along x y z 3'
expect_text 'axis 3 = 1'
try --dims 8x6 --nodes 5x8,2x4 --periodic x
expect_code 0
expect_text '5 nodes of 8, 2 of 4, rings along x'
try --dims 4x4 --nodes 4 --weights 100,1 --no-picture
expect_code 0
expect_text 'weights 100, 1'
expect_text '12 (0 + 12)'
try --extents 4096x1024 -n 96 --nodes 8
expect_code 0
try --dims 1x1 --nodes 1
expect_code 0
expect_text 'nothing has to leave a node'
try --dims 7x7 --machine ra --ranks-per-node 7 --face 64KiB,1KiB --line 4MiB --effort 0
expect_code 0
try --dims 4x2 --nodes 2 --json -
expect_code 0
python3 -c 'import json, sys; json.loads(sys.argv[1])' "$text" || wrong 'JSON cannot be read'
try --dims 300x2 --nodes 6
expect_code 0
expect_text '--picture FILE.svg'
SLURM_TASKS_PER_NODE='8(x5),4,4' try --dims 8x6
expect_code 0
expect_text '8 x 6 ranks on 5 nodes of 8, 2 of 4'
SLURM_TASKS_PER_NODE='nonsense(' try --dims 8x6
expect_code 1
try --help
expect_code 0
expect_text '5x8,2x4'

for bad in '' '--dims 4x4' '--dims 4y4 --nodes 2' '--dims 0x4 --nodes 1' '--dims 4x4x --nodes 2' '--dims -4x4 --nodes 2' \
  '--dims 1x1x1x1x1x1x1 --nodes 1' '--dims 99999x99999 --nodes 2' '--dims 4x4 -n 15 --nodes 2' '--dims 4x4 -n 0 --nodes 2' \
  '--dims 24x24 --machine nowhere' '--dims 24x24 --machine alamode' '--dims 4x4 --machine archer' \
  '--dims 4x4 --machine ra --ranks-per-node 9' '--dims 4x4 --nodes 3' '--dims 4x4 --nodes 17' '--dims 4x4 --nodes x' \
  '--dims 4x4 --nodes 5x8,2x4' '--dims 4x4 --nodes 4x --ranks-per-node 4' '--dims 4x4 --nodes 4x4 --ranks-per-node 4' \
  '--dims 4x4 --nodes 3 --ranks-per-node 4' '--dims 4x4 --ranks-per-node 0' '--dims 4x4 --nodes 2 --periodic z' \
  '--dims 4x4 --nodes 2 --weights 1' '--dims 4x4 --nodes 2 --weights 1,-1' '--dims 4x4 --nodes 2 --weights 1,nan' \
  '--dims 4x4 --machine ra --face 0' '--dims 4x4 --machine ra --face 1,2,3' '--dims 4x4 --machine ra --line 0' \
  '--dims 4x4 --nodes 2 --simulate' '--dims 4x4 --nodes 2 --effort -1' '--extents 64x64 --nodes 2' \
  '--extents 64x64 --dims 4x4 --nodes 2' '--extents 2x2 -n 97 --nodes 97' '--dims 4x4 --nodes 2 --bogus' \
  '--dims 4x4 --nodes 2 --picture /nowhere/at/all.svg' '--dims 4x4 --nodes 2 --json /nowhere/at/all.json'; do
  # shellcheck disable=SC2086 # several words
  try $bad
  expect_code 1
  expect_no_text 'terminate called'
done
try --dims 24x24 --machine jagua
expect_text "did you mean 'jaguar'?"
try --dims 4x4 -n 15 --nodes 2
expect_text 'write -n 16'

try --dims 4x4 -n 0 --nodes 2
expect_text 'cartwright: error: -n, --ranks: '
expect_text './cartwright map --help lists the options.'
try --dims 4x4 --nodes 2 --pictur x.svg
expect_one_error
expect_text "there is no option '--pictur', did you mean '--picture'?"
try --dims 4x4 --nodes 2 --no-picture x.svg --bogus
expect_text "cartwright: error: 'x.svg' isn't expected here"
try --dims 4x4 --nodes 2 --picture
expect_text '--picture needs a value, but none is given'
try --dims 4x4 --nodes 2 --picture "$work/x.png"
expect_code 1
expect_one_error
expect_text "--picture: '$work/x.png' doesn't end in .svg"
[[ ! -e $work/x.png ]] || wrong 'a picture was written under another name'

# Where results go: devices and pipes are written, never replaced; what can't be written is refused before any work.
ls -A "$work" >"$work/.before"
for place in / . .. "$work" '' "$work/none/file" "$(printf 'n%.0s' {1..300})"; do
  for option in --json --picture; do
    [[ -n $place ]] || continue
    try --dims 4x4 -n 16 --nodes 4 --no-picture "$option" "$place"
    expect_code 1
    expect_text "cannot write '$place'"
    expect_no_text 'lower bound'
  done
done
ln -s loop "$work/loop"
try --dims 4x4 -n 16 --nodes 4 --no-picture --json "$work/loop"
expect_code 1
rm "$work/loop"
ls -A "$work" | diff "$work/.before" - || wrong 'something was left behind'
if mknod "$work/null" c 1 3 2>/dev/null; then
  for option in --json --picture; do
    try --dims 4x4 -n 16 --nodes 4 --no-picture "$option" "$work/null"
    expect_code 0
    [[ -c $work/null ]] || wrong "$option has replaced a device"
  done
fi
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/read" &
try --dims 4x4 -n 16 --nodes 4 --no-picture --json "$work/pipe"
expect_code 0
wait $!
[[ -p $work/pipe && -s $work/read ]] || wrong 'a pipe was replaced, or got nothing'
try --dims 4x4 -n 16 --nodes 4 --no-picture --json /dev/stdout
expect_code 0
expect_text '}'
[[ -L /dev/stdout ]] || wrong '/dev/stdout was replaced'

finish
