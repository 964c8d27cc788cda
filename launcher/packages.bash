# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Debian packages: what is needed, what is missing, and installing it.

packages_to_run=(
  g++ cmake ninja-build pkg-config
  libhwloc-dev libyaml-cpp-dev libfmt-dev libopenblas-dev
  libplplot-dev plplot-driver-cairo libpng-dev libmuparser-dev nlohmann-json3-dev libcli11-dev
)
mapfile -t -O "${#packages_to_run[@]}" packages_to_run < <(mpi_packages)
readonly -a packages_to_run
# For --nodes, and for the tests that use it.
readonly -a packages_for_nodes=(iproute2 util-linux procps)
packages_to_test=(libgtest-dev shellcheck python3 python3-h5py python3-paraview "${packages_for_nodes[@]}")

# For build --device hip: AMD's library and its part for devices, and a clang with what it calls.
readonly -a packages_for_hip=(libamdhip64-dev rocm-device-libs clang-16 lld-16 clang-tools-16)

# For test --coverage and --tidy.
readonly -a packages_to_examine=(gcovr clang-tidy)

# The commands that make a package unnecessary when they come from elsewhere.
command_of_package() {
  case $1 in
    g++) printf '%s' "${CXX:-c++}" ;;
    cmake | pkg-config | shellcheck | python3 | gcovr | clang-tidy) printf '%s' "$1" ;;
    ninja-build) printf 'ninja' ;;
    iproute2) printf 'ip' ;;
    util-linux) printf 'nsenter' ;;
    procps) printf 'pgrep' ;;
  esac
}

# missing_packages PACKAGE…: those that are not installed, one a line.
missing_packages() {
  local package status needed
  local -A installed=()
  while read -r status package; do
    [[ $status == ii ]] && installed[${package%%:*}]=1
  done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null)
  for package in "$@"; do
    [[ -n ${installed[$package]:-} ]] && continue
    needed=$(command_of_package "$package")
    [[ -n $needed ]] && command -v "$needed" >/dev/null && continue
    printf '%s\n' "$package"
  done
}

has_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

# as_root COMMAND…: directly, or through sudo where that asks no password.
as_root() {
  if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi
}

may_install() { ((EUID == 0)) || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }; }

# Progress goes to a descriptor of its own, opened behind sudo: apt closes it in the programs it starts.
apt_quietly() {
  as_root sh -c 'exec "$@" 3>&1' sh env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 "$@"
}

# packages_plan PACKAGE…: one line with the number and size of what would be installed; fails when apt
# doesn't know a package (its lists are missing or old).
packages_plan() {
  local answer
  answer=$(as_root env LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" 2>&1)
  grep -q ' newly installed' <<<"$answer" || return 1
  printf '%s packages, %s to download, %s on disk\n' \
    "$(sed -n 's/.* \([0-9]*\) newly installed.*/\1/p' <<<"$answer")" \
    "$(sed -n 's/^Need to get \([^/]*\(\/[^ ]*\)\? [kMG]\?B\) .*/\1/p' <<<"$answer")" \
    "$(sed -n 's/^After this operation, \(.*\) of additional.*/\1/p' <<<"$answer")"
}

# plan_packages PACKAGE…: says what is going to be installed. May refresh apt's lists first, to know it.
plan_packages() {
  local plan
  if ! plan=$(packages_plan "$@"); then
    say "  apt's package lists are missing or old: they are fetched first (apt-get update, about 10 MB)"
    step 'package lists' filter_apt apt_quietly update || fail 3 "'apt-get update' failed: is there a network?"
    plan=$(packages_plan "$@") ||
      fail 3 "apt does not offer what is needed ($(join ' ' "$@")); Debian 12 or later has it in its section main"
  fi
  say "  Debian packages: $(join ' ' "$@")"
  say "    with what they need: $plan"
}

install_packages() {
  if ! step 'download packages' filter_apt apt_quietly install --download-only --no-install-recommends "$@"; then
    say "  once more, with fresh package lists"
    step 'package lists' filter_apt apt_quietly update
    step 'download packages' filter_apt apt_quietly install --download-only --no-install-recommends "$@" ||
      fail 3 "the packages could not be downloaded: is there a network, and space on the disk?"
  fi
  # One sync at the end instead of one a file: minutes less on a slow disk.
  step 'install packages' filter_apt apt_quietly install -o Dpkg::Options::=--force-unsafe-io --no-install-recommends "$@" ||
    fail 3 "the packages could not be installed; by hand: apt-get install --no-install-recommends $(join ' ' "$@")"
  sync -f /usr /var/lib/dpkg 2>/dev/null
  return 0
}
