#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./cartwright probe: what it writes can be used, a second probe uses it, and nothing hangs. BUILD: the build to use.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
export CARTWRIGHT_BUILD=${BUILD:?} CARTWRIGHT_HOME=$work/home CARTWRIGHT_MACHINES=$work/machines
cd "$work" || exit 1

try probe --help
expect_code 0
expect_text '--quick'
for mistake in '-n 0' '-n two' '--bogus' '--patience never' '--topology node:2' '--analyse missing.jsonl'; do
  # shellcheck disable=SC2086 # two words
  try probe $mistake
  expect_code 1
done
try probe -n 1
expect_code 1
expect_one_error
expect_text 'at least two ranks'
try probe -n 3 --topology 'node:1 core:2'
expect_code 1
expect_one_error
expect_text 'too few for 3 ranks'
try probe -n 2 --quick --output /proc/none/here.yaml
expect_code 1
expect_one_error
expect_text 'cannot write'
[[ -z $(find machines -type f 2>/dev/null) ]] || wrong 'a probe that failed has written something'

for place in / "$work"; do
  try probe -n 2 --quick --output "$place"
  expect_code 1
  expect_one_error
  expect_text "cannot write '$place': it is a directory"
  expect_no_text 'ping-pong'
done
mkfifo "$work/pipe"
try probe -n 2 --output "$work/pipe.yaml" --analyse "$work/pipe"
expect_code 1
expect_one_error
expect_text 'it is a pipe'
[[ -z $(find . -name '*.unfinished' -o -name '*.jsonl') ]] || wrong 'something was left behind'
# A device stays one, and gets no files beside it.
mkdir devices
if mknod devices/null c 1 3 2>/dev/null; then
  try probe -n 2 --quick --output "$work/devices/null"
  expect_code 0
  [[ -c devices/null && $(ls -A devices) == null ]] || wrong 'the device was replaced, or files lie beside it'
fi

# Without --output: where later probes look.
try probe -n 2 --quick
expect_code 0
machine=$(find machines -name '*-1x2.yaml')
[[ -s $machine ]] || wrong 'no machine file'
[[ -s ${machine%.yaml}.samples.jsonl ]] || wrong 'no samples'
[[ $(find machines -name '*.svg' | wc -l) == 7 ]] || wrong 'not seven pictures'
[[ -z $(find machines -name '*.unfinished') ]] || wrong 'parts of files are left'
python3 - "${machine%.yaml}" <<'PYTHON' || wrong 'samples or pictures cannot be read'
import glob, json, sys, xml.dom.minidom
lines = [json.loads(line) for line in open(sys.argv[1] + ".samples.jsonl")]
assert lines[0]["cartwright_probe"] == 1 and len(lines) > 30
assert all(min(line["times_s"]) > 0 for line in lines[1:])
for picture in glob.glob(sys.argv[1] + ".*.svg"):
    xml.dom.minidom.parse(picture)
PYTHON

try probe -n 2 --quick
expect_code 0
expect_text 'probed before'
try probe -n 2 --quick --model pipelined
expect_code 0
expect_text 'refused'
try probe -n 2 --quick --model magic
expect_code 1
try probe -n 2 --quick --force
expect_code 0
# What is printed is what is written, and the two cores are one node.
python3 - "$machine" "$text" <<'PYTHON' || wrong 'another latency is printed than written'
import re, sys
file, printed = open(sys.argv[1]).read(), sys.argv[2]
seconds = lambda text: float(text.split()[0]) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}[text.split()[1]]
core = file[file.index("\n  core:"):]
parts = re.findall(r"(?:latency|overhead): ([0-9.]+ .s)$", core, re.M)
(said,) = re.findall(r"latency ([0-9.]+ .s)", printed)
assert "hockney" not in core or abs(seconds(said) / seconds(parts[0]) - 1) < 1e-3, (said, parts)
PYTHON
try map --dims 2x2 --machine "$PWD/$machine" --no-picture
expect_code 0
expect_text '2 x 2 ranks on 2 nodes of 2'
try simulate allreduce --ranks 4 --size 8 --machine "$PWD/$machine"
expect_code 0
expect_text 'measured by cartwright probe --quick'
try probe --analyse "${machine%.yaml}.samples.jsonl" --output "$work/again.yaml" -n 2
expect_code 0
# Figures of the text are as exact as needed to give the same machine.
diff -q "$machine" again.yaml >/dev/null || wrong 'the same samples give another machine'

: >"$work/empty.jsonl"
try probe --analyse "$work/empty.jsonl" --output "$work/nothing.yaml" -n 2
expect_code 1
expect_one_error
expect_text 'hold no level'
[[ -z $(find "$work" -name 'nothing*') ]] || wrong 'a machine was written'
try probe --output '' -n 2
expect_code 1
expect_text '--output'

try probe -n 4 --quick --topology 'node:2 core:2' --output "$work/imagined.yaml"
expect_code 0
expect_text 'imagined'
try simulate broadcast --ranks 8 --size 64KiB --machine "$work/imagined.yaml"
expect_code 0

# probe in the background until it measures; sets process and rank_pid (the N-th from the last rank).
program=$CARTWRIGHT_BUILD/bin/cartwright-probe
start() {
  called="cartwright probe, then $1"
  : >"$work/log"
  env --default-signal=INT "$launcher" probe -n 4 --topology 'node:2 core:2' --force --patience 3s --output "$work/none.yaml" >"$work/log" 2>&1 </dev/null &
  process=$!
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    grep -q 'ping-pong' "$work/log" && break
    sleep 0.1
  done
  rank_pid=$(pgrep -f "^$program .*--output $work/none.yaml" | tail -n "$2" | head -n 1)
}
end() {
  wait "$process" 2>/dev/null
  code=$?
  text=$(<"$work/log")
}
# disturb CALLED N SIGNAL: sends SIGNAL to the N-th rank from the last, or to the launcher (N = 0), while probe measures.
# A probe that was quicker than this script is started again.
disturb() {
  local tries
  for ((tries = 0; tries < 10; tries++)); do
    rm -f "$work"/none.*
    start "$1" "$(($2 > 0 ? $2 : 1))"
    if (($2 > 0)); then kill -"$3" "$rank_pid"; else kill -"$3" "$process"; fi
    end
    grep -q '^  pictures' "$work/log" || break
  done
  [[ ! -e $work/none.yaml ]] || wrong 'a machine was written'
}
for rank in 1 4; do
  disturb 'a suspended rank' "$rank" STOP
  expect_code 3
  expect_one_error
  expect_text 'has not ended within 3 s'
done
disturb 'a killed rank' 1 KILL
expect_code 3
expect_one_error
expect_text 'SIGKILL'
disturb 'Ctrl-C' 0 INT
expect_code 4
expect_text 'nothing was written'
pgrep -f "^$program .*--output $work/none.yaml" >/dev/null && wrong 'ranks live on'
finish
