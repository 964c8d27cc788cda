#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every deck in inputs/matmul is right, its effective configuration is a deck that is right, it runs on
# 1 and 4 ranks and passes its checks. So is the deck of docs/matmul. Then: files, plans, and what is refused.
set -u
decks=$1
page=$2
scratch=$(mktemp -d -p .)
trap 'rm -rf "$scratch"' EXIT
failed=0
wrong() { echo "$*"; failed=1; }

small=(matmul.rows=151 matmul.inner=203 matmul.columns=97)
for deck in "$decks"/*.yaml; do
  name=$(basename "$deck" .yaml)
  "$MATMUL" --check "$deck" || wrong "$deck: --check fails"
  "$MATMUL" --print-config "$deck" >"$scratch/$name.yaml" && "$MATMUL" --check "$scratch/$name.yaml" >/dev/null ||
    wrong "$deck: --print-config is no deck"
  for ranks in 1 4; do
    out=$scratch/$name.$ranks
    $MPIRUN -n $ranks "$MATMUL" --quiet "$deck" "${small[@]}" output.directory="$out" || wrong "$deck: does not run on $ranks ranks"
    grep -q '"speed, median"' "$out/report.json" || wrong "$deck: no report"
    grep -q 'time since the product began' "$out/timeline.svg" && grep -q '</svg>' "$out/timeline.svg" || wrong "$deck: no picture"
  done
done

run() { $MPIRUN -n "$1" "$MATMUL" --quiet "$decks/summa.yaml" output.directory="$scratch/out" "${@:2}" 2>"$scratch/message"; }
# refused CODE TEXT RANKS ARGUMENT…
refused() {
  run "${@:3}"
  local code=$?
  [ $code = "$1" ] || wrong "expected exit code $1, got $code: ${*:3}"
  grep -q -- "$2" "$scratch/message" || { wrong "expected '$2' of ${*:3}"; cat "$scratch/message"; }
}

# A product goes through a file; the same file on other ranks gives the same matrix.
run 3 "${small[@]}" output.product=true || wrong "no product is written"
file=(matmul.a.kind=file "matmul.a.file=$scratch/out/product.h5" matmul.a.dataset=product)
cp "$scratch/out/product.h5" "$scratch/product.h5"
file[1]=matmul.a.file=$scratch/product.h5
run 4 "${file[@]}" matmul.rows=151 matmul.inner=97 matmul.columns=5 matmul.check=pdgemm || wrong "a product can't be read"
refused 1 'the number of columns of A is' 2 "${file[@]}" matmul.rows=151 matmul.inner=98 matmul.columns=5
refused 1 "has no dataset 'none'" 2 "${file[@]}" matmul.a.dataset=none
refused 1 'does not exist' 2 "${file[@]}" matmul.a.file=/nowhere.h5
refused 1 'names a file, but its kind is' 2 matmul.a.file=x.h5
refused 1 "unknown key 'rowz'" 2 matmul.rowz=4
refused 1 'of memory a node' 2 matmul.rows=2000000 matmul.inner=2000000 matmul.columns=2000000
refused 1 'process_grid' 3 'mapping.process_grid=[2, 1]'

# More ranks than rows; every algorithm and engine on one element.
for algorithm in summa cannon fox pdgemm; do
  run 6 matmul.rows=2 matmul.inner=1 matmul.columns=3 matmul.algorithm=$algorithm matmul.check=pdgemm || wrong "$algorithm: tiny matrices"
done
# However the panels travel.
for backend in native p2p shared; do
  for algorithm in summa fox; do
    run 4 "${small[@]}" matmul.panel=20 matmul.algorithm=$algorithm comm.backend=$backend || wrong "$algorithm: backend $backend"
  done
done
run 4 "${small[@]}" matmul.panel=20 comm.checked=true || wrong "checked mode"
refused 1 'matmul.b' 2 matmul.b.kind=mystery

# The deck of the documentation, in small.
sed -n '/^```yaml$/,/^```$/ { /^```/d; p }' "$page" >"$scratch/page.yaml"
run 2 matmul.rows=40 matmul.inner=30 matmul.columns=20 output.product=true || wrong "no matrix for the documentation's deck"
cp "$scratch/out/product.h5" "$scratch/b.h5"
$MPIRUN -n 2 "$MATMUL" --quiet "$scratch/page.yaml" matmul.rows=50 matmul.inner=40 matmul.columns=20 matmul.b.file="$scratch/b.h5" \
  matmul.b.dataset=product output.directory="$scratch/page" || wrong "$page: its deck does not run"

"$MATMUL" --dry-run -n 64 "$decks/summa.yaml" >"$scratch/plan" || wrong "--dry-run fails"
grep -q 'memory' "$scratch/plan" || wrong "--dry-run does not tell the memory"
"$MATMUL" --dry-run -n 4 "$decks/summa.yaml" mapping.topology='node:1 core:3' 2>&1 | grep -q 'too few for 4 ranks' ||
  wrong "--dry-run accepts a virtual machine that is too small"
exit $failed
