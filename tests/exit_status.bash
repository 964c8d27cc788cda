# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# same_status GOT WANTED WORDS…: is GOT what mpirun makes of a run that ends with WANTED? WORDS: files with all that it and
# the ranks said. MPICH's mpiexec knows the code of ranks that end by MPI_Abort, or all together; where one ends while
# others still run, it kills these, and may give the signal by which it did (9 or 15) instead of the code: only with its own
# words on that, and only if no rank has aborted with another code. The launcher takes the code from the ranks; its own
# tests are strict.
same_status() {
  local got=$1 wanted=$2
  shift 2
  [[ $got != "$wanted" ]] || return 0
  [[ ${MPI_FLAVOUR-} == mpich && $wanted != 0 && $got =~ ^(9|15)$ ]] || return 1
  cat -- "$@" | awk -v got="$got" -v wanted="$wanted" '
    /EXIT CODE: / && $NF == got { is_explained = 1 }
    match($0, /Abort\([0-9]+\) on node/) { if (substr($0, RSTART + 6) + 0 != wanted) is_other = 1 }
    END { exit !is_explained || is_other }'
}
