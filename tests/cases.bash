# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Cases of one script that mostly stand still (limits of time, and mpirun, which takes a second to end a failed run)
# run beside each other. The script has a $folder, with its deck if there is one; a case that is wrong prints a line with
# FAULT: or FAILED:.

cases_begun=0

# beside COMMAND…: a case in a shell of its own, with a $folder of its own, where the deck is copied to.
beside() {
  while (($(jobs -pr | wc -l) >= 4)); do wait -n; done
  ((++cases_begun))
  local own=$folder/case_$cases_begun
  mkdir "$own" || exit
  [[ ! -e $folder/deck.yaml ]] || cp "$folder/deck.yaml" "$own/" || exit
  # shellcheck disable=SC2030 # a folder of its own
  (folder=$own && { "$@" || :; } && : >"$own/ended") >"$own/words" 2>&1 </dev/null &
}

# all_cases_passed: waits for them, and shows what they said, in their order.
all_cases_passed() {
  wait
  # shellcheck disable=SC2031
  local number words=$folder/words
  for ((number = 1; number <= cases_begun; ++number)); do
    cat "$folder/case_$number/words"
    [[ -e $folder/case_$number/ended ]] || echo "FAULT: case $number of this script broke off"
  done >"$words"
  cat "$words"
  ((cases_begun > 0)) && ! grep -qE '^FA(ULT|ILED):' "$words"
}
