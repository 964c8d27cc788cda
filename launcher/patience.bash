# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Ranks that have begun to start MPI end themselves when that takes too long (framework/rt/src/start_limit.cpp). Where
# mpirun starts none at all, since it waits for a node, or is stopped, only the launcher can have that patience.

# start_patience SILENCE: five times this duration in milliseconds; nothing where it is "off". Durations as the programs
# read them (framework/rt/src/duration.cpp); what isn't one counts as a minute, and the deck will say so.
start_patience() {
  awk -v text="$1" '
    function seconds_of(text,   total, unit, name, part) {
      sub(/^ +/, "", text); sub(/ +$/, "", text)
      if (text ~ /^\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/) return text + 0
      if (text ~ /^[0-9]+:[0-9]+(:[0-9]+)?$/) { split(text, part, ":"); return part[1] * 3600 + part[2] * 60 + part[3] }
      for (total = 0; match(text, /^[0-9.]+ *[a-z]+ */); text = substr(text, RLENGTH + 1)) {
        name = substr(text, 1, RLENGTH)
        gsub(/[0-9. ]/, "", name)
        if (!(name in units)) return 0
        total += units[name] * (text + 0)
      }
      return text == "" ? total : 0
    }
    BEGIN {
      if (text == "off") exit
      count = split("d 86400 day 86400 days 86400 h 3600 hour 3600 hours 3600 m 60 min 60 minutes 60 s 1 seconds 1 ms 1e-3 us 1e-6", word, " ")
      for (i = 1; i < count; i += 2) units[word[i]] = word[i + 1]
      seconds = seconds_of(text)
      if (seconds <= 0) seconds = 60
      printf "%.0f", 5000 * seconds
    }'
}

# ranks_leave_marks: can it be seen here that a rank was started? Not where a batch system, or a list of hosts that the
# user has, may bring all of them to other machines.
ranks_leave_marks() {
  [[ -z ${nodes:-} ]] || return 0
  [[ $mpi_flavour != other ]] && ! in_batch_job && ! mpi_knows_hosts
}

# watch_start COMMAND…: in the background. Where no rank has been started in time, it says so in the file of verdicts, and
# the command ends mpirun. Time counts only while this process and the launcher run.
watch_start() {
  local launcher=$$ left
  start_watcher=
  ranks_leave_marks || return 0
  left=$(start_patience "${CARTWRIGHT_STOP_SILENCE:-60}")
  [[ -n $left ]] || return 0
  {
    become_watcher
    while ((left > 0)); do
      if [[ ! -e $marks || -s $marks ]] || ! kill -0 "$keeper_pid" 2>/dev/null; then exit; fi
      read -rt 0.2 -u "$quiet"
      is_stopped "$launcher" || ((left -= 200))
    done
    printf 'unstarted\n' >>"$verdict_file"
    "$@" 2>/dev/null
    read -rt 3 -u "$quiet"
    kill -KILL "$keeper_pid" 2>/dev/null
  } &
  start_watcher=$!
  disown "$start_watcher"
}

# is_stopped PROCESS: by a signal, or by a debugger.
is_stopped() {
  local status=''
  read -rd '' status 2>/dev/null <"/proc/$1/status"
  [[ $status == *$'\nState:\t'[Tt]* ]]
}

fail_unstarted() {
  fail 3 "mpirun has not started any rank within 5 times CARTWRIGHT_STOP_SILENCE (${CARTWRIGHT_STOP_SILENCE:-60s}): it is stopped, \
or waits for a node that is down or can't be reached; look at the nodes and give the same command again. Where starting takes so \
long, set CARTWRIGHT_STOP_SILENCE to more, or to off"
}
