# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Verbs that are programs of their own (commands/, validation/): built when first asked for, and started with all arguments.

verb_command() {
  local verb=$1 program="$cartwright_build/bin/cartwright-$1"
  shift
  (($# > 0)) || { verb_help "$verb" && exit 1; }
  # Nothing is set up or built for a page of help; the program's own, with all options, is longer.
  if [[ $1 == --help || $1 == -h ]] && [[ ! -x $program ]]; then verb_help "$verb" && return; fi
  prepare_tree OFF OFF "cartwright-$verb"
  unlock_set_up
  [[ -x $program ]] || fail 1 "there is no program cartwright-$verb in $cartwright_build/bin; CARTWRIGHT_BUILD names a build without it"
  exec "$program" "$@"
}
