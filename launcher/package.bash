# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright package: packages of Debian, in a build of their own (packaging/README.md).

# To make them; lintian is used where it is there.
readonly -a packages_to_package=(dpkg-dev file)

verb_package() {
  local -a definitions=()
  local output=$PWD archive
  while (($# > 0)); do
    case $1 in
      --help | -h) verb_help package && return ;;
      -D*=*) definitions+=("$1") ;;
      --output) (($# > 1)) || fail 1 'package: --output is followed by a directory' ;&
      --output=*)
        [[ $1 == *=* ]] || shift
        output=${1#*=} ;;
      *) fail 1 "package: unknown option '$1'; see ./cartwright help package" ;;
    esac
    shift
  done
  [[ -z ${CARTWRIGHT_BUILD:-} ]] || fail 1 'CARTWRIGHT_BUILD is set: packages are made from a build of their own'
  has_apt || fail 1 'packages are made on Debian (and systems like it) only'
  [[ -d $output && -w $output ]] || fail 1 "cannot write to '$output', where the packages are to go"
  output=$(cd -- "$output" && pwd -P)
  choose_build package
  set_up_package "${definitions[@]}"
  rm -rf -- "$cartwright_build/packages"
  pack
  for archive in "$cartwright_build"/packages/*.deb; do
    cp -- "$archive" "$output/" || fail 1 "cannot write to '$output'"
    say "  $output/${archive##*/}"
  done
  examine_packages
  unlock_set_up
  say "Install them: apt install ./cartwright*.deb ./python3-cartwright*.deb"
}

set_up_package() {
  lock_set_up
  set_up "${packages_to_run[@]}" "${packages_to_package[@]}"
  rm -f -- "$cartwright_build/launcher-configuration" # CMake runs anew: commit and maintainer are in what it writes
  configure_tree OFF OFF "$@"
  build_targets all
  know_mpi
}

# One commit gives the same bytes, whenever and by whomever they are packed.
pack() {
  local moment
  moment=$(git -C "$cartwright_root" log -1 --format=%ct 2>/dev/null) || moment=$(date +%s)
  (cd -- "$cartwright_build" && umask 022 && export SOURCE_DATE_EPOCH=$moment && step pack filter_lines cpack -G DEB) ||
    fail 3 'the packages could not be made (see above)'
}

examine_packages() {
  command -v lintian >/dev/null || { say '  (lintian is not installed: nobody has looked at them)' && return; }
  local -a as=()
  ((EUID != 0)) || as=(--allow-root)
  lintian "${as[@]}" --fail-on error,warning "$cartwright_build"/packages/*.deb >&2 || fail 3 'lintian has complaints (see above)'
  say '  lintian: no complaint'
}
