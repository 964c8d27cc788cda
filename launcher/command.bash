# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Verbs that are programs of their own (commands/): built when first asked for, and started with all arguments.

verb_command() {
  local verb=$1
  shift
  case ${1:-} in
    '') verb_help "$verb" && exit 1 ;;
  esac
  prepare_tree OFF OFF "cartwright-$verb"
  unlock_set_up
  exec "$cartwright_build/bin/cartwright-$verb" "$@"
}
