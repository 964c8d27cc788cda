#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# programs_test.bash PROGRAM FILTER …: GoogleTest programs with ranks on several nodes, one after the other.
set -u
failed=0
while (($# > 0)); do
  # shellcheck disable=SC2086
  $MPIRUN -n "$RANKS" "$1" --gtest_filter="$2" --gtest_brief=1 || failed=1
  shift 2
done
exit $failed
