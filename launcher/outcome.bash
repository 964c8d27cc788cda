# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the end of a run means, for those ends that the program could not explain by itself.

# finish_run DECK PROGRAM [ARGUMENT…]: ends the launcher with the exit code of the run.
finish_run() {
  local deck=$1 signal
  if ((stop_requests >= 2 && run_status != 0 && run_status != 4)); then
    say "cartwright: the run was ended at once as you asked; $(how_to_go_on "$@")"
    [[ -n $(newest_checkpoint "$(output_directory "$@")") ]] && exit 4
    exit 3
  fi
  # By a request that came before the ranks could remember it: 2, 12 and 15 are INT, USR2 and TERM.
  if [[ $ranks_asked == no ]] && ((stop_requests == 1 && (run_status == 130 || run_status == 140 || run_status == 143))); then
    stopped_before_start
  fi
  heed_verdict "$@"
  if ((run_status <= 4)) && [[ $ranks_started == yes ]]; then
    exit "$run_status"
  fi
  if [[ $ranks_started == no ]]; then
    say "$(explain_no_start)"
    fail 3 "mpirun could not start the ranks (exit status $run_status; its words are above)"
  fi
  if ((run_status > 128)); then
    signal=$((run_status - 128))
    fail 3 "a rank (or mpirun) was killed by $(signal_in_words "$signal"); $(how_to_go_on "$@")"
  fi
  fail 3 "the run of $deck ended with the unexpected status $run_status; $(how_to_go_on "$@")"
}

# At the launcher's end, whatever it was doing: who was killed or crashed has said nothing.
explain_killed_helper() {
  local status=$?
  case $status in
    134 | 135 | 136 | 137 | 139) fail 3 "a process of the launcher was killed by $(signal_in_words $((status - 128))); give the same command again" ;;
  esac
}

signal_in_words() {
  case $1 in
    6) printf 'signal 6 (SIGABRT): it gave up on an internal fault' ;;
    7) printf 'signal 7 (SIGBUS): often a full /dev/shm or /tmp' ;;
    9) printf 'signal 9 (SIGKILL): often the system, when memory runs out' ;;
    11) printf 'signal 11 (SIGSEGV): a fault in the program' ;;
    15) printf 'signal 15 (SIGTERM): somebody ended it' ;;
    *) printf 'signal %d (SIG%s)' "$1" "$(kill -l "$1" 2>/dev/null)" ;;
  esac
}

# mpirun was told to be quiet; a second try, of a program that does nothing, shows what hinders it.
explain_no_start() {
  local -a mpirun
  mpi_command loud
  timeout 20 "${mpirun[@]}" -n 1 true 2>&1 </dev/null | head -n 20
}

# how_to_go_on DECK PROGRAM [ARGUMENT…]: the command that restarts from a checkpoint, if there is one.
how_to_go_on() {
  local deck=$1 program=$2 directory
  shift 2
  directory=$(output_directory "$deck" "$program" "$@")
  if [[ -n $directory && -n $(newest_checkpoint "$directory") ]]; then
    printf 'go on from the last checkpoint with: %s' "$(restart_command)"
  else
    printf 'there is no checkpoint to go on from (the deck key checkpoint.every writes some)'
  fi
}

# output_directory DECK PROGRAM [ARGUMENT…]: as the program sees it.
output_directory() {
  local deck=$1 program=$2 argument
  local -a overrides=()
  shift 2
  for argument in "$@"; do
    [[ $argument == *=* && $argument != -* ]] && overrides+=("$argument")
  done
  timeout 20 "$program" "$deck" --print-config "${overrides[@]}" 2>/dev/null </dev/null |
    sed -nE '/^output:/,/^[^ ]/ s/^  *directory: *"?([^"#]*[^"# ])"?.*/\1/p' | head -n 1
}

newest_checkpoint() {
  [[ -n $1 ]] && find "$1/checkpoints" -maxdepth 1 -name 'step*.h5' -size +0 2>/dev/null | sort | tail -n 1
}

# restart_command: the call of this launcher, with --restart.
restart_command() {
  local -a words=("$cartwright_called_as" run "${run_arguments[@]}")
  local argument
  for argument in "${run_arguments[@]}"; do
    [[ $argument == --restart* ]] && printf '%s' "$(printf '%q ' "${words[@]}")" && return
  done
  printf '%s' "$(printf '%q ' "${words[@]}")--restart"
}
