# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright test: set-up, build and CTest, whose own summary comes last.

verb_test() {
  local -a definitions=() to_ctest=()
  local argument
  for argument in "$@"; do
    case $argument in
      --help | -h) verb_help test && return ;;
      -D*=*) definitions+=("$argument") ;;
      *) to_ctest+=("$argument") ;;
    esac
  done
  prepare_tree ON ON all "${definitions[@]}"
  unlock_set_up
  exec ctest --test-dir "$cartwright_build" --output-on-failure --no-tests=error -j "$(usable_cores)" "${to_ctest[@]}" </dev/null
}
