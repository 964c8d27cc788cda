#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# misfit_test.sh PROGRAM: decks that don't suit a solver's function, and memory that isn't there.
set -u
# shellcheck source=tests/exit_status.bash
source "$(dirname "${BASH_SOURCE[0]}")/../../exit_status.bash"
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../../cases.bash"
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'grid: {extent: [8]}\ntime: {steps: 1}\n' >"$folder/deck.yaml"

# expect CODE PART RANKS SETTING…
expect() {
  local code=$1 part=$2 ranks=$3 text status
  shift 3
  if [[ $ranks == 0 ]]; then text=$("$program" "$folder/deck.yaml" --check "$@" 2>&1)
  else text=$($MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" "$@" 2>&1); fi
  status=$?
  if ! same_status "$status" "$code" <(echo "$text") || [[ $(grep -c 'cartwright: error' <<<"$text") != 1 ]] || ! grep -q -- "$part" <<<"$text"; then
    echo "FAULT: $* on $ranks ranks: $status, expected $code and '$part':"
    echo "$text"
  fi
}

for ranks in 0 1 2; do  # 0: --check
  beside expect 1 "'grid.extent' has 1 number, but the solver 'slip' makes a grid of 2 dimensions" $ranks solver=slip
  beside expect 1 "the solver 'right' has no 1-D form" $ranks solver=right
done
plane='grid.extent=[8, 8]'
beside expect 3 "out of memory: Kokkos could not allocate .* for 'greedy'; this rank held" 2 solver=right "$plane" right.view=100000000000000
beside expect 3 'out of memory: this rank held' 2 solver=right "$plane" right.vector=100000000000000
all_cases_passed
