#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ranks, threads, exit codes and bad input, with a program that stands for a solver. FAKE_SOLVER: its path.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"

mkdir -p "$work/build/bin" "$work/out"
cp "${BUILD:?}/mpi" "$work/build/mpi" # which MPI the fake solver is for
cp "${FAKE_SOLVER:?}" "$work/build/bin/fake"
printf 'heat\nwave\n' >"$work/build/bin/fake.solvers"
deck=$work/heat.yaml
printf '# a deck\nsolver: "heat"  # which\n' >"$deck"
export CARTWRIGHT_BUILD=$work/build CARTWRIGHT_HOME=$work/home FAKE_OUTPUT=$work/out

# What is passed on.
try run "$deck" -n 1 -t 1 a.b=c --verbose
expect_code 0
expect_text 'rank 0 of 1, 1 threads'
expect_text "argument $deck"
expect_text 'argument a.b=c'
expect_text 'argument --verbose'
try run "$deck" -n 3 -t 1
expect_text 'rank 2 of 3'
try run "$deck" --restart "$work/out" a=b
expect_text "argument --restart=$work/out"

# Binding: one rank with two threads has two cores.
if (($(nproc) >= 2)); then
  try run "$deck" -n 1 -t 2
  expect_text '2 threads, 2 cores'
  try run "$deck" -n 2
  expect_text 'rank 1 of 2'
  last=$(sed -n 's/^Cpus_allowed_list:.*[-,\t ]\([0-9]*\)$/\1/p' /proc/self/status)
  called="taskset -c $last cartwright run"
  text=$(taskset -c "$last" "$launcher" run "$deck" 2>&1)
  code=$?
  expect_text 'rank 0 of 1, 1 threads, 1 cores'
fi

# Exit codes.
for expected in 0 1 2 3 4; do
  try run "$deck" -n 2 "act=exit$expected"
  expect_code "$expected"
done
try run "$deck" -n 2 act=abort2
expect_code 2
expect_one_error
try run "$deck" -n 2 act=signal9
expect_code 3
expect_one_error
expect_text 'signal 9 (SIGKILL)'
expect_text 'there is no checkpoint'
try run "$deck" -n 2 act=early9
expect_code 3
expect_one_error
expect_text 'signal 9 (SIGKILL)'
mkdir -p "$work/out/checkpoints"
printf 'x' >"$work/out/checkpoints/step000010.h5"
try run "$deck" -n 2 act=signal11
expect_code 3
expect_one_error
expect_text 'act=signal11 --restart'

# The program itself has the last word: mpirun's success doesn't count without it, nor does an mpirun that
# goes on after the ranks have ended themselves.
try run "$deck" -n 2 act=mute
expect_code 3
expect_one_error
expect_text 'has not written its final report'
try run "$deck" -n 2 act=mum
expect_code 3
expect_one_error
expect_text 'the program has not said why'
export CARTWRIGHT_MPIRUN_PATIENCE=1
try run "$deck" -n 2 act=silence
unset CARTWRIGHT_MPIRUN_PATIENCE
expect_code 3
expect_text 'act=silence --restart'

# Who only asks does not wait for a build that somebody else has under way, if the program is there.
mkdir -p "$work/busy/build/release"
cp -r "$work/build/bin" "$work/busy/build/release/bin"
(
  unset CARTWRIGHT_BUILD
  export CARTWRIGHT_HOME=$work/busy
  exec {lock}>"$work/busy/lock"
  flock "$lock"
  text=$(timeout 60 "$launcher" run "$deck" --check 2>&1 {lock}>&-)
  code=$?
  called='cartwright run --check while another builds'
  expect_code 0
  expect_text 'asking the program as it was built last'
  expect_text 'argument --check'
  exit "$failures"
) || ((failures += 1))

# Bad input: one message, code 1, and no set-up for it.
try run
expect_code 1
try run "$work/nothing.yaml"
expect_code 1
expect_text 'there is no deck'
try run "$work"
expect_code 1
expect_text 'is a directory'
try run "$deck" -n zero
expect_code 1
expect_text "not 'zero'"
try run "$deck" -n
expect_code 1
for empty in '-n' '-t' '--ranks='; do
  for verb in "run $deck" probe tune 'bench triad'; do
    [[ $verb == run* || $empty == -n || $verb == bench* ]] || continue
    # shellcheck disable=SC2086 # two words
    if [[ $empty == *= ]]; then [[ $verb == run* ]] || continue; try $verb "$empty"; else try $verb "$empty" ''; fi
    expect_code 1
    expect_text "${empty%=} needs a value"
  done
done
try run "$deck" ''
expect_code 1
expect_text 'an argument is empty'
try run "$deck" --restart=
expect_code 1
try run "$deck" --steps 10
expect_code 1
expect_text 'a key of the deck is set without dashes: time.steps=10'
try run "$deck" --chekc
expect_code 1
expect_text "did you mean '--check'?"
try run "$deck" grid.extent=[64, 64]
expect_code 1
expect_text "put the whole of it into quotes: 'grid.extent=[64, 64]'"
expect_no_text 'two'
try run "$deck" "$deck"
expect_code 1
try run "$deck" solver=heta
expect_code 1
expect_text "did you mean 'heat'?"
try rnu
expect_code 1
expect_text "did you mean 'run'?"
try test --sanitize
expect_code 1
expect_text '--sanitize needs address, thread or all'
try test --sanitize adress
expect_code 1
expect_text "did you mean 'address'?"
try test --sanitize all
expect_code 1
expect_text 'CARTWRIGHT_BUILD names one build'
printf 'CARTWRIGHT_COVERAGE:BOOL=OFF\nCARTWRIGHT_SANITIZE:STRING=\n' >"$work/build/CMakeCache.txt"
try test --sanitize=address
expect_code 1
expect_text 'has no address sanitizer'
try test --coverage
expect_code 1
expect_text "doesn't count lines"
try test --coverage --tidy
expect_code 1
expect_text 'one of --coverage, --sanitize and --tidy at a time'
for verb in map simulate scale validate; do
  try "$verb"
  expect_code 1
  expect_text "./cartwright $verb"
  expect_text "cartwright: error: $verb needs "
done
# Mistakes are found before anything is measured; what is no profile in the end was no solver that makes steps.
if [[ -x $BUILD/bin/cartwright-scale ]]; then
  ln -s "$BUILD/bin/cartwright-scale" "$work/build/bin/"
  for mistake in '--machine nosuch' '-n 4..1' '-n 3,abc' "--picture $work/x.png"; do
    # shellcheck disable=SC2086 # two words
    try scale "$deck" $mistake
    expect_code 1
    expect_one_error
    expect_no_text 'measuring'
  done
  try scale "$deck" -n 1..4
  expect_code 1
  expect_one_error
  expect_text "the solver of '$deck' makes no steps"
fi
for verb in run test build bench map simulate scale validate new doctor clean; do
  try help "$verb"
  expect_code 0
  expect_text "cartwright $verb"
  try "$verb" --help
  expect_code 0
done
finish
