# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What differs between MPIs: packages, the words of their mpirun, its signals and exit codes. CARTWRIGHT_MPI
# (openmpi or mpich) chooses; without it the build, or the mpirun of this system, decides.

# check_mpi_choice: before anything else is done.
check_mpi_choice() {
  case ${CARTWRIGHT_MPI:-} in
    '' | openmpi | mpich) ;;
    *) fail 1 "CARTWRIGHT_MPI is openmpi or mpich, not '$CARTWRIGHT_MPI'$(suggestion "$CARTWRIGHT_MPI" openmpi mpich)" ;;
  esac
}

# mpi_folder NAME: NAME, or for MPICH NAME-mpich: what is built for several MPIs stands side by side.
mpi_folder() {
  if [[ $mpi_flavour == mpich ]]; then printf '%s-mpich' "$1"; else printf '%s' "$1"; fi
}

# mpi_packages: Debian's packages for the MPI in use, one a line.
mpi_packages() {
  case ${CARTWRIGHT_MPI:-openmpi} in
    openmpi) printf '%s\n' libopenmpi-dev openmpi-bin libhdf5-openmpi-dev libscalapack-openmpi-dev ;;
    mpich) printf '%s\n' libmpich-dev mpich libhdf5-mpich-dev libscalapack-mpich-dev ;;
  esac
}

# know_mpi: sets mpi_flavour (openmpi, mpich, other), mpi_exec (its mpirun; empty: none), mpi_library (its name
# and version), mpi_preloaded (to be loaded into ranks that share cores, or are on several nodes), mpi_stop_signal and mpi_end_signal. Of the
# build, as CMake found them; before there is one, of what will be built with.
know_mpi() {
  local key value
  mpi_flavour='' mpi_exec='' mpi_library='' mpi_preloaded=''
  if [[ -r $cartwright_build/mpi ]]; then
    while read -r key value; do
      case $key in
        flavour) mpi_flavour=$value ;;
        library) mpi_library=$value ;;
        mpiexec) mpi_exec=$value ;;
        preloaded) mpi_preloaded=$value ;;
      esac
    done <"$cartwright_build/mpi"
    [[ -z ${CARTWRIGHT_MPI:-} || $CARTWRIGHT_MPI == "$mpi_flavour" ]] ||
      fail 1 "CARTWRIGHT_MPI is $CARTWRIGHT_MPI, but the build in $cartwright_build is for $mpi_flavour"
  else
    mpi_exec=$(find_mpi_exec)
    mpi_flavour=${CARTWRIGHT_MPI:-$(flavour_of_mpi_exec "$mpi_exec")}
  fi
  # Open MPI's mpirun passes on SIGUSR2, and would end the ranks itself at SIGTERM or SIGHUP: the former is kept from
  # it (see keep_ranks). MPICH's ends, and the ranks with it, at SIGUSR2, and passes on SIGTERM.
  mpi_stop_signal=USR2 mpi_end_signal=HUP
  if [[ $mpi_flavour == mpich ]]; then mpi_stop_signal=TERM mpi_end_signal=KILL; fi
}

find_mpi_exec() {
  local name
  local -a names=(mpirun mpiexec)
  [[ -n ${CARTWRIGHT_MPI:-} ]] && names=("mpirun.$CARTWRIGHT_MPI" "mpiexec.$CARTWRIGHT_MPI" mpirun mpiexec)
  for name in "${names[@]}"; do
    command -v "$name" && return
  done
}

# mpi_version MPIEXEC: one line.
mpi_version() {
  [[ -n $1 ]] && timeout 20 "$1" --version 2>&1 </dev/null |
    sed -nE -e 's/^[^(]*\((Open MPI|OpenRTE)\)/Open MPI/' -e 's/^HYDRA build details:.*/MPICH/;h' -e '/^MPICH$/{n;s/.*Version: */MPICH /p;q}' -e p -e q
}

flavour_of_mpi_exec() {
  case $(mpi_version "$1") in
    'Open MPI'*) printf 'openmpi' ;;
    MPICH*) printf 'mpich' ;;
    *) printf 'other' ;;
  esac
}

