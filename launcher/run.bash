# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright run DECK: from a deck to a finished run.

verb_run() {
  run_arguments=("$@")
  local deck='' ranks='' threads='' nodes='' place='' solver='' plain=no
  local -a program_arguments=()
  parse_run "$@"
  check_run

  local project program directory
  project=$(project_of_deck "$deck") || project=''
  prepare_program

  choose_ranks
  if [[ $plain == dry_run ]]; then program_arguments+=(-n "$ranks"); fi
  if [[ $plain != no ]]; then exec "$program" "$deck" "${program_arguments[@]}" </dev/null; fi
  run_ranks "$ranks" "$threads" "$program" "$deck" "${program_arguments[@]}"
  finish_run "$deck" "$program" "${program_arguments[@]}"
}

# Fills the variables of verb_run. Whatever is not for the launcher goes to the program.
parse_run() {
  while (($# > 0)); do
    case $1 in
      -n | --ranks) ranks=${2-} && shift ;;
      -n[0-9]*) ranks=${1#-n} ;;
      --ranks=*) ranks=${1#*=} ;;
      -t | --threads) threads=${2-} && shift ;;
      -t[0-9]*) threads=${1#-t} ;;
      --threads=*) threads=${1#*=} ;;
      --nodes) nodes=${2-} && shift ;;
      --nodes=*) nodes=${1#*=} ;;
      --place) place=${2-} && shift ;;
      --place=*) place=${1#*=} ;;
      --help | -h) verb_help run && exit 0 ;;
      --check | --print-config | --json-schema | --deck-reference) plain=yes && program_arguments+=("$1") ;;
      --dry-run) plain=dry_run && program_arguments+=("$1") ;;
      --restart)
        if [[ -n $deck && -n ${2-} && $2 != -* && $2 != *=* ]] || [[ -d ${2-} ]]; then
          program_arguments+=("--restart=$2")
          shift
        else
          program_arguments+=("--restart")
        fi
        ;;
      -*) program_arguments+=("$1") ;;
      solver=*) solver=${1#*=} && program_arguments+=("$1") ;;
      *=*) program_arguments+=("$1") ;;
      *)
        [[ -z $deck ]] || fail 1 "run takes one deck, but there are two: '$deck' and '$1'"
        deck=$1
        ;;
    esac
    shift || fail 1 "run: the last option needs a value; see ./cartwright help run"
  done
}

# Mistakes that need no set-up to be seen.
check_run() {
  [[ -n $deck ]] || fail 1 "run needs a deck, for example: ./cartwright run inputs/pde/heat.yaml"
  [[ -e $deck ]] || fail 1 "there is no deck '$deck'$(deck_suggestion)"
  [[ -d $deck ]] && fail 1 "'$deck' is a directory, not a deck"
  [[ -r $deck ]] || fail 1 "the deck '$deck' cannot be read (permissions)"
  check_count -n "$ranks" ranks
  check_count -t "$threads" threads
  check_nodes
  [[ -n $solver ]] || solver=$(deck_solver "$deck")
}

check_count() {
  [[ -z $2 || $2 =~ ^[1-9][0-9]{0,6}$ ]] || fail 1 "$1 takes a number of $3 from 1, not '$2'"
}

deck_suggestion() {
  local -a decks=()
  local path
  while IFS= read -r path; do decks+=("${path#"$PWD"/}"); done < <(find "$cartwright_root/inputs" -name '*.yaml' 2>/dev/null | sort)
  suggestion "$deck" "${decks[@]}"
}

# Set-up, build, and the program that offers the solver: sets program.
prepare_program() {
  prepare_tree OFF OFF cartwright_apps
  if [[ -n $project ]]; then
    build_project "$project"
    directory=$project/$(mpi_folder build)
    refresh_solver_lists "$directory"
  else
    directory=$cartwright_build/bin
  fi
  unlock_set_up
  program=$(find_program "$deck" "$solver" "$directory") || exit
}

# One rank a core and one thread each, unless told otherwise.
choose_ranks() {
  local cores
  cores=$(usable_cores)
  if [[ -z $ranks && -z $threads ]]; then
    ranks=$cores threads=1
  elif [[ -z $ranks ]]; then
    ranks=$((cores / threads > 0 ? cores / threads : 1))
  elif [[ -z $threads ]]; then
    threads=$((cores / ranks > 0 ? cores / ranks : 1))
  fi
}
