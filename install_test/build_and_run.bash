#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_and_run.bash BUILD GRID KOKKOS_DIR: installs BUILD to a temporary prefix, moves it (an installed tree
# must not know where it was built), and builds and runs the consumers against it. MPIRUN: how to start ranks.
set -euo pipefail

build=$1 grid=$2 kokkos=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
  printf 'install_test: %s\n' "$*" >&2
  exit 1
}

cmake --install "$build" --prefix "$work/first" >"$work/install.log" || fail "cmake --install failed"
mv "$work/first" "$work/prefix"

# consumer NAME: configures, builds, and runs on two ranks.
consumer() {
  local name=$1
  cmake -G Ninja -S "$here/$name" -B "$work/$name" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DKokkos_DIR="$kokkos" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; fail "$name: configure"; }
  cmake --build "$work/$name" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; fail "$name: build"; }
  # shellcheck disable=SC2086 # a command of several words
  ${MPIRUN:-mpirun} -n 2 "$work/$name/$name" "${@:2}" || fail "$name: run"
  # Nothing of how we build may reach a user.
  grep -Eq -- '-W(all|extra|conversion|error)|-march=native' "$work/$name/compile_commands.json" && fail "$name: our flags leak"
  return 0
}

# plain PACKAGE NAME [ARGUMENT…]: the same without CMake, by pkg-config.
plain() {
  local package=$1 name=$2
  local -a flags=()
  if ! command -v pkg-config >/dev/null || [[ -n ${CARTWRIGHT_SANITIZE:-}${GCOV_ERROR_FILE:-} ]]; then return; fi
  PKG_CONFIG_PATH=$(find "$work/prefix" -name pkgconfig -type d)
  export PKG_CONFIG_PATH
  read -r -a flags < <(pkg-config --cflags --libs "$package") || fail "pkg-config $package"
  mkdir -p "$work/plain"
  "${CXX:-c++}" -O1 "$here/$name/main.cpp" -o "$work/plain/$name" "${flags[@]}" >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log"; fail "$name by pkg-config: ${flags[*]}"; }
  # shellcheck disable=SC2086
  ${MPIRUN:-mpirun} -n 2 "$work/plain/$name" "${@:3}" || fail "$name by pkg-config: run"
}

consumer plan_consumer
plain cartwright-plan plan_consumer
plain cartwright-comm comm_consumer
consumer comm_consumer
grep -q -- '-ffp-contract' "$work/comm_consumer/compile_commands.json" && fail "comm brings flags of grid"

if [[ $grid == ON ]]; then
  cd "$work"
  consumer grid_consumer "$here/grid_consumer/deck.yaml" "output.directory=$work/out"
  plain cartwright grid_consumer "$here/grid_consumer/deck.yaml" "output.directory=$work/out_plain"
  grep -q -- '-ffp-contract=off' "$work/grid_consumer/compile_commands.json" || fail "grid does not bring -ffp-contract=off"
  if "${CXX:-c++}" --version | grep -q 'Free Software Foundation'; then
    grep -q -- 'max-unswitch-insns' "$work/grid_consumer/compile_commands.json" || fail "grid does not bring what makes vectors of kernels"
    pkg-config --cflags cartwright | grep -q -- 'max-unswitch-insns' || fail "cartwright.pc does not bring what makes vectors of kernels"
  fi
fi
printf 'install_test: all consumers build and run\n'
