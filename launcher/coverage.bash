# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright test --coverage: which lines of framework/ the tests run.

# measure_coverage [--add] [options of ctest]: --add goes on counting, for tests that are run one after the other.
measure_coverage() {
  local status argument add=no
  local -a to_ctest=()
  for argument in "$@"; do
    if [[ $argument == --add ]]; then add=yes; else to_ctest+=("$argument"); fi
  done
  grep -q '^CARTWRIGHT_COVERAGE:BOOL=ON' "$cartwright_build/CMakeCache.txt" ||
    fail 1 "the build in $cartwright_build doesn't count lines: configure it with -DCARTWRIGHT_COVERAGE=ON"
  [[ $add == yes ]] || find "$cartwright_build" -name '*.gcda' -delete
  run_ctest "$(usable_cores)" "${to_ctest[@]}"
  status=$?
  report_coverage
  return "$status"
}

report_coverage() {
  local folder=$cartwright_build/coverage
  mkdir -p "$folder/html"
  say 'reading the counts'
  # Lines that g++ counts for a brace, or for what it made up itself, are no lines of ours.
  (cd "$cartwright_root" && gcovr --root . --object-directory "$cartwright_build" --filter 'framework/' \
    --exclude-unreachable-branches --gcov-ignore-parse-errors -j "$(usable_cores)" --json "$folder/all.json" \
    --html-details "$folder/html/index.html" "$cartwright_build") >"$folder/gcovr.log" 2>&1 ||
    fail 3 "gcovr could not read the counts; see $folder/gcovr.log"
  python3 "$cartwright_root/tests/coverage/report.py" "$folder/all.json" --uncovered "$folder/uncovered" \
    --json "$folder/floors.json"
  say "lines that didn't run: $folder/uncovered; in colours: $folder/html/index.html"
}
