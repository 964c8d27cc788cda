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
  # Kernels are measured as they run: so many threads a rank.
  if [[ $plain == dry_run ]]; then export OMP_NUM_THREADS=$threads OMP_PROC_BIND=false; fi
  if [[ $plain != no ]]; then exec "$program" "$deck" "${program_arguments[@]}" </dev/null; fi
  run_ranks "$ranks" "$threads" "$program" "$deck" "${program_arguments[@]}"
  finish_run "$deck" "$program" "${program_arguments[@]}"
}

# Fills the variables of verb_run. Whatever is not for the launcher goes to the program.
parse_run() {
  local cut_off=''
  while (($# > 0)); do
    [[ -z $cut_off || $1 == -* ]] ||
      fail 1 "'$1' belongs to '$cut_off', but stands apart from it; put the whole of it into quotes: '$cut_off $1'"
    cut_off=''
    case $1 in
      '') fail 1 "run: an argument is empty" ;;
      -n | --ranks) ranks=$(value_of run "$@") || exit; shift ;;
      -n[0-9]*) ranks=${1#-n} ;;
      --ranks=*) ranks=$(value_of run "$@") || exit ;;
      -t | --threads) threads=$(value_of run "$@") || exit; shift ;;
      -t[0-9]*) threads=${1#-t} ;;
      --threads=*) threads=$(value_of run "$@") || exit ;;
      --nodes) nodes=$(value_of run "$@") || exit; shift ;;
      --nodes=*) nodes=$(value_of run "$@") || exit ;;
      --place) place=$(value_of run "$@") || exit; shift ;;
      --place=*) place=$(value_of run "$@") || exit ;;
      --help | -h) verb_help run && exit 0 ;;
      --check | --print-config | --json-schema | --deck-reference) plain=yes && program_arguments+=("$1") ;;
      --dry-run) plain=dry_run && program_arguments+=("$1") ;;
      --machine | --profile)
        value_of run "$@" >/dev/null || exit
        program_arguments+=("$1" "$2")
        shift
        ;;
      --machine=* | --profile=*) program_arguments+=("$1") ;;
      --restart)
        if [[ -n $deck && -n ${2-} && $2 != -* && $2 != *=* ]] || [[ -d ${2-} ]]; then
          program_arguments+=("--restart=$2")
          shift
        else
          program_arguments+=("--restart")
        fi
        ;;
      --restart=) fail 1 "--restart= names no directory; --restart alone goes on in the output directory" ;;
      --restart=* | --quiet | -q | --verbose | -v | --version | --list-solvers) program_arguments+=("$1") ;;
      -*) refuse_option "$@" ;;
      solver=*) solver=${1#*=} && program_arguments+=("$1") ;;
      *=*)
        program_arguments+=("$1")
        is_cut_off "$1" && cut_off=$1
        ;;
      *)
        [[ -z $deck ]] ||
          fail 1 "run takes one deck, but there are two: '$deck' and '$1' (keys of the deck are set as section.key=value, in quotes if there are blanks)"
        deck=$1
        ;;
    esac
    shift
  done
}

# value_of VERB -x VALUE or VERB --x=VALUE: prints the value, which may be neither absent nor empty.
value_of() {
  local verb=$1 option=$2 value=${3-}
  if [[ $option == --*=* ]]; then
    value=${option#*=}
    option=${option%%=*}
  fi
  [[ -n $value ]] || fail 1 "$verb: $option needs a value, but none is given; see ./cartwright help $verb"
  printf '%s' "$value"
}

# A list or map that a shell has taken apart: grid.extent=[64, 64]
is_cut_off() {
  local open closed
  open=$(tr -cd '[{' <<<"$1") closed=$(tr -cd ']}' <<<"$1")
  ((${#open} > ${#closed}))
}

# refuse_option OPTION [NEXT…]: names the key of the deck that is meant, if its name is one.
refuse_option() {
  local option=${1%%=*} value=VALUE key
  if [[ $1 == *=* ]]; then value=${1#*=}; elif [[ -n ${2-} && $2 != -* && $2 != *=* && $2 != *.y*ml ]]; then value=$2; fi
  key=$(key_named "${option##*-}")
  [[ $option != --*.* ]] || fail 1 "unknown option '$option'; a key of the deck is set without dashes: ${option##*--}=$value"
  [[ -z $key ]] || fail 1 "there is no option '$option'; a key of the deck is set without dashes: $key=$value"
  fail 1 "unknown option '$option'$(suggestion "$option" --ranks --threads --check --print-config --dry-run --restart --quiet --verbose); see ./cartwright help run"
}

# key_named NAME: the first key of that name that the reference knows, with its section.
key_named() {
  # shellcheck disable=SC2016 # Markdown's quotes
  sed -nE -e 's/^#+ .*`([a-z_.]+)`.*/section \1/p' -e "s/^\\| *\`($1)\` .*/key \1/p" "$cartwright_root/docs/deck.md" 2>/dev/null |
    awk '$1 == "section" { section = $2 "." } $1 == "key" { print section $2; exit }'
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
  # Who only asks does not wait for somebody else's build, if there is a program to ask.
  if [[ $plain != no ]] && set_up_is_busy && program=$(program_as_it_is); then
    say "another ./cartwright is setting up or building here; asking the program as it was built last"
    return
  fi
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

# The program for the deck, if it has been built. (A program that is being linked isn't executable yet.)
program_as_it_is() {
  local directory=${project:+$project/build} wanted=$solver found
  directory=${directory:-$cartwright_build/bin}
  [[ -n $wanted ]] || wanted=$(all_solvers "$directory" | head -n 1)
  found=$(program_for "$wanted" "$directory") && [[ -x $found ]] && printf '%s' "$found"
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
