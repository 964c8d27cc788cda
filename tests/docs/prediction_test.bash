#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# prediction_test.bash ROOT: every command of docs/prediction.md that the launcher carries out works as it stands there, with
# the programs of this build (BUILD); the files that it names appear. Benchmarks aren't run.
set -uo pipefail
root=${1:?root of the sources}
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$scratch" || exit 1
ln -s "$root/inputs" inputs
printf '#!/bin/bash\nexec %q "$@"\n' "$root/cartwright" >cartwright
chmod +x cartwright
export CARTWRIGHT_BUILD=${BUILD:?} CARTWRIGHT_HOME=$scratch/home

failures=0
wrong() { printf 'FAILED: %s\n  %s\n%s\n' "$line" "$1" "$text" && ((failures += 1)); }
commands=0
while IFS= read -r line; do
  ((commands += 1))
  text=$(eval "$line" 2>&1 </dev/null) || wrong 'it failed'
  [[ $text == *'halo exchange'* ]] || wrong 'it says nothing of halos'
  [[ $line != *' --picture '* ]] || grep -q '<svg' "$(sed -E 's/.*--picture ([^ ]+).*/\1/' <<<"$line")" || wrong 'no picture'
  [[ $line != *' --csv '* ]] || grep -q '^weak,auto,yes,4096,' "$(sed -E 's/.*--csv ([^ ]+).*/\1/' <<<"$line")" || wrong 'no table'
done < <(sed -nE 's/^    (\.\/cartwright (run|scale) .*)$/\1/p' "$root/docs/prediction.md")
((commands >= 4)) || { echo 'docs/prediction.md has lost its commands' && failures=1; }
[[ ! -e out ]] || { echo 'a prediction has written results' && failures=1; }
exit $((failures > 0))
