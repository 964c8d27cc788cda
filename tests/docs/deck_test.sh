#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deck_test.sh DOCS: deck.md and deck.schema.json are what the program PDE says today, particles/deck.md what NBODY says.
docs=$1
failed=0
# compare PROGRAM OPTION FILE
compare() {
  "$1" "$2" | diff -u "$docs/$3" - && return
  echo "docs/$3 is out of date; write it anew: $1 $2 > docs/$3"
  failed=1
}
compare "$PDE" --deck-reference deck.md
compare "$PDE" --json-schema deck.schema.json
compare "$NBODY" --deck-reference particles/deck.md
exit $failed
