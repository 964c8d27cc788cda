# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the launcher tells people. All of it goes to standard error: standard output belongs to the program.

say() { printf '%s\n' "$*" >&2; }

# fail CODE SENTENCE…: ends the launcher. Codes: 1 the input, 3 set-up or internal.
fail() {
  local code=$1
  shift
  printf 'cartwright: error: %s\n' "$*" >&2
  exit "$code"
}

# join SEPARATOR WORD…
join() {
  local separator=$1 joined=${2:-}
  shift
  (($# > 0)) && shift
  local word
  for word in "$@"; do joined+=$separator$word; done
  printf '%s' "$joined"
}

# edit_distance A B: for suggestions (Wagner and Fischer 1974, one row).
edit_distance() {
  local a=$1 b=$2 i j diagonal above cost
  local -a row
  for ((j = 0; j <= ${#b}; j++)); do row[j]=$j; done
  for ((i = 1; i <= ${#a}; i++)); do
    diagonal=${row[0]}
    row[0]=$i
    for ((j = 1; j <= ${#b}; j++)); do
      above=${row[j]}
      cost=1
      [[ ${a:i-1:1} == "${b:j-1:1}" ]] && cost=0
      row[j]=$((diagonal + cost))
      ((above + 1 < row[j])) && row[j]=$((above + 1))
      ((row[j - 1] + 1 < row[j])) && row[j]=$((row[j - 1] + 1))
      diagonal=$above
    done
  done
  printf '%d' "${row[${#b}]}"
}

# suggestion WORD CANDIDATE…: ", did you mean '…'?" where one candidate is near, else nothing.
suggestion() {
  local word=$1 candidate best='' distance smallest=3
  shift
  ((${#word} > 40)) && return
  for candidate in "$@"; do
    distance=$(edit_distance "$word" "$candidate")
    if ((distance < smallest && distance < ${#candidate})); then
      smallest=$distance
      best=$candidate
    fi
  done
  [[ -n $best ]] && printf ", did you mean '%s'?" "$best"
}
