# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright scale DECK: measures what a step of the deck's solver does here, and predicts how it scales elsewhere.

verb_scale() {
  local deck='' ranks='' threads=1 nodes='' place='' solver='' plain=yes profile='' status
  local -a program_arguments=() scale_arguments=()
  (($# > 0)) || refuse_nothing scale
  parse_scale "$@"
  check_run

  local project program directory
  project=$(project_of_deck "$deck") || project=''
  prepare_program
  prepare_tree OFF OFF cartwright-scale
  unlock_set_up
  [[ -x $cartwright_build/bin/cartwright-scale ]] || fail 1 "there is no program cartwright-scale in $cartwright_build/bin"

  # Mistakes are found before anything is measured.
  "$cartwright_build/bin/cartwright-scale" --check "${scale_arguments[@]}" || exit
  profile=$(mktemp "${TMPDIR:-/tmp}/cartwright-profile.XXXXXX") || fail 3 "no temporary file can be made"
  say "measuring what a step takes here, on small grids"
  OMP_NUM_THREADS=$threads OMP_PROC_BIND=false "$program" "$deck" --quiet --dry-run -n 1 --profile "$profile" \
    "${program_arguments[@]}" </dev/null
  status=$?
  if ((status == 0)) && [[ ! -s $profile ]]; then
    rm -f -- "$profile"
    fail 1 "the solver of '$deck' makes no steps, whose scaling could be predicted; take a deck of one that does, such as inputs/pde/heat.yaml"
  fi
  if ((status == 0)); then
    "$cartwright_build/bin/cartwright-scale" --profile "$profile" "${scale_arguments[@]}"
    status=$?
  fi
  rm -f -- "$profile"
  exit "$status"
}

# Fills the variables of verb_scale: keys of the deck are for the solver's program, all else for cartwright-scale.
parse_scale() {
  while (($# > 0)); do
    case $1 in
      '') fail 1 "scale: an argument is empty" ;;
      --help | -h) verb_help scale && exit 0 ;;
      -t | --threads) threads=$(value_of scale "$@") || exit; shift ;;
      --threads=*) threads=$(value_of scale "$@") || exit ;;
      -n | --ranks | --machine | --backends | --base | --ranks-per-node | --csv | --json | --picture)
        value_of scale "$@" >/dev/null || exit
        scale_arguments+=("$1" "$2")
        shift
        ;;
      --*=* | --weak | --strong) scale_arguments+=("$1") ;;
      -*) fail 1 "unknown option '$1'$(suggestion "$1" --ranks --threads --machine --backends --base --ranks-per-node --csv --json --picture --weak --strong); see ./cartwright help scale" ;;
      solver=*) solver=${1#*=} && program_arguments+=("$1") ;;
      *=*) program_arguments+=("$1") ;;
      *)
        [[ -z $deck ]] || fail 1 "scale takes one deck, but there are two: '$deck' and '$1'"
        deck=$1
        ;;
    esac
    shift
  done
}
