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
mkdir taken
try new taken
expect_code 1
expect_text 'is there already'

try new my_solver
expect_code 0
[[ $(ls my_solver) == $'CMakeLists.txt\nREADME.md\nmy_solver.cpp\nmy_solver.yaml' ]] || wrong 'not the four files'
grep -rq '@[A-Z]*@' my_solver && wrong 'placeholders are left'
try run my_solver/my_solver.yaml -n 2 -t 1 'grid.extent=[32, 24]' time.steps=20 output.every=10
expect_code 0
[[ -d out/my_solver ]] || wrong 'no results in out/my_solver'
# Nothing changed: no second build.
try run my_solver/my_solver.yaml --check
expect_code 0
expect_no_text 'build my_solver'
finish
