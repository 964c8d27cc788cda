#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./cartwright tune: what it stores is found again, and adds to what was there. BUILD: the build to use.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
export CARTWRIGHT_BUILD=${BUILD:?} CARTWRIGHT_HOME=$work/home CARTWRIGHT_MACHINES=$work/machines
cd "$work" || exit 1

try tune --help
expect_code 0
expect_text '--quick'
expect_text '--topology' # the page of the program
expect_text '-n RANKS'
for mistake in '-n 0' '--bogus' 'allreduc' '--size -4' '--ranks-of 1' '--topology node:2'; do
  # shellcheck disable=SC2086 # two words
  try tune -n 2 $mistake
  expect_code 1
done
try tune -n 2 allreduc
expect_text "did you mean 'allreduce'"
try tune -n 1
expect_code 1
expect_one_error
expect_text 'nobody to talk to'
try tune -n 2 barrier --quick --output /proc/none/here.json
expect_code 1
expect_one_error
expect_text 'cannot write'

# Devices, pipes and directories: refused before anything is measured, or written and never replaced.
mkdir places
for place in / "$work/places" "$work/none/here.json"; do
  try tune -n 2 --quick barrier --output "$place"
  [[ $place == */none/* ]] && continue # makes its directory
  expect_code 1
  expect_one_error
  expect_text "cannot write '$place': it is a directory"
  expect_no_text 'quickest'
done
if mknod places/null c 1 3 2>/dev/null; then
  try tune -n 3 --quick barrier --output "$work/places/null"
  expect_code 0
  [[ -c places/null && $(ls -A places) == null ]] || wrong 'the device was replaced, or files lie beside it'
fi
rm -f places/null
mkfifo places/pipe
cat places/pipe >piped.json &
try tune -n 4 --quick barrier --output "$work/places/pipe"
expect_code 0
wait $!
python3 -c 'import json; assert len(json.load(open("piped.json"))["tuned"]) == 2' || wrong 'not one whole table'

try tune -n 2 --quick allreduce --size 8 --size 4KiB
expect_code 0
expect_text '2 ranks on one node'
table=$(find machines -name '*.tuned.json')
[[ -n $table ]] || wrong 'no table was stored'
try tune -n 2 --quick barrier
expect_code 0
python3 - "$table" <<'PYTHON' || wrong "the table isn't what it should be"
import json, sys
table = json.load(open(sys.argv[1]))
(of_two,) = table["tuned"]
assert of_two["ranks"] == 2 and of_two["nodes"] == 1
seen = [(w["operation"], w["bytes"]) for w in of_two["winners"]]
assert seen == [("allreduce", 8), ("allreduce", 4096), ("barrier", 0)], seen
assert all(w["backend"] in ("native", "p2p", "shared") and w["seconds"] > 0 for w in of_two["winners"])
PYTHON

# A table that nobody can read is no table.
echo '{"fingerprint": 7' >"$table"
try tune -n 2 --quick barrier
expect_code 0
# A virtual topology has a table of its own.
try tune -n 4 --quick --topology 'node:2 core:2' barrier --ranks-of 4
expect_code 0
expect_text '4 ranks'
[[ $(find machines -name '*virtual.tuned.json' | wc -l) == 1 ]] || wrong 'no table of the imagined nodes'
finish
