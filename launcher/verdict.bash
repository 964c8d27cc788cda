# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the program itself says of its end, as lines of a file (CARTWRIGHT_VERDICT): "finished" after its final report,
# "failed … CODE" when it has said why, "ended" when its watcher has ended it. mpirun can't be believed: with a node cut
# off it hangs, and ends minutes later with status 0; with a daemon killed it ends with 1, and no words. Lines of other
# kinds are for the ranks (rt::Speaker), but for "unstarted", by the launcher itself (see patience.bash).

# open_verdict: before mpirun is started.
open_verdict() {
  verdict_file=$(mktemp "${TMPDIR:-/tmp}/cartwright-verdict.XXXXXX") || fail 3 "no space for temporary files in ${TMPDIR:-/tmp}"
  export CARTWRIGHT_VERDICT=$verdict_file
}

# become_watcher: what a process in the background does first that only looks on.
become_watcher() {
  trap '' INT TERM HUP USR1 USR2
  exec {quiet}<> <(:) # never has anything to read: to wait without a process for it
}

# watch_verdict COMMAND…: in the background. Ranks that have ended themselves may leave an mpirun behind that still
# waits for a node: it gets some seconds, then the command ends it.
watch_verdict() {
  local launcher=$$
  {
    become_watcher
    until grep -qsE '^(ended|failed)' "$verdict_file"; do
      kill -0 "$launcher" 2>/dev/null || exit
      read -rt 1 -u "$quiet"
    done
    read -rt "${CARTWRIGHT_MPIRUN_PATIENCE:-5}" -u "$quiet"
    "$@" 2>/dev/null
  } &
  verdict_watcher=$!
  disown "$verdict_watcher"
}

# close_verdict: sets run_verdict to finished, ended, failed, unstarted or nothing; with failed, run_status is the program's own.
close_verdict() {
  local word name code
  run_verdict=''
  # The first failure counts, and more than an end that was good until then.
  while read -r word name code; do
    : "$name"
    [[ $word == finished || $word == failed || $word == ended || $word == unstarted ]] || continue
    run_verdict=$word
    [[ $word != failed ]] || run_status=$code
    [[ $word == finished ]] || break
  done <"$verdict_file"
  rm -f -- "$verdict_file"
}

# status_is_doubtful: has mpirun given a status that only the program may give, and the program said nothing of it? (Ranks
# on other machines may not see the file.)
status_is_doubtful() {
  ((run_status >= 1 && run_status <= 4)) && [[ -z $run_verdict ]] && [[ -n ${nodes:-} || $ranks_here == all ]]
}

# heed_verdict DECK PROGRAM [ARGUMENT…]: ends the launcher where mpirun's status says something else.
heed_verdict() {
  [[ $ranks_started == yes ]] || return
  if [[ $run_verdict == ended ]]; then
    say "cartwright: $(how_to_go_on "$@")"
    exit 3
  fi
  if ((run_status == 0)) && [[ $run_verdict != finished ]]; then
    fail 3 "mpirun says that the run of $1 went well, but the program has not written its final report; $(how_to_go_on "$@")"
  fi
  ! status_is_doubtful ||
    fail 3 "mpirun ended with status $run_status, and the program has not said why: often a process of MPI or of a node was killed; $(how_to_go_on "$@")"
}
