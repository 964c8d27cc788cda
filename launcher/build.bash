# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Configure and build. One build folder for everything; tests and benchmarks are switched on when first asked
# for and then stay, so that nothing is compiled twice.

# choose_build PRESET: sets cartwright_preset and cartwright_build, the preset of CMake and the folder of the build,
# another one for each MPI that is chosen.
choose_build() {
  local folder=$1${CARTWRIGHT_MPI:+-$CARTWRIGHT_MPI}
  cartwright_preset=$1
  folder=${folder#release-}
  if [[ -n ${CARTWRIGHT_BUILD:-} ]]; then
    # A build of the user's own: taken as it is, nothing is set up or built.
    cartwright_build=$(realpath -ms -- "$CARTWRIGHT_BUILD")
  elif [[ -n ${CARTWRIGHT_HOME:-} ]]; then
    cartwright_build=$cartwright_home/build/$folder
  else
    cartwright_build=$cartwright_root/build/$folder
  fi
}

# native_build: whether the build is for the processor of this machine: as CARTWRIGHT_NATIVE in the environment says, as
# the build was configured before, or else it is. Solver projects inherit that from what is installed
# (cmake/CartwrightApp.cmake). Packages, and builds that look for faults, are for any.
native_build() {
  local before
  case $cartwright_preset in
    release | mpich)
      before=$(sed -nE 's/^.* native=(ON|OFF) .*$/\1/p' "$cartwright_build/launcher-configuration" 2>/dev/null)
      printf '%s' "${CARTWRIGHT_NATIVE:-${before:-ON}}"
      ;;
    *) printf 'OFF' ;;
  esac
}

