#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# validate_test.bash PROGRAM: verdicts of all documents, as many as there were when somebody last looked at them.
# A change of a number here is a change of what Cartwright computes: look at the row before changing it.
set -u
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  printf 'FAILED: %s\n' "$1" >&2
  exit 1
}

"$program" all --markdown "$folder/all.md" >"$folder/all.txt" || fail "exit code $? of all documents"
grep -q 'DEVIATES' "$folder/all.txt" && fail 'a row deviates without an explanation'

# DOCUMENT ROWS REPRODUCED EXPLAINED IMPOSSIBLE
expect_summary() {
  local line="$1: $2 rows: $3 reproduced, $4 deviate and are explained, 0 deviate, $5 can't be reproduced"
  grep -qxF "$line" "$folder/all.txt" || fail "no line \"$line\" but \"$(grep "^$1: " "$folder/all.txt")\""
}
expect_summary ruefenacht 208 138 45 25
expect_summary karlsson 328 213 89 26
expect_summary viertel 247 170 68 9
expect_summary marendic 105 58 30 17
expect_summary zounmevo 38 27 6 5

# The same rows as Markdown: all lines of tables but two of each head.
rows=$(($(sed -nE 's/^[a-z]+: ([0-9]+) rows: .*/\1/p' "$folder/all.txt" | paste -sd+)))
lines=$(grep -c '^|' "$folder/all.md")
heads=$(grep -c '^|---' "$folder/all.md")
[ "$((lines - 2 * heads))" -eq "$rows" ] || fail "$rows rows, but $((lines - 2 * heads)) in Markdown"

"$program" viertel --only-deviations >"$folder/viertel.txt" || fail 'exit code of one document'
grep -q '  reproduced$' "$folder/viertel.txt" && fail '--only-deviations shows what is reproduced'
grep -q '^ruefenacht:' "$folder/viertel.txt" && fail 'a document that nobody asked for'

"$program" --help | grep -q 'Documents:' || fail '--help lists no documents'
"$program" nobody >/dev/null 2>&1
[ $? -eq 1 ] || fail 'a document that there is not must end with exit code 1'
"$program" viertel --markdown "$folder/no/such/file.md" >/dev/null 2>&1
[ $? -eq 1 ] || fail 'a file that cannot be written must end with exit code 1'
echo 'all good'
