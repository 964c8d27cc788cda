#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./cartwright package: what it refuses before it builds anything. (Packages themselves: tests/packages.)
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
export CARTWRIGHT_HOME=$work/home
cd "$work" || exit 1

try package --size 3
expect_code 1
expect_text "unknown option '--size'"
try package --output
expect_code 1
expect_text 'followed by a directory'
for place in "$work/nowhere" "$work/file" ''; do
  touch "$work/file"
  try package --output "$place"
  expect_code 1
  expect_one_error
  expect_text 'where the packages are to go'
done
CARTWRIGHT_BUILD=$work try package
expect_code 1
expect_text 'a build of their own'
try help package
expect_code 0
expect_text 'python3-cartwright'
try package --help
expect_code 0
try pakage
expect_code 1
expect_text "did you mean 'package'?"
[[ ! -e $work/home/build ]] || wrong 'something was built'
finish
