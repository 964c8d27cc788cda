# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright drop-in: where the library is that carries out the collectives of programs that don't know us.

verb_drop_in() {
  if [[ ${1:-} == --help || ${1:-} == -h ]]; then verb_help drop-in && return; fi
  (($# == 0)) || fail 1 "drop-in: unknown argument '$1'; see ./cartwright help drop-in"
  prepare_tree OFF OFF cartwright_drop_in >&2
  unlock_set_up
  local library=$cartwright_build/lib/libcartwright_mpi.so
  [[ -r $library ]] || fail 1 "there is no $library; CARTWRIGHT_BUILD names a build without it"
  printf '%s\n' "$library"
}
