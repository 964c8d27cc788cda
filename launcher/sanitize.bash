# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright test --sanitize: all tests under the sanitizers of g++, and what was not reached, by name. Tests that
# can't run there are listed, with reasons, in tests/sanitizers/left_out.

# run_sanitizers address|thread|all [options of ctest]: exit code 3 if anything was found or failed.
run_sanitizers() {
  local kind=$1 status=0
  shift
  case $kind in
    address) with_build asan run_sanitized address "$@" ;;
    thread) with_build tsan run_sanitized thread "$@" ;;
    all)
      [[ -z ${CARTWRIGHT_BUILD:-} ]] || fail 1 'CARTWRIGHT_BUILD names one build: say --sanitize address or --sanitize thread'
      run_sanitizers address "$@" || status=$?
      run_sanitizers thread "$@" || status=$?
      return "$status"
      ;;
    *) fail 1 "--sanitize needs address, thread or all, not '$kind'$(suggestion "$kind" address thread all)" ;;
  esac
}

# run_sanitized address|thread [options of ctest]
run_sanitized() {
  local kind=$1 folder=$cartwright_build/sanitizer_reports pattern
  local report=$cartwright_root/tests/sanitizers/report.py
  shift
  grep -q "^CARTWRIGHT_SANITIZE:STRING=.*$kind" "$cartwright_build/CMakeCache.txt" ||
    fail 1 "the build in $cartwright_build has no $kind sanitizer: configure it with the preset asan or tsan"
  rm -rf -- "$folder"
  mkdir -p "$folder"
  pattern=$(python3 "$report" pattern "$kind") || fail 3 'tests/sanitizers/left_out cannot be read (see above)'
  run_ctest "$(usable_cores)" --exclude-regex "$pattern" --output-junit "$folder/tests.xml" --test-output-size-passed 1000000 "$@" || :
  ctest --test-dir "$cartwright_build" --show-only=json-v1 >"$folder/all.json"
  python3 "$report" summary "$kind" "$folder" || return 3
}
