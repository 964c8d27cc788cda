# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright test --tidy: clang-tidy over all sources, or those that were changed since a commit.

# read_sources [--since COMMIT] [PATH…]
read_sources() {
  python3 "$cartwright_root/tests/clang_tidy/read.py" "$cartwright_build" --jobs "$(usable_cores)" "$@"
}
