# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Verbs that are programs of their own (commands/, validation/): built when first asked for, and started with all arguments.

verb_command() {
  local verb=$1 program="$cartwright_build/bin/cartwright-$1"
  shift
  (($# > 0)) || refuse_nothing "$verb"
  # Nothing is set up or built for a page of help; the program's own, with all options, is longer.
  if [[ $1 == --help || $1 == -h ]] && [[ ! -x $program ]]; then verb_help "$verb" && return; fi
  prepare_tree OFF OFF "cartwright-$verb"
  unlock_set_up
  [[ -x $program ]] || fail 1 "there is no program cartwright-$verb in $cartwright_build/bin; CARTWRIGHT_BUILD names a build without it"
  exec "$program" "$@"
}

# refuse_nothing VERB: a verb alone gets its page, and then what it is that is missing.
refuse_nothing() {
  local verb=$1
  verb_help "$verb"
  printf '\n'
  case $verb in
    map) fail 1 "map needs a process grid and nodes for it, for example: --dims 24x24 --machine jaguar" ;;
    simulate) fail 1 "simulate needs an operation and a number of ranks, for example: allreduce --ranks 64" ;;
    scale) fail 1 "scale needs a deck, for example: inputs/pde/heat.yaml" ;;
    validate) fail 1 "validate needs the name of a document, or: all" ;;
  esac
}
