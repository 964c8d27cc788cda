#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deck_test.sh DOCS: deck.md and deck.schema.json are what the program PDE says today.
docs=$1
failed=0
# compare OPTION FILE
compare() {
  "$PDE" "$1" | diff -u "$docs/$2" - && return
  echo "docs/$2 is out of date; write it anew: $PDE $1 > docs/$2"
  failed=1
}
compare --deck-reference deck.md
compare --json-schema deck.schema.json
exit $failed
