# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# From a deck to the program that solves it.

# deck_solver DECK: the value of the top-level key `solver`; nothing when there is none. No YAML parser: the
# program checks the deck; this only finds the program.
deck_solver() {
  sed -nE -e "s/^solver[[:space:]]*:[[:space:]]*[\"']?([A-Za-z0-9_.-]+)[\"']?[[:space:]]*(#.*)?\r?$/\1/p" -- "$1" 2>/dev/null |
    tr -d '\0' | head -n 1
}

# project_of_deck DECK: the directory of the solver project that the deck belongs to: the deck's own or one
# of two above it, where a CMakeLists.txt uses the package.
project_of_deck() {
  local directory level
  directory=$(cd -- "$(dirname -- "$1")" 2>/dev/null && pwd -P) || return 1
  for level in 0 1 2; do
    : "$level"
    [[ $directory == "$cartwright_root" || $directory == / ]] && return 1
    if [[ -r $directory/CMakeLists.txt ]] && grep -Eqi '^[[:space:]]*find_package[[:space:]]*\([[:space:]]*cartwright\b' "$directory/CMakeLists.txt"; then
      printf '%s' "$directory"
      return 0
    fi
    directory=$(dirname -- "$directory")
  done
  return 1
}

# refresh_solver_lists DIRECTORY: writes PROGRAM.solvers beside every program that has none that is newer.
refresh_solver_lists() {
  local program
  while IFS= read -r program; do
    [[ $program.solvers -nt $program ]] && continue
    timeout 20 "$program" --list-solvers >"$program.solvers" 2>/dev/null </dev/null || rm -f -- "$program.solvers"
  done < <(find "$1" -maxdepth 3 -type f -perm -u+x -not -path '*/CMakeFiles/*' -not -name '*.so*' -not -name '*.sh')
}

# program_for SOLVER DIRECTORY: the program below DIRECTORY that offers the solver.
program_for() {
  local list
  list=$(grep -lFx -- "$1" "$2"/*.solvers "$2"/*/*.solvers 2>/dev/null | head -n 1)
  [[ -n $list ]] && printf '%s' "${list%.solvers}"
}

all_solvers() { cat "$1"/*.solvers "$1"/*/*.solvers 2>/dev/null | sort -u; }

# find_program DECK SOLVER DIRECTORY: or ends with what there is instead.
find_program() {
  local deck=$1 solver=$2 directory=$3 program
  local -a offered
  mapfile -t offered < <(all_solvers "$directory")
  ((${#offered[@]} > 0)) || fail 3 "no program in $directory offers a solver; './cartwright build' shows why"
  if [[ -z $solver ]]; then
    # The program reports the missing key with all other faults of the deck.
    program_for "${offered[0]}" "$directory"
  elif ! program_for "$solver" "$directory"; then
    fail 1 "$deck: no program offers the solver '$solver'$(suggestion "$solver" "${offered[@]}") (there are: $(join ', ' "${offered[@]}"))"
  fi
}
