# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright test: set-up, build and CTest, whose own summary comes last. With --coverage, --sanitize or --tidy the
# sources are examined, in builds of their own.

verb_test() {
  local -a definitions=() words=()
  local examine='' kind=''
  while (($# > 0)); do
    case $1 in
      --help | -h) verb_help test && return ;;
      -D*=*) definitions+=("$1") ;;
      --long) words+=(-C long) ;;
      --coverage | --tidy) examine+=${1#--} ;;
      --sanitize)
        examine+=sanitize kind=${2:-}
        (($# > 1)) && shift
        ;;
      --sanitize=*) examine+=sanitize kind=${1#*=} ;;
      *) words+=("$1") ;;
    esac
    shift
  done
  case $examine in
    '')
      prepare_tree ON ON all "${definitions[@]}"
      unlock_set_up
      # Tests that start programs wait for a third of their time and more: four times as many as cores keep the cores
      # busy (473 tests take 1062 s on 2 cores, three times as many as cores 1104).
      run_ctest "$((4 * $(usable_cores)))" "${words[@]}"
      ;;
    coverage) with_build coverage measure_coverage "${words[@]}" ;;
    sanitize) run_sanitizers "$kind" "${words[@]}" ;;
    tidy) with_build release read_sources "${words[@]}" ;;
    *) fail 1 'one of --coverage, --sanitize and --tidy at a time' ;;
  esac
}

# run_ctest JOBS OPTION…
run_ctest() {
  local jobs=$1
  shift
  ctest --test-dir "$cartwright_build" --output-on-failure --no-tests=error -j "$jobs" "$@" </dev/null
}

# with_build PRESET COMMAND…: runs the command with a build for PRESET, which is made ready first; `definitions` of the
# caller go to CMake.
with_build() {
  local preset=$1
  shift
  (
    choose_build "$preset"
    packages_to_test+=("${packages_to_examine[@]}")
    prepare_tree ON OFF all "${definitions[@]}"
    unlock_set_up
    "$@"
  )
}
