# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the launcher's tests share: running it, and judging what came out.

failures=0
launcher=${LAUNCHER:?path of cartwright}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

# try ARGUMENT…: runs the launcher; sets code and text (both streams).
try() {
  called="cartwright $*"
  text=$("$launcher" "$@" 2>&1 </dev/null)
  code=$?
}

wrong() {
  printf 'FAILED: %s\n  %s\n  it gave %s:\n%s\n' "$called" "$1" "$code" "$text"
  ((failures += 1))
}

expect_code() { [[ $code == "$1" ]] || wrong "expected exit code $1"; }
expect_text() { [[ $text == *"$1"* ]] || wrong "expected: $1"; }
expect_no_text() { [[ $text != *"$1"* ]] || wrong "did not expect: $1"; }

# One message, and nothing of mpirun's own around it.
expect_one_error() {
  [[ $(grep -c 'error' <<<"$text") == 1 ]] || wrong "expected one message"
  expect_no_text '-----'
}

finish() {
  ((failures == 0)) && printf 'all right\n'
  exit $((failures > 0))
}
