#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./cartwright new: what it writes compiles and runs. BUILD: the build to use.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
export CARTWRIGHT_BUILD=${BUILD:?} CARTWRIGHT_HOME=$work/home
cd "$work" || exit 1

for name in 9lives my-solver Solver double cw a__b 'with space' ''; do
  try new "$name"
  expect_code 1
  [[ -z $name || ! -e $name ]] || wrong "wrote something"
done
for dimensions in 0 4 2,4 x '' '1,'; do
  try new some --dimensions "$dimensions"
  expect_code 1
  [[ ! -e some ]] || wrong "wrote something for $dimensions"
done
try new some --dimensions
expect_code 1
expect_text 'needs numbers'
try new some --size 3
expect_code 1
expect_text 'no option'
mkdir taken
try new taken
expect_code 1
expect_text 'is there already'

try new my_solver
expect_code 0
[[ $(ls my_solver) == $'CMakeLists.txt\nREADME.md\nmy_solver.cpp\nmy_solver.yaml' ]] || wrong 'not the four files'
grep -rq '@[A-Z]*@' my_solver && wrong 'placeholders are left'
grep -qF '.function(nullptr, my_solver<2>)' my_solver/my_solver.cpp || wrong 'not in two dimensions alone'
try run my_solver/my_solver.yaml -n 2 -t 1 'grid.extent=[32, 24]' time.steps=20 output.every=10
expect_code 0
[[ -d out/my_solver ]] || wrong 'no results in out/my_solver'
# Nothing changed: no second build.
try run my_solver/my_solver.yaml --check
expect_code 0
expect_no_text 'build my_solver'

# Other dimensions: the deck is of the first of them.
try new both --dimensions 3,1
expect_code 0
expect_text 'in 3 and 1 dimensions'
grep -qF '.function(both<1>, nullptr, both<3>)' both/both.cpp || wrong 'not in one and three dimensions'
grep -qF 'extent: [48, 48, 48]' both/both.yaml || wrong 'the deck has another dimension'
try run both/both.yaml -n 1 -t 1 'grid.extent=[12, 10, 8]' time.steps=5 output.every=5
expect_code 0
try run both/both.yaml -n 1 -t 1 'grid.extent=[64]' 'grid.length=[1]' 'grid.periodic=[false]' initial.temperature=x time.steps=5 output.every=5
expect_code 0
try new line --dimensions=1
expect_code 0
grep -qF 'exp(-100*(x-0.5)^2)' line/line.yaml || wrong 'the deck of a line knows y'
finish
