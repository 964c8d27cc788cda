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
  if affinity_is_restricted; then
    # Open MPI 4.1 and MPICH count cores from the machine's first, whatever the mask says: bind by ourselves.
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

# run_ranks RANKS THREADS PROGRAM ARGUMENT…: sets run_status to mpirun's exit status, and stop_requests to the
# number of requests to stop that came in meanwhile.
run_ranks() {
  local ranks=$1 threads=$2 seen
  shift 2
  local -a mpirun mpirun_options
  know_mpi
  mpi_command
  binding_options "$ranks" "$threads"
  mpi_environment
  started_mark=$(mktemp "${TMPDIR:-/tmp}/cartwright-started.XXXXXX") || fail 3 "no space for temporary files in ${TMPDIR:-/tmp}"
  export CARTWRIGHT_STARTED_MARK=$started_mark
  open_verdict
  set_terminal

  stop_requests=0
  mpirun_pid=
  trap 'request_stop' INT TERM HUP
  # A session of its own: Ctrl-C reaches the launcher alone. If the launcher is killed, mpirun is told to
  # stop; it passes the signal on to the ranks, which write a checkpoint.
  # Between the launcher's death and this request nobody would tell it: hence the look at the parent.
  # shellcheck disable=SC2016
  setsid env --default-signal=INT,QUIT,HUP setpriv --pdeathsig "$mpi_stop_signal" \
    sh -c '[ "$PPID" = "$0" ] && exec "$@"' $$ \
    "${mpirun[@]}" -n "$ranks" "${mpirun_options[@]}" \
    bash "$cartwright_root/launcher/start_rank" "$@" </dev/null &
  mpirun_pid=$!
  watch_verdict kill -KILL "$mpirun_pid"
  ((stop_requests > 0)) && kill -"$mpi_stop_signal" "$mpirun_pid" 2>/dev/null
  while :; do
    seen=$stop_requests
    wait "$mpirun_pid" 2>/dev/null
    run_status=$?
    ((stop_requests == seen)) && break
  done
  trap - INT TERM HUP
  close_verdict
  ranks_started=no
  [[ -s $started_mark ]] && ranks_started=yes
  mpi_true_status "$started_mark"
  rm -f -- "$started_mark"
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
  [[ -n $mpirun_pid ]] || return
  if ((stop_requests == 1)); then
    say ""
    say "cartwright: ${stop_words:-stopping after a checkpoint; once more ends the run at once}"
    kill -"$mpi_stop_signal" "$mpirun_pid" 2>/dev/null
  elif ((stop_requests == 2)); then
    say ""
    say "cartwright: ending the run at once"
    kill -"$mpi_end_signal" "$mpirun_pid" 2>/dev/null
  else
    kill -KILL "$mpirun_pid" 2>/dev/null
  fi
}
