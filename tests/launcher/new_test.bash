#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./cartwright new: what it writes compiles and runs. BUILD: the build to use.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
export CARTWRIGHT_BUILD=${BUILD:?} CARTWRIGHT_HOME=$work/home CMAKE_EXPORT_COMPILE_COMMANDS=ON
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

# Another build is used, for the processor of this machine: the solver is built anew, with all flags that its sources have
# (those that keep bits the same, too), and computes the same.
native_flags_of() { # BUILD OBJECT: of the first one whose path begins so
  grep -m 1 -F -- " -o $2" "$1/compile_commands.json" | grep -oE -- ' -(march|mno-|ffp-contract)[^ ]*' | sort -u
}
value_of() { sed -n "s/^$1:[A-Z]*=//p" "$BUILD/CMakeCache.txt"; }
[[ $(value_of CARTWRIGHT_NATIVE) == ON ]] && other=OFF || other=ON
cmake -G Ninja -S "$(dirname "$launcher")" -B other_build "-DCARTWRIGHT_NATIVE=$other" -DCARTWRIGHT_TESTS=OFF -DCARTWRIGHT_BENCH=OFF \
  "-DCMAKE_BUILD_TYPE=$(value_of CMAKE_BUILD_TYPE)" "-DKokkos_DIR=$(value_of Kokkos_DIR)" "-DCARTWRIGHT_MPI=$(value_of CARTWRIGHT_MPI)" \
  "-DCARTWRIGHT_SANITIZE=$(value_of CARTWRIGHT_SANITIZE)" "-DCARTWRIGHT_COVERAGE=$(value_of CARTWRIGHT_COVERAGE)" >other_build.log 2>&1 ||
  { cat other_build.log; code=1 text='' called=cmake; wrong 'no second build'; }
for library in "$BUILD"/framework/*/libcartwright_*.a; do
  cp "$library" "other_build/${library#"$BUILD/"}" # what it is compiled for is no matter here
done
for build in "$PWD/other_build" "$BUILD"; do
  mv out/my_solver "out/before_${build##*/}"
  CARTWRIGHT_BUILD=$build try run my_solver/my_solver.yaml -n 2 -t 1 'grid.extent=[32, 24]' time.steps=20 output.every=10
  expect_code 0
  expect_text 'build my_solver'
  cmp -s "out/before_${build##*/}/diagnostics.csv" out/my_solver/diagnostics.csv || wrong 'other numbers'
  flags=$(native_flags_of my_solver/build* CMakeFiles/my_solver.dir/) # build-mpich with MPICH
  [[ $flags == "$(native_flags_of "$build" apps/pde/)" ]] || wrong "other flags than pde's:"$'\n'"$flags"
done

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