# mpi_command [loud]: sets mpirun to the command that starts ranks, up to -n.
mpi_command() {
  mpirun=("$mpi_exec")
  [[ $mpi_flavour == openmpi ]] || return
  # It would name the signal that killed a rank, and print stacks, in its own words.
  [[ ${1:-} == loud ]] || mpirun+=(--quiet --mca opal_signal '')
  ((EUID != 0)) || mpirun+=(--allow-run-as-root)
}

# mpi_binding crowded|unbound|bound THREADS: sets mpirun_options for ranks that share cores, that bind
# themselves, and that mpirun binds to THREADS cores each.
mpi_binding() {
  mpirun_options=()
  case $mpi_flavour:$1 in
    openmpi:bound) mpirun_options=(--bind-to core --map-by "slot:PE=$2") ;;
    openmpi:*) mpirun_options=(--oversubscribe --bind-to none) ;;
    mpich:bound) mpirun_options=(-bind-to "core:$2" -map-by "core:$2") ;;
    mpich:*) mpirun_options=(-bind-to none) ;;
  esac
  # Ranks that poll without end hold up those that they wait for, and may hang at the end on several nodes.
  if [[ ($1 == crowded || -n ${nodes:-}) && -r $mpi_preloaded ]]; then mpirun_options+=(-genv LD_PRELOAD "$mpi_preloaded"); fi
}

# mpi_environment: for the ranks.
mpi_environment() {
  unset CARTWRIGHT_LAUNCHER CARTWRIGHT_KEEP_STATUS
  if [[ $mpi_flavour == mpich ]]; then
    export UCX_HANDLE_ERRORS=${UCX_HANDLE_ERRORS:-none} # no stacks before the program's own words
    # Its mpirun combines the ranks' codes bit by bit, gives no 128 + signal, and sometimes forgets them all.
    export CARTWRIGHT_KEEP_STATUS=yes
  else
    # The ranks obey a SIGTERM from mpirun: it comes after a failure.
    export CARTWRIGHT_LAUNCHER=$$
    # Open MPI takes 0.2 s to find that there is no fabric, and then chooses this: measurements hold for runs without us, too.
    if [[ -z ${OMPI_MCA_pml+set} ]] && ! may_have_fabric; then export OMPI_MCA_pml=ob1 CARTWRIGHT_USUAL_PML=ob1; fi
  fi
}

# may_have_fabric: whether this machine has a network that is more than Ethernet, as far as Linux shows it; in a batch
# job always, since other nodes may have one, and containers may hide it.
may_have_fabric() {
  in_batch_job || compgen -G '/sys/class/infiniband/*' >/dev/null ||
    compgen -G '/dev/hfi1*' >/dev/null || compgen -G '/dev/ipath*' >/dev/null || compgen -G '/sys/class/cxi/*' >/dev/null
}

in_batch_job() {
  [[ -n ${SLURM_JOB_ID:-}${PBS_JOBID:-}${LSB_JOBID:-}${JOB_ID:-} ]]
}

# mpi_knows_hosts: whether mpirun may take hosts from the user's environment, or from files of its own.
mpi_knows_hosts() {
  local folder
  compgen -e | grep -qiE 'host_?file|node_?file|dash_host' && return
  for folder in "$(dirname -- "$(dirname -- "$(readlink -f -- "$mpi_exec")")")/etc" /etc /etc/openmpi ~/.openmpi ~; do
    grep -qsE '^[^#]*(host_?file|dash_host)' "$folder"/{,openmpi-}mca-params.conf "$folder"/{,.}mpiexec.hydra.conf && return
    grep -qsE '^[[:space:]]*[^#[:space:]]' "$folder/openmpi-default-hostfile" && return
  done
  return 1
}

# mpi_true_status MARKS: corrects run_status by what start_rank wrote: of the first rank that was killed, else of
# rank 0.
mpi_true_status() {
  local kept
  [[ $mpi_flavour == mpich ]] || return
  kept=$(sed -n '/^killed /{s///p;q}' "$1" 2>/dev/null)
  if [[ -z $kept && $run_status == 0 ]]; then
    kept=$(sed -n 's/^ended //p' "$1" 2>/dev/null)
    kept=${kept:-3}
  fi
  run_status=${kept:-$run_status}
}
