# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright probe and tune: measure this machine, with one rank a core unless told otherwise.

verb_measure() {
  local verb=$1
  shift
  local ranks='' threads=1 nodes='' place='' on_stop=end
  local -a program_arguments=()
  while (($# > 0)); do
    case $1 in
      --help | -h) help_with_options "$verb" && return ;;
      -n | --ranks) ranks=$(value_of "$verb" "$@") || exit; shift ;;
      -n[0-9]*) ranks=${1#-n} ;;
      --ranks=*) ranks=$(value_of "$verb" "$@") || exit ;;
      --nodes) nodes=$(value_of "$verb" "$@") || exit; shift ;;
      --nodes=*) nodes=$(value_of "$verb" "$@") || exit ;;
      --place) place=$(value_of "$verb" "$@") || exit; shift ;;
      --place=*) place=$(value_of "$verb" "$@") || exit ;;
      *) program_arguments+=("$1") ;;
    esac
    shift
  done
  check_count -n "$ranks" ranks
  check_nodes
  prepare_tree OFF OFF "cartwright-$verb"
  unlock_set_up
  choose_ranks
  # shellcheck disable=SC2034  # for request_stop
  local stop_words='stopping; what is not complete yet will not be written'
  run_ranks "$ranks" "$threads" "$cartwright_build/bin/cartwright-$verb" "${program_arguments[@]}"
  finish_measurement "$verb"
}

# The page of the program, with all options, once it is built (it needs no ranks for that), and ours.
help_with_options() {
  local program=$cartwright_build/bin/cartwright-$1
  [[ -x $program ]] || { verb_help "$1" && return; }
  "$program" --help
  printf '\n%s\n' 'Of the launcher: -n RANKS (default: one a core), --nodes NODES and --place slot|node (see ./cartwright help run).'
}

# Ends the launcher with the exit code of the program.
finish_measurement() {
  if ((stop_requests > 0 && run_status != 0)); then
    say "cartwright: $1 was stopped as you asked; nothing was written but what was complete"
    exit 4
  fi
  if [[ $ranks_started == yes ]] && status_is_doubtful; then
    fail 3 "mpirun ended with status $run_status, and $1 has not said why: often a process of MPI or of a node was killed; nothing was written but what was complete, run it again"
  fi
  if ((run_status <= 3)) && [[ $ranks_started == yes ]]; then
    exit "$run_status"
  fi
  if [[ $ranks_started == no ]]; then
    say "$(explain_no_start)"
    fail 3 "mpirun could not start the ranks (exit status $run_status; its words are above)"
  fi
  if ((run_status > 128)); then
    fail 3 "a rank (or mpirun) was killed by $(signal_in_words "$((run_status - 128))"); nothing was written but what was complete, run it again"
  fi
  fail 3 "$1 ended with the unexpected status $run_status; nothing was written but what was complete, run it again"
}