# configure_tree TESTS BENCH [-DNAME=VALUE…]: ON or OFF each; runs CMake only when something changed.
configure_tree() {
  local tests=$1 bench=$2 wanted before=''
  shift 2
  local stamp=$cartwright_build/launcher-configuration
  [[ -r $stamp ]] && before=$(<"$stamp")
  [[ $before == *" tests=ON"* ]] && tests=ON
  [[ $before == *" bench=ON"* ]] && bench=ON
  if (($# == 0)) && [[ $before =~ \ options=(.*)$ && -n ${BASH_REMATCH[1]} ]]; then
    read -r -a kept <<<"${BASH_REMATCH[1]}"
    set -- "${kept[@]}"
  fi
  wanted="root=$cartwright_root kokkos=$kokkos_directory tests=$tests bench=$bench native=$(native_build) options=$*"
  [[ $before == "$wanted" && -r $cartwright_build/build.ninja ]] && return

  local -a fresh=() for_device=()
  mapfile -t for_device < <(device_compiler)
  # A tree that was moved, or another Kokkos: what the cache remembers is wrong.
  [[ -n $before && ${before%% tests=*} != "${wanted%% tests=*}" ]] && fresh=(--fresh)
  mkdir -p "$cartwright_build" || fail 1 "cannot write to $cartwright_build; set CARTWRIGHT_HOME to a directory for the build"
  step configure filter_lines cmake "${fresh[@]}" -S "$cartwright_root" --preset "$cartwright_preset" -B "$cartwright_build" \
    ${CARTWRIGHT_MPI:+"-DCARTWRIGHT_MPI=$CARTWRIGHT_MPI"} "-DKokkos_DIR=$kokkos_directory" \
    "-DCARTWRIGHT_TESTS=$tests" "-DCARTWRIGHT_BENCH=$bench" "-DCARTWRIGHT_NATIVE=$(native_build)" -DCARTWRIGHT_WERROR=OFF "${for_device[@]}" "$@" ||
    fail 3 "CMake could not configure the build (see above); './cartwright doctor' shows what was found"
  printf '%s\n' "$wanted" >"$stamp"
}

# build_targets TARGET…: quiet when nothing is to be done.
build_targets() {
  step build filter_ninja ninja -C "$cartwright_build" -j "$(build_jobs)" "$@" || fail 3 "the build failed (see above)"
}

# prepare_tree TESTS BENCH TARGET [-DNAME=VALUE…]: set-up, configuration and build in one.
prepare_tree() {
  local tests=$1 bench=$2 target=$3
  local -a packages=("${packages_to_run[@]}")
  shift 3
  if [[ -n ${CARTWRIGHT_BUILD:-} ]]; then
    [[ -d $cartwright_build ]] || fail 1 "CARTWRIGHT_BUILD names '$cartwright_build', which is no directory"
    kokkos_directory=$(sed -n 's/^Kokkos_DIR:[A-Z]*=//p' "$cartwright_build/CMakeCache.txt" 2>/dev/null)
    know_mpi
    return
  fi
  [[ ${kokkos_device:-} == hip ]] && packages+=("${packages_for_hip[@]}")
  [[ $tests == ON ]] && packages+=("${packages_to_test[@]}")
  lock_set_up
  set_up "${packages[@]}"
  configure_tree "$tests" "$bench" "$@"
  build_targets "$target"
  know_mpi
}

# install_tree: what a solver outside of this tree is built against.
install_tree() {
  local prefix
  prefix=$cartwright_home/$(mpi_folder install)
  [[ -n ${CARTWRIGHT_BUILD:-} ]] || build_targets cartwright_floors
  mkdir -p "$cartwright_home/log"
  cmake --install "$cartwright_build" --prefix "$prefix" >"$cartwright_home/log/install-tree.log" 2>&1 ||
    fail 3 "Cartwright could not be installed to $prefix; see $cartwright_home/log/install-tree.log"
  printf '%s' "$prefix"
}

# build_project DIRECTORY: a solver project that uses the installed package, which tells it the flags of the processor.
build_project() {
  local directory=$1 build prefix
  build=$directory/$(mpi_folder build)
  prefix=$(install_tree) || exit
  configure_project "$directory" "$build" "$prefix"
  step "build ${directory##*/}" filter_ninja ninja -C "$build" -j "$(build_jobs)" || fail 3 "$directory does not build (see above)"
}

# configure_project DIRECTORY BUILD PREFIX: runs CMake only when another Cartwright was installed than the last time. Its
# files may be older than what was built with the former: all is built anew.
configure_project() {
  local directory=$1 build=$2 wanted before=''
  local stamp=$build/launcher-configuration
  local -a first=()
  wanted="build=$cartwright_build kokkos=$kokkos_directory native=$(sed -n 's/^CARTWRIGHT_NATIVE:[A-Z]*=//p' "$cartwright_build/CMakeCache.txt")"
  [[ -r $stamp ]] && before=$(<"$stamp")
  [[ $before == "$wanted" && -r $build/build.ninja ]] && return
  [[ -r $build/build.ninja ]] || first=(-DCMAKE_BUILD_TYPE=Release)
  step "configure ${directory##*/}" filter_lines cmake -G Ninja -S "$directory" -B "$build" "${first[@]}" \
    "-DCMAKE_PREFIX_PATH=$3" "-DKokkos_DIR=$kokkos_directory" ||
    fail 3 "CMake could not configure $directory (see above)"
  ninja -C "$build" clean >/dev/null || fail 3 "cannot remove what was built in $build"
  printf '%s\n' "$wanted" >"$stamp"
}

# choose_device NAME: a build for devices, in a folder of its own, with a Kokkos that was built for them.
choose_device() {
  [[ $1 == cuda || $1 == hip ]] || fail 1 "build: --device is cuda or hip, not '$1'"
  kokkos_device=$1
  [[ $1 == hip ]] || find_kokkos >/dev/null ||
    fail 1 "no Kokkos with ${1^^} was found: build one, and name its folder with Kokkos_ROOT=DIR; docs/devices.md says how"
  choose_build "$1"
}

verb_build() {
  local -a definitions=() targets=()
  local argument
  while (($# > 0)); do
    argument=$1
    shift
    case $argument in
      --help | -h) verb_help build && return ;;
      --device) (($# > 0)) || fail 1 "build: --device is followed by cuda or hip"
        choose_device "$1" && shift ;;
      --device=*) choose_device "${argument#--device=}" ;;
      -D*=*) definitions+=("$argument") ;;
      -*) fail 1 "build: unknown option '$argument'; see ./cartwright help build" ;;
      *) targets+=("$argument") ;;
    esac
  done
  if ((${#targets[@]} == 0)); then targets=(all); fi
  [[ -z ${CARTWRIGHT_BUILD:-} ]] || fail 1 "CARTWRIGHT_BUILD is set: that build is yours, so build it with CMake"
  prepare_tree OFF OFF "${targets[0]}" "${definitions[@]}"
  build_targets "${targets[@]}"
  unlock_set_up
  say "built in $cartwright_build; programs are in $cartwright_build/bin"
}

verb_clean() {
  case ${1:-} in
    '') ;;
    --help | -h) verb_help clean && return ;;
    *) fail 1 "clean takes no arguments; it removes $cartwright_build and $cartwright_home/install" ;;
  esac
  lock_set_up
  know_mpi
  rm -rf -- "$cartwright_build" "${cartwright_home:?}/$(mpi_folder install)" "$cartwright_home/log"
  unlock_set_up
  say "removed the build; Kokkos (if built here) stays in $cartwright_home/kokkos"
}
