#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# compare_loggopsim.sh PLAN_LOGGOPSIM FOLDER_OF_LOGGOPSIM L O GAP G [in_order]: a row for each case.
# Times are picoseconds.
set -euo pipefail
ours=$1 theirs=$2
parameters=("${@:3:4}")
mode=("${@:7}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

latest() { sort -n -k3 "$1" | tail -n 1 | cut -d' ' -f3; }

echo "| schedule | ranks | bytes a block | latest end, ours | latest end, LogGOPSim | ranks that differ |"
echo "|---|---|---|---|---|---|"
while read -r name ranks bytes; do
  "$ours" "$name" "$ranks" "$bytes" "$work/s.goal" "${parameters[@]}" ${mode+"${mode[@]}"} > "$work/ours"
  "$theirs/txt2bin" -i "$work/s.goal" -o "$work/s.bin" > "$work/log"
  "$theirs/LogGOPSim" -f "$work/s.bin" -L "${parameters[0]}" -o "${parameters[1]}" -g "${parameters[2]}" \
    -G "${parameters[3]}" -O 0 -S 2147483647 > "$work/log"
  grep '^Host' "$work/log" > "$work/theirs"
  differ=$(diff --suppress-common-lines --side-by-side "$work/ours" "$work/theirs" | wc -l || true)
  echo "| $name | $ranks | $bytes | $(latest "$work/ours") | $(latest "$work/theirs") | $differ |"
done <<'CASES'
ring 2 8
ring 7 1
ring 16 1024
ring 64 32768
neighbour 16 8
neighbour 64 4096
doubling 8 1
doubling 64 1024
scatter 2 8
scatter 28 4096
scatter 128 8
alltoall 8 8
alltoall 16 1024
alltoall 64 32
chain 5 1000
chain 32 100000
fan 13 8
fan 64 65536
allreduce 6 8
allreduce 64 8
allreduce 100 4096
allreduce 1024 8
rabenseifner 16 512
rabenseifner 61 64
elimination 7 8
elimination 45 1024
a8,a8 64 8
a4,a4,a4 64 2048
a4,a6 24 8
c6m2,a2,a2,e6m2 7 8
m1g2a3,n1g3a2 7 8
m3g2a2,n3g2a2 7 1024
m3g8a5,a4,n3g20a2 43 8
CASES
