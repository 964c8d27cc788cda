# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Starting ranks: binding, signals, and what their end means.

# binding_options RANKS THREADS: sets mpirun_options and the environment of OpenMP. Every rank gets cores of
# its own and every thread one of them, if there are enough.
binding_options() {
  local ranks=$1 threads=$2 cores
  cores=$(usable_cores)
  export OMP_NUM_THREADS=$threads
  unset CARTWRIGHT_CPUS_PER_RANK
  if ((ranks * threads > cores)); then
    mpi_binding crowded
    export OMP_PROC_BIND=false OMP_WAIT_POLICY=passive
    unset OMP_PLACES
    return
  fi
  export OMP_PROC_BIND=close OMP_PLACES=cores
  unset OMP_WAIT_POLICY
  if [[ -n ${nodes:-} ]] || affinity_is_restricted; then
    # Open MPI 4.1 and MPICH count cores from the machine's first, whatever the mask says, and on every node that
    # is made here: bind by ourselves.
    mpi_binding unbound
    CARTWRIGHT_CPUS_PER_RANK=$(cpus_per_rank "$ranks" "$threads")
    export CARTWRIGHT_CPUS_PER_RANK
  else
    mpi_binding bound "$threads"
  fi
}

# cpus_per_rank RANKS THREADS: "0,1;2,3": the processors of each rank.
cpus_per_rank() {
  local ranks=$1 threads=$2 rank
  local -a cores lists=()
  mapfile -t cores < <(allowed_cores)
  for ((rank = 0; rank < ranks; rank++)); do
    lists+=("$(join , "${cores[@]:rank*threads:threads}")")
  done
  join ';' "${lists[@]}"
}

# run_ranks RANKS THREADS PROGRAM ARGUMENT…: on the nodes of $nodes, if that is set. Sets run_status to mpirun's exit
# status, stop_requests to the number of requests to stop that came in meanwhile, ranks_started, ranks_here (does
# the launcher's word reach all ranks, or some?), and ranks_asked (has a rank acknowledged a request?). Where $on_stop is "end", the first request ends the ranks.
run_ranks() {
  local ranks=$1 threads=$2
  shift 2
  local -a mpirun mpirun_options on_nodes=()
  stop_requests=0
  keeper_pid=
  trap 'request_stop' INT TERM HUP
  know_mpi
  mpi_command
  binding_options "$ranks" "$threads"
  mpi_environment
  require_temporary_space
  marks=$(mktemp "${TMPDIR:-/tmp}/cartwright-marks.XXXXXX") || fail 3 "no space for temporary files in ${TMPDIR:-/tmp}"
  export CARTWRIGHT_MARKS=$marks CARTWRIGHT_MARKS_OWNER=$$ CARTWRIGHT_ON_STOP=${on_stop:-checkpoint}
  open_verdict
  set_terminal
  if [[ -n ${nodes:-} ]]; then on_nodes=(bash "$cartwright_root/launcher/make_nodes" "$nodes" "${place:-slot}"); fi

  # A session of its own: Ctrl-C reaches the launcher alone. If the launcher is killed, keep_ranks is told to
  # stop; it sees to it that the ranks write a checkpoint.
  # Between the launcher's death and this request nobody would tell it: hence the look at the parent.
  # shellcheck disable=SC2016
  setsid env --default-signal=INT,QUIT,HUP setpriv --pdeathsig USR2 \
    sh -c '[ "$PPID" = "$0" ] && exec "$@"' $$ "${on_nodes[@]}" \
    bash "$cartwright_root/launcher/keep_ranks" "$ranks" "$mpi_stop_signal" "$mpi_end_signal" \
    "${mpirun[@]}" -n "$ranks" "${mpirun_options[@]}" \
    bash "$cartwright_root/launcher/start_rank" "$@" </dev/null &
  keeper_pid=$!
  watch_verdict end_keeper
  watch_start end_keeper
  ((stop_requests > 0)) && tell_keeper
  await "$keeper_pid" verdict_watcher start_watcher
  run_status=$?
  trap - INT TERM HUP
  ranks_started=no ranks_here=some ranks_asked=no
  grep -qs '^started' "$marks" && ranks_started=yes
  # shellcheck disable=SC2034 # for status_is_doubtful
  (($(grep -cs '^started' "$marks") >= ranks)) && ranks_here=all
  grep -qs '^stopping' "$marks" && ranks_asked=yes
  mpi_true_status "$marks"
  local abandoned=no
  grep -qs '^abandoned' "$marks" && abandoned=yes
  rm -f -- "$marks"
  close_verdict
  # An mpirun that stood still when all was done (see keep_ranks) has no status, nor has one whose end came together with a
  # request (see await).
  if [[ $run_verdict == finished && ($abandoned == yes || $run_status =~ ^(129|130|138|140|143|255)$) ]]; then
    [[ $ranks_asked == yes ]] && run_status=4 || run_status=0
  fi
  [[ $run_verdict != unstarted ]] || fail_unstarted
}

# Without room for its own files Open MPI's mpirun says nothing that helps, or hangs.
require_temporary_space() {
  local folder=${TMPDIR:-/tmp} left
  left=$(df --output=avail -k -- "$folder" 2>/dev/null | tail -n 1)
  [[ $left =~ ^\ *[0-9]+$ ]] || return 0
  ((left >= 8192)) || fail 1 "there are only $((left)) KiB left in $folder, and MPI needs some MiB for its own files: make room, or set TMPDIR"
}

# The ranks' own standard output is always a pseudo-terminal, so they have to be told.
set_terminal() {
  local columns=0
  [[ -n ${CARTWRIGHT_TERMINAL:-} ]] && return
  if [[ -t 1 ]]; then columns=$(tput cols 2>/dev/null || printf '80'); fi
  export CARTWRIGHT_TERMINAL=$columns
}

# The first request leads to a checkpoint, the second ends the run at once.
request_stop() {
  ((stop_requests += 1))
  say ""
  if ((stop_requests == 1)); then
    say "cartwright: ${stop_words:-stopping after a checkpoint; once more ends the run at once}"
  else
    say "cartwright: ending the run at once"
  fi
  [[ -z $keeper_pid ]] || tell_keeper
}

# keep_ranks: SIGUSR2 asks the ranks to stop, SIGUSR1 ends them, another one kills mpirun.
tell_keeper() {
  local requests=$stop_requests
  [[ ${on_stop:-checkpoint} == end ]] && ((requests += 1))
  if ((requests == 1)); then
    kill -USR2 "$keeper_pid" 2>/dev/null
  else
    kill -USR1 "$keeper_pid" 2>/dev/null
  fi
}

# For an mpirun that is left alone.
end_keeper() {
  kill -USR1 "$keeper_pid" && sleep 3 && kill -USR1 "$keeper_pid"
}
