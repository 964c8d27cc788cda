#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scale_test.bash PROGRAM: what cartwright-scale prints, writes and refuses.
LAUNCHER=${1:?path of cartwright-scale}
here=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=tests/launcher/checks.bash
source "$here/../launcher/checks.bash"
profile=$here/scale_profile.json

try --profile "$profile" -n 1..1048576 --csv "$work/scaling.csv" --json "$work/scaling.json" --picture "$work/scaling.svg"
expect_code 0
expect_text 'heat (heat.yaml), 1024 x 768 cells, 1000 steps'
expect_text 'machine frontier'
expect_text 'strong scaling: the grid stays; auto'
expect_text 'weak scaling: the cells of a rank stay; auto'
expect_text 'auto, ranks in order'
expect_text 'native'
expect_text 'bends at'
expect_text "1048576 ranks: 1048576 ranks can't share a grid of 1024 x 768 cells"
expect_text "'frontier' has 9472 nodes; 16384 are imagined to be there"
python3 - "$work" <<'PYTHON' || wrong 'the files are wrong'
import csv, json, sys, xml.etree.ElementTree as xml
work = sys.argv[1]
table = json.load(open(work + "/scaling.json"))
rows = list(csv.DictReader(open(work + "/scaling.csv")))
assert len(rows) == len(table["predictions"])
for row, same in zip(rows, table["predictions"]):
    assert int(row["ranks"]) == same["ranks"] and row["backend"] == same["backend"]
    parts = [float(value) for name, value in row.items() if name.endswith("[s]")]
    assert len(parts) == 6 and min(parts) >= 0
    assert abs(sum(parts) - float(row["step_seconds"])) <= 1e-5 * sum(parts)
    assert abs(sum(same["parts"].values()) - same["step_seconds"]) <= 1e-9 * same["step_seconds"]
of = lambda scaling: [r for r in table["predictions"] if (r["scaling"], r["backend"], r["remapped"]) == (scaling, "auto", True)]
strong, weak = of("strong"), of("weak")
assert [r["ranks"] for r in weak] == [2**k for k in range(21)]
assert strong[-1]["ranks"] < 786432
assert all(a["parts"]["kernels"] >= b["parts"]["kernels"] for a, b in zip(strong, strong[1:]))
assert all(r["cells_of_rank"] == [1024, 768] for r in weak)
assert all(a["parts"]["reductions"] <= b["parts"]["reductions"] for a, b in zip(weak, weak[1:]))
picture = open(work + "/scaling.svg").read()
xml.fromstring(picture)
for words in ("time of a step  [s]", ">ranks<", ">ideal<", ">halo exchange<", "10⁶", "strong scaling", "weak scaling"):
    assert words in picture, words
PYTHON
# Ticks where one can read them: at ranks that were asked for, and at round times; a dot for each number of ranks.
try --profile "$profile" --machine here --strong -n 1,2,4 --backends auto --picture "$work/few.svg"
expect_code 0
python3 - "$work/few.svg" <<'PYTHON' || wrong 'ticks or dots are wrong'
import re, sys
picture = open(sys.argv[1]).read()
ticks = lambda anchor: re.findall(f"text-anchor='{anchor}'>([^<]*)</text>", picture)
assert ticks("middle")[:3] == ["1", "2", "4"], ticks("middle")
times = ticks("end")
assert len(times) >= 2 and all(re.fullmatch(r"0\.0*[125]|[125]0*|([125]·)?10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", t) for t in times), times
assert len(re.findall("<circle [^>]*#1f5fa8", picture)) == 3  # of the line of a step
PYTHON

try --profile "$profile" --machine here --strong -n 1,2,4 --ranks-per-node 4
expect_code 0
expect_text '4 ranks share 2 cores: all that is computed takes 2 times as long'
expect_no_text 'weak scaling'
try --profile "$profile" --weak -n 7..97 --backends native --base 1
expect_code 0
expect_text '97'
try --profile "$profile" -n 1
expect_code 0
expect_text "doesn't bend"

# What is wrong is said in one message.
try --profile "$profile" -n 1000000 --strong
expect_code 1
expect_one_error
expect_text "can't share a grid of 1024 x 768 cells"
try --profile "$work/none.json"
expect_code 1
expect_one_error
printf '{"format": "something"}' >"$work/other.json"
try --profile "$work/other.json"
expect_code 1
expect_text 'is no profile of a run'
head -c 300 "$profile" >"$work/half.json"
try --profile "$work/half.json"
expect_code 1
expect_text 'is no profile of a run'
sed 's/"times": 1,/"times": -1,/' "$profile" >"$work/negative.json"
try --profile "$work/negative.json"
expect_code 1
expect_text 'is no profile of a run'
mkfifo "$work/pipe"
try --profile "$work/pipe"
expect_code 1
expect_no_text 'json.exception'
: >"$work/empty.json"
try --profile "$work/empty.json"
expect_code 1
expect_text 'is no profile of a run: it is empty'
expect_no_text 'json.exception'
# --check finds mistakes before there is a profile; what is written must be there to be read as what its name says.
try --check
expect_code 0
[[ -z $text ]] || wrong 'a check that finds nothing says something'
try --check --machine nosuch
expect_code 1
expect_one_error
expect_text "there is no machine 'nosuch'"
try --check --machine none/such.yaml
expect_code 1
expect_one_error
expect_text 'there is no such description of a machine'
expect_no_text 'deck'
for ranks in 4..1 3,abc; do
  try --check -n "$ranks"
  expect_code 1
  expect_one_error
  expect_text "-n, --ranks: write 1..4096 or 1,2,6, up to 16777216, not '$ranks'"
done
for picture in x.png x.xyz x; do
  try --check --picture "$work/$picture"
  expect_code 1
  expect_one_error
  expect_text "doesn't end in .svg"
done
try --profile "$profile" --machine frontire
expect_code 1
expect_text "did you mean 'frontier'"
for ranks in 0 -3 1..0 5..2 x '1,' 1..99999999999 ''; do
  try --profile "$profile" -n "$ranks"
  expect_code 1
done
try --profile "$profile" --backends psychic
expect_code 1
try --profile "$profile" --strong --weak
expect_code 1
try --profile "$profile" -n 2 --csv "$work/none/there.csv"
expect_code 1
try
expect_code 1
try --help
expect_code 0
expect_text '--ranks-per-node'
finish
