# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright doctor: what was found, what is wrong, and what to do about it. Changes nothing.

verb_doctor() {
  case ${1:-} in
    '') ;;
    --help | -h) verb_help doctor && return ;;
    *) fail 1 "doctor takes no arguments" ;;
  esac
  doctor_faults=0
  doctor_tools
  doctor_packages
  doctor_kokkos
  doctor_machine
  doctor_binding
  doctor_nodes
  doctor_disk
  if ((doctor_faults == 0)); then
    say "Everything that a run needs is here."
  else
    say "$doctor_faults of these need attention."
    exit 1
  fi
}

found() { printf '  %-16s %s\n' "$1" "$2" >&2; }
wrong() {
  printf '! %-16s %s\n' "$1" "$2" >&2
  ((doctor_faults += 1))
}

first_line_of() { "$@" 2>/dev/null </dev/null | head -n 1; }

doctor_tools() {
  local compiler=${CXX:-c++}
  found system "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null), $(uname -m)"
  if ! command -v "$compiler" >/dev/null; then
    wrong compiler "no '$compiler'; install g++"
  elif ! "$compiler" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null <<<'#include <concepts>
template <std::integral T> T f(T t) { return t; } int main() { return f(0); }'; then
    wrong compiler "$(first_line_of "$compiler" --version) does not compile C++20; g++ 11 or clang 14 do"
  else
    found compiler "$(first_line_of "$compiler" --version)"
  fi
  if command -v cmake >/dev/null; then found cmake "$(first_line_of cmake --version)"; else wrong cmake "missing; 3.25 or later is needed"; fi
  if command -v ninja >/dev/null; then found ninja "$(first_line_of ninja --version)"; else wrong ninja "missing; install ninja-build"; fi
  doctor_mpi
  local mpi=${mpi_flavour/other/openmpi}
  doctor_library HDF5 "parallel HDF5" "libhdf5-$mpi-dev" "hdf5-$mpi" hdf5-mpi
  doctor_library hwloc hwloc libhwloc-dev hwloc
  doctor_library yaml-cpp yaml-cpp libyaml-cpp-dev yaml-cpp
  doctor_library PLplot PLplot libplplot-dev plplot
  doctor_library libpng libpng libpng-dev libpng
  doctor_library muParser muParser libmuparser-dev muparser
  doctor_library OpenBLAS OpenBLAS libopenblas-dev openblas
  doctor_library ScaLAPACK ScaLAPACK "libscalapack-$mpi-dev" "scalapack-$mpi" scalapack
}

# The library of the build, if there is one, and what starts its ranks.
doctor_mpi() {
  local words
  know_mpi
  words=$(mpi_version "$mpi_exec")
  if [[ -z $mpi_exec ]]; then
    wrong MPI "no mpirun; install $(mpi_packages | head -n 2 | tr '\n' ' ')"
  elif [[ $mpi_flavour == other || $mpi_flavour != "$(flavour_of_mpi_exec "$mpi_exec")" ]]; then
    wrong MPI "${mpi_library:-${CARTWRIGHT_MPI:-an MPI}} with $mpi_exec (${words:-it does not give its version}); the launcher speaks Open MPI's and \
MPICH's mpirun (CARTWRIGHT_MPI=openmpi or mpich); with another MPI, start the programs by hand"
  else
    found MPI "${mpi_library:+$mpi_library; }ranks are started by $mpi_exec ($words)"
  fi
}

# doctor_library LABEL NAME PACKAGE MODULE…
doctor_library() {
  local label=$1 name=$2 package=$3 module version
  shift 3
  for module in "$@"; do
    version=$(pkg-config --modversion "$module" 2>/dev/null) && found "$label" "$name $version" && return
  done
  wrong "$label" "$name is not found by pkg-config; install $package"
}

doctor_packages() {
  local -a missing
  has_apt || return
  mapfile -t missing < <(missing_packages "${packages_to_run[@]}")
  if ((${#missing[@]} == 0)); then
    found packages "all ${#packages_to_run[@]} installed"
  elif may_install; then
    found packages "missing, installed by the first run: $(join ' ' "${missing[@]}")"
  else
    wrong packages "missing, and this user may not install: apt-get install --no-install-recommends $(join ' ' "${missing[@]}")"
  fi
}

doctor_kokkos() {
  local directory
  if directory=$(find_kokkos); then
    found Kokkos "$directory ($(sed -n 's/^SET(Kokkos_DEVICES \(.*\))/\1/p' "$directory/KokkosConfigCommon.cmake"))"
  elif has_apt; then
    found Kokkos "none that fits (>= 3.4, < 6, OpenMP or a device); the first run builds one"
  else
    wrong Kokkos "none that fits (>= 3.4, < 6, OpenMP or a device backend); say where with CMAKE_PREFIX_PATH"
  fi
}

doctor_machine() {
  local quota
  quota=$(cpu_quota)
  found cores "$(allowed_cores | wc -l) that may be used, of $(getconf _NPROCESSORS_ONLN) processors${quota:+; the control group grants $quota}"
  found memory "$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo | awk '{printf "%.1f GB available", $1 / 1e6}')"
}

# Does a rank with two threads really get two cores?
doctor_binding() {
  local cores bound
  [[ -n $mpi_exec ]] || return
  cores=$(usable_cores)
  if ((cores < 2)); then
    found binding "one core: nothing to bind"
    return
  fi
  local -a mpirun mpirun_options
  mpi_command
  binding_options 1 2
  bound=$(timeout 20 "${mpirun[@]}" -n 1 "${mpirun_options[@]}" bash "$cartwright_root/launcher/start_rank" \
    sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status 2>/dev/null </dev/null)
  case $bound in
    *-* | *,*) found binding "one rank with two threads is bound to the processors ${bound//$'\r'/}" ;;
    '') wrong binding "mpirun does not start ranks: $(explain_no_start | grep -v -- '---' | head -n 3 | tr '\n' ' ')" ;;
    *) wrong binding "one rank with two threads got only processor $bound; runs will say how they are bound" ;;
  esac
}

# Not needed by a run: nothing is wrong without.
doctor_nodes() {
  local nodes_hindrance=''
  if nodes_are_possible; then
    found nodes 'several can be made on this machine (--nodes, ctest -L nodes)'
  else
    found nodes "--nodes can't be used: $nodes_hindrance"
  fi
}

doctor_disk() {
  local place free
  for place in "$cartwright_root" "${TMPDIR:-/tmp}" /dev/shm; do
    free=$(df -Pk -- "$place" 2>/dev/null | awk 'NR == 2 {print int($4 / 1000)}')
    if [[ -z $free ]]; then
      wrong disk "$place cannot be looked at"
    elif [[ $place == /dev/shm ]] && ((free < 64)); then
      found disk "/dev/shm has only $free MB free: ranks that find too little there talk through ${TMPDIR:-/tmp}"
    elif ((free < 64)); then
      wrong disk "$place has only $free MB free"
    else
      found disk "$place: $((free / 1000)).$((free % 1000 / 100)) GB free"
    fi
  done
}
