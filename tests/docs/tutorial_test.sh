#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tutorial_test.sh STEP: takes a step of the tutorial out of the tree, builds it against the installed package
# (PREFIX) and runs it; what the tutorial says about the run must be true.
set -euo pipefail
step=$1
text=$DOCS/tutorial/README.md
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

fail() {
  echo "step $step: $*"
  cat "$scratch/log"
  exit 1
}

# run RANKS CODE ARGUMENT…: the solver must end with this exit code.
run() {
  local ranks=$1 wanted=$2 status=0
  shift 2
  # shellcheck disable=SC2086 # a command of several words
  $MPIRUN -n "$ranks" build/heat heat.yaml "$@" >"$scratch/log" 2>&1 </dev/null || status=$?
  cat "$scratch/log" >>"$scratch/said"
  [[ $status == "$wanted" ]] || fail "exit code $status instead of $wanted: heat.yaml $*"
}

# says WORDS: the last run has printed them.
says() {
  grep -qF -- "$1" "$scratch/log" || fail "does not say: $1"
}

# Every line that the tutorial shows of this step's runs was printed by one of them.
compare_with_tutorial() {
  local line
  while IFS= read -r line; do
    grep -qxF -- "$line" "$scratch/said" || { cat "$scratch/said" && fail "the tutorial shows, but no run says: $line"; }
  done < <(sed -n "/^<!-- said: step $step -->\$/,/^\`\`\`\$/ { /^<!--/d; /^\`\`\`/d; p }" "$text")
}

build() {
  cp -r "$DOCS/tutorial/step$step" "$scratch/heat"
  cd "$scratch/heat"
  cmake -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$PREFIX" -DKokkos_DIR="$KOKKOS_DIR" \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" >"$scratch/log" 2>&1 || fail "configure"
  cmake --build build >"$scratch/log" 2>&1 || fail "build"
}

step_1() {
  run 2 0
  says "hottest           400.000000 K"
  [[ ! -e out ]] || fail "there are results, but nothing was to be written"
}

# The same numbers with and without overlap, on any number of ranks.
step_2() {
  local ranks
  for ranks in 2 1 3; do
    run "$ranks" 0
    says "hottest           318.406904 K"
  done
  run 2 2 time.step=2
  says "is not a finite number at step"
}

step_3() {
  step_2
  run 2 0 checks=halos
  says "hottest           318.406904 K"
}

step_4() {
  run 2 0
  says "hottest           318.405446 K"
  run 2 1 time.step=2
  says "'time.step' is 2, but the largest stable one for explicit diffusion is"
  run 2 1 heat.difusivity=1
  says "did you mean 'diffusivity'?"
}

# Restarted from the middle on another number of ranks, the run ends with the same numbers.
step_5() {
  run 2 0
  says "paraview out/heat/heat.xdmf"
  for file in heat.xdmf diagnostics.csv report.json pictures/temperature_0000000200.png fields/heat_0000000800.h5; do
    [[ -s out/heat/$file ]] || fail "there is no out/heat/$file"
  done
  results_example
  cp out/heat/diagnostics.csv undisturbed.csv
  local newest
  newest=$(find out/heat/checkpoints -name '*.h5' | sort | tail -n 1)
  rm -- "$newest"
  run 3 0 --restart
  grep -q 'from step' "$scratch/log" || fail "does not say where it goes on from"
  cmp undisturbed.csv out/heat/diagnostics.csv || fail "the restarted run ends with other numbers"
  run 2 0
  [[ -d out/heat.1 ]] || fail "the results of an earlier run were not set aside"
  run 2 0 grid.extent='[200]' grid.length='[2.0]' time.end=50 output.directory=out/one
  run 2 0 grid.extent='[32, 24, 16]' grid.length='[2.0, 1.5, 1.0]' output.directory=out/three
}

# Restarted from the middle, the iteration ends in the same step and with the same numbers.
step_6() {
  run 2 0 --dry-run
  run 2 0
  says "of the first one"
  [[ -s out/steady/convergence.png ]] || fail "there is no picture of the convergence"
  cp out/steady/diagnostics.csv undisturbed.csv
  find out/steady/checkpoints -name '*.h5' | sort | tail -n 1 | xargs rm --
  run 2 0 --restart
  says "from step"
  cmp undisturbed.csv out/steady/diagnostics.csv || fail "the restarted run ends with other numbers"
  run 2 0 --restart
  says "nothing was left to do: the residual is"
  run 3 0 grid.extent='[32, 24, 16]' grid.length='[2.0, 1.5, 1.0]' output.directory=out/three
}

# Output at the very times that were asked for; the same numbers on any number of ranks, and after a restart.
step_7() {
  local time
  run 2 0
  cp -r out/heat undisturbed
  for time in 50 100 150 200; do
    grep -qE "^[0-9]+,$time," out/heat/diagnostics.csv || fail "no row at $time s"
  done
  find out/heat/checkpoints -name '*.h5' | sort | tail -n 1 | xargs rm --
  run 3 0 --restart
  says "from step"
  cmp undisturbed/diagnostics.csv out/heat/diagnostics.csv || fail "the restarted run ends with other numbers"
  cmp undisturbed/steps.csv out/heat/steps.csv || fail "the restarted run has made other steps"
  run 1 0 grid.extent='[64]' grid.length='[2.0]' initial.temperature=x+300 time.end=20 output.directory=out/one
  run 3 0 grid.extent='[16, 12, 8]' grid.length='[2.0, 1.5, 1.0]' time.end=20 output.directory=out/three
}

# The same numbers by any number of ranks; by another method nearly the same.
step_8() {
  run 2 0
  cp out/heat/diagnostics.csv undisturbed.csv
  run 3 0 output.directory=out/three
  cmp undisturbed.csv out/three/diagnostics.csv || fail "three ranks find other numbers"
  run 2 0 heat.linear.method=cg output.directory=out/cg
  run 2 2 heat.linear.limit=1 heat.linear.method=cg heat.linear.preconditioner=none output.directory=out/none
  find out/heat/checkpoints -name '*.h5' | sort | tail -n 1 | xargs rm --
  run 1 0 --restart
  cmp undisturbed.csv out/heat/diagnostics.csv || fail "the restarted run ends with other numbers"
}

# The lines of Python in docs/results.md, here.
results_example() {
  local python=
  for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
    "$candidate" -c 'import h5py' 2>/dev/null && python=$candidate && break
  done
  [[ -n $python ]] || { echo "h5py is not installed: the Python of docs/results.md is not tried" && return; }
  sed -n "/^\`\`\`python\$/,/^\`\`\`\$/ { /^\`\`\`/d; p }" "$DOCS/results.md" >example.py
  "$python" example.py >"$scratch/log" 2>&1 || fail "the Python of docs/results.md"
  grep -q '^500[.]0[0-9]* (96, 128)' "$scratch/log" || fail "the Python of docs/results.md finds another time or shape"
}

build
"step_$step"
compare_with_tutorial
