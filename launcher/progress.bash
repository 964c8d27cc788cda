# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Progress of long commands: one line that is rewritten on a terminal, a few plain lines elsewhere; nothing
# at all for what takes less than a second.

milliseconds() { printf '%d' $((${EPOCHREALTIME/[.,]/} / 1000)); }

# show_progress TITLE < lines of "PERCENT DETAIL"
show_progress() {
  local title=$1 percent detail shown=-1 width=${COLUMNS:-80} line patience
  patience=$(($(milliseconds) + 1000))
  while read -r percent detail; do
    ((${EPOCHREALTIME/[.,]/} / 1000 < patience)) && continue
    if [[ -t 2 ]]; then
      printf -v line '  %-26s %3d %%  %s' "$title" "$percent" "$detail"
      printf '\r\033[K%s' "${line:0:width-1}" >&2
    elif ((percent / 25 > shown)); then
      shown=$((percent / 25))
      ((percent < 100)) && printf '  %-26s %3d %%\n' "$title" "$percent" >&2
    fi
  done
}

# step TITLE FILTER COMMAND…: runs a command with progress; its output goes to a log. When it fails, the
# end of the log is shown. The log is a plain file that the progress line follows, so that nothing that is
# being installed ever waits for the progress line, or fails with it.
step() {
  local title=$1 filter=$2 log status started pid traps
  shift 2
  mkdir -p "$cartwright_home/log" || fail 3 "cannot write to $cartwright_home; CARTWRIGHT_HOME can name another place"
  log=$cartwright_home/log/${title//[^a-zA-Z0-9]/-}.log
  : >"$log"
  started=$(milliseconds)
  "$@" </dev/null >>"$log" 2>&1 &
  pid=$!
  traps=$(trap -p INT TERM)
  # shellcheck disable=SC2064 # the process of now
  trap "kill $pid 2>/dev/null; exit 130" INT TERM
  tail -n +1 -s 0.1 -f --pid="$pid" "$log" 2>/dev/null | "$filter" | show_progress "$title"
  wait "$pid"
  status=$?
  trap - INT TERM
  eval "$traps"
  [[ -t 2 ]] && printf '\r\033[K' >&2
  if ((status != 0)); then
    say "  $title failed; the end of $log:"
    step_failure "$log" >&2
    return "$status"
  fi
  status=$(($(milliseconds) - started))
  ((status < 1000)) || printf '  %-26s done (%d s)\n' "$title" $((status / 1000)) >&2
  return 0
}

# The part of a log that tells what went wrong: a compiler's first failure, or the last lines.
step_failure() {
  local log=$1
  if grep -q '^FAILED: ' "$log"; then
    grep -v '^\[[0-9]*/[0-9]*\]' "$log" | grep -A 30 -m 1 '^FAILED: '
  else
    grep -v '^\(dl\|pm\)status:' "$log" | tail -n 15
  fi
}

# Filters turn what a tool prints into "PERCENT DETAIL".
filter_ninja() {
  local line
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] &&
      printf '%d %s of %s\n' $((100 * BASH_REMATCH[1] / BASH_REMATCH[2])) "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  done
}

filter_apt() {
  local kind percent detail
  while IFS=: read -r kind _ percent detail; do
    [[ $kind == dlstatus || $kind == pmstatus ]] && printf '%.0f %s\n' "$percent" "$detail" 2>/dev/null
  done
}

filter_lines() {
  local line
  while IFS= read -r line; do
    [[ -t 2 ]] && printf '0 %s\n' "$line"
  done
}
