# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Set-up: makes sure that everything a verb needs is there. Says what it is going to fetch before it does;
# is silent and quick when nothing is missing.

readonly needed_elsewhere="a C++20 compiler, CMake >= 3.25, Ninja, pkg-config, Open MPI or MPICH, hwloc, parallel HDF5, yaml-cpp, fmt, \
PLplot with its cairo driver, muParser, OpenBLAS, ScaLAPACK, nlohmann-json, CLI11 (to test also GoogleTest), and Kokkos >= 3.4, < 6 with OpenMP"

# set_up PACKAGE…: sets kokkos_directory.
set_up() {
  local -a missing=()
  local build_our_kokkos=no
  if [[ -z ${CARTWRIGHT_SKIP_PACKAGES:-} ]] && has_apt; then
    mapfile -t missing < <(missing_packages "$@")
  fi
  kokkos_directory=$(find_kokkos) || build_our_kokkos=yes
  ((${#missing[@]} == 0)) && [[ $build_our_kokkos == no ]] && return

  if ! has_apt; then
    fail 1 "this is no Debian-like system, so please install yourself: $needed_elsewhere; then start again (CMAKE_PREFIX_PATH says where)"
  fi
  refuse_without_rights "${missing[@]}"
  say "Setting up (once). To be downloaded and installed:"
  ((${#missing[@]} > 0)) && plan_packages "${missing[@]}"
  [[ $build_our_kokkos == yes ]] && plan_kokkos
  ((${#missing[@]} > 0)) && install_packages "${missing[@]}"
  if [[ $build_our_kokkos == yes ]]; then
    build_kokkos
    kokkos_directory=$(find_kokkos) || fail 3 "the Kokkos just built in $(our_kokkos) cannot be used; remove it and start again"
  fi
}

refuse_without_rights() {
  (($# == 0)) && return
  may_install && return
  fail 1 "packages are missing and this user may not install them; let an administrator run: apt-get install --no-install-recommends $(join ' ' "$@")"
}

# One launcher at a time installs or builds in this tree.
lock_set_up() {
  mkdir -p "$cartwright_home" 2>/dev/null
  [[ -w $cartwright_home ]] ||
    fail 1 "cannot write to $cartwright_home; set CARTWRIGHT_HOME to a directory for the build and for Kokkos"
  exec {lock_descriptor}>"$cartwright_home/lock"
  if ! flock -n "$lock_descriptor"; then
    say "another ./cartwright is setting up or building here; waiting for it"
    flock "$lock_descriptor"
  fi
}

# True while another launcher installs or builds in this tree.
set_up_is_busy() {
  [[ -z ${CARTWRIGHT_BUILD:-} && -r $cartwright_home/lock ]] && ! flock -n "$cartwright_home/lock" true
}

unlock_set_up() {
  [[ -n ${lock_descriptor:-} ]] && exec {lock_descriptor}>&-
  lock_descriptor=
}
