# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# await PROCESS VARIABLE…: waits for a child of this shell while signals come in that have traps; its status. Then the
# helpers are killed, other children that may still live and are in these variables. bash (5.2) forgets a child's end that
# comes at the same moment as such a signal, whichever child that is, and who waits for it later waits for as long as there is
# another child. So nobody waits for a helper (it is disowned), nor again for the process before there is no other. Of a
# process whose end was forgotten the status is the signal's, or 255.
await() {
  local process=$1 status again helper
  shift
  while :; do
    wait "$process" 2>/dev/null
    status=$?
    kill -0 "$process" 2>/dev/null || break # else a signal came in
  done
  for helper; do
    [[ -z ${!helper} ]] || kill -KILL "${!helper}" 2>/dev/null
  done
  # That a signal ended the wait says nothing about the process: its own status is kept for this call.
  wait "$process" 2>/dev/null
  again=$?
  return $((again == 127 ? status : again))
}
