# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Kokkos: an installed one is used where it fits (3.4 <= version < 6, OpenMP or a device backend) and is
# never touched. Otherwise 3.4.1 is built from Debian's source package `trilinos`, below .cartwright/; for AMD's
# devices by clang 16, in a folder of its own.

# The clang that compiles for AMD's devices: 15, which Debian's hipcc calls, crashes on parts of the C++ library. Its linker
# and bundler are those of its own version, whatever else is installed.
readonly hip_compiler=clang++-16
readonly hip_architecture=${CARTWRIGHT_HIP_ARCHITECTURE:-VEGA906}

# hip_flags: where Debian keeps what clang looks for elsewhere.
hip_flags() {
  printf '%s' "-B/usr/lib/llvm-16/bin"
  local libraries
  for libraries in /usr/lib/*/amdgcn/bitcode; do
    [[ -d $libraries ]] && printf '%s' " --rocm-device-lib-path=$libraries"
  done
}

# device_compiler: definitions for CMake, a line each, where another compiler than the system's is needed.
device_compiler() {
  [[ ${kokkos_device:-} == hip ]] || return 0
  printf '%s\n' "-DCMAKE_CXX_COMPILER=$hip_compiler" "-DCMAKE_CXX_FLAGS=$(hip_flags)"
}

# our_kokkos: where our own lies.
our_kokkos() { printf '%s' "$cartwright_home/kokkos${kokkos_device:+-$kokkos_device}"; }

# kokkos_fits DIRECTORY: is the CMake package in there a Kokkos that can be used? With kokkos_device (cuda, hip): one
# that was built for it.
kokkos_fits() {
  local directory=$1 version major minor
  [[ -r $directory/KokkosConfig.cmake && -r $directory/KokkosConfigCommon.cmake ]] || return 1
  version=$(sed -n 's/^ *set(PACKAGE_VERSION "\(.*\)").*/\1/Ip' "$directory/KokkosConfigVersion.cmake" 2>/dev/null | head -n 1)
  IFS=. read -r major minor _ <<<"$version"
  [[ $major =~ ^[0-9]+$ && $minor =~ ^[0-9]+$ ]] || return 1
  ((major > 3 || (major == 3 && minor >= 4))) && ((major < 6)) || return 1
  grep -Eiq "^ *set\(Kokkos_DEVICES.*\b(${kokkos_device:-OPENMP|THREADS|HPX|CUDA|HIP|SYCL|OPENMPTARGET})\b" "$directory/KokkosConfigCommon.cmake"
}

# kokkos_candidates: where CMake would look, in its order, then our own.
kokkos_candidates() {
  local prefix entry
  local -a prefixes=() path=()
  [[ -n ${Kokkos_DIR:-} ]] && printf '%s\n' "$Kokkos_DIR"
  IFS=: read -r -a path <<<"${PATH}"
  IFS=:\; read -r -a prefixes <<<"${Kokkos_ROOT:-}:${CMAKE_PREFIX_PATH:-}"
  for entry in "${path[@]}"; do prefixes+=("${entry%/*}"); done
  for prefix in "${prefixes[@]}" /usr/local /usr "$(our_kokkos)"; do
    [[ -n $prefix ]] && printf '%s\n' "$prefix"/lib*/cmake/Kokkos "$prefix"/lib/*/cmake/Kokkos
  done
}

# find_kokkos: prints the directory of the CMake package to use; fails when there is none.
find_kokkos() {
  local directory
  while IFS= read -r directory; do
    if [[ -d $directory ]] && kokkos_fits "$directory"; then
      printf '%s' "$directory"
      return 0
    fi
  done < <(kokkos_candidates)
  return 1
}

plan_kokkos() {
  local backend=OpenMP
  [[ ${kokkos_device:-} == hip ]] && backend=HIP
  say "  Kokkos with $backend: none found; built from Debian's source package trilinos"
  say "    about 10 MB of source lists and 166 MB of source to download, 25 MB on disk in the end (in $cartwright_home)"
}

build_kokkos() {
  local work
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/cartwright-kokkos.XXXXXX") || fail 3 "no space for temporary files in ${TMPDIR:-/var/tmp}"
  chmod 755 "$work"
  # shellcheck disable=SC2064 # the path of now
  trap "rm -rf -- '$work'" EXIT
  download_kokkos "$work"
  compile_kokkos "$work"
  rm -rf -- "$work"
  trap explain_killed_helper EXIT
}

# source_repositories DIRECTORY: the system's own package sources of Debian (or Ubuntu) as source
# repositories, in files of DIRECTORY. Mirrors, keys and options stay as they are.
source_repositories() {
  local directory=$1 uris
  # shellcheck disable=SC2016 # apt's own placeholders
  uris=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
    sed -nE 's/^(Debian|Ubuntu|Raspbian|Linuxmint) //p' | sort -u)
  # Without package lists apt doesn't know an origin.
  # shellcheck disable=SC2016
  [[ -n $uris ]] || uris=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u)
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -r $file ]] && source_lines "$uris" <"$file"
  done >"$directory/system.list"
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -r $file ]] && source_stanzas "$uris" <"$file"
  done >"$directory/system.sources"
}

# One-line form: deb [options] uri suite component…
source_lines() {
  awk -v uris="$1" '
    BEGIN { n = split(uris, known, "\n"); for (i = 1; i <= n; i++) { sub(/\/$/, "", known[i]); wanted[known[i]] = 1 } }
    $1 == "deb" {
      at = 2
      if ($2 ~ /^\[/) { while (at < NF && $at !~ /\]$/) at++; at++ }
      uri = $at; sub(/\/$/, "", uri)
      if (uri in wanted) { sub(/^[ \t]*deb[ \t]/, "deb-src "); print }
    }'
}

# deb822 form: stanzas with Types, URIs, Suites…
source_stanzas() {
  awk -v uris="$1" '
    BEGIN { RS = ""; n = split(uris, known, "\n"); for (i = 1; i <= n; i++) { sub(/\/$/, "", known[i]); wanted[known[i]] = 1 } }
    {
      binary = use = 0; text = ""
      n = split($0, lines, "\n")
      for (i = 1; i <= n; i++) {
        if (lines[i] ~ /^#/) continue
        if (tolower(lines[i]) ~ /^types:/) { binary = lines[i] ~ /[ \t:]deb([ \t]|$)/; lines[i] = "Types: deb-src" }
        if (tolower(lines[i]) ~ /^uris:/) {
          m = split(lines[i], words, /[ \t]+/)
          for (j = 1; j <= m; j++) { sub(/^[Uu][Rr][Ii][Ss]:/, "", words[j]); sub(/\/$/, "", words[j]); if (words[j] in wanted) use = 1 }
        }
        text = text lines[i] "\n"
      }
      if (binary && use) print text
    }'
}

# download_kokkos WORK: the source package by an apt state of our own, so that nothing of the system's
# changes; apt's configuration (proxies, certificates) stays in force, and apt checks the signatures.
download_kokkos() {
  local work=$1
  mkdir -p "$work"/{sources,lists/partial,cache/archives/partial,source}
  source_repositories "$work/sources"
  local -a own=(
    -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/sources" -o "Dir::State::lists=$work/lists"
    -o "Dir::Cache=$work/cache" -o Acquire::Languages=none -o APT::Status-Fd=1
  )
  # apt downloads as a user of its own where it can.
  ((EUID == 0)) && id _apt >/dev/null 2>&1 && chown _apt "$work/lists/partial" "$work/source"
  step 'Kokkos: source lists' filter_apt env LC_ALL=C apt-get -q "${own[@]}" update ||
    fail 3 "Debian's source lists could not be fetched: is there a network? (An installed Kokkos with OpenMP, found by CMAKE_PREFIX_PATH, is used instead.)"
  (cd "$work/source" && step 'Kokkos: source' filter_apt env LC_ALL=C apt-get -q "${own[@]}" source --download-only --tar-only trilinos) ||
    fail 3 "Debian's source package trilinos could not be fetched: is there a network, and 400 MB of space in ${TMPDIR:-/var/tmp}?"
}

# compile_kokkos WORK: builds and installs; the folder appears under its name only when it is complete.
compile_kokkos() {
  local work=$1 archive prefix staging
  local -a backend=(-DKokkos_ENABLE_OPENMP=ON) for_device=()
  prefix=$(our_kokkos)
  staging=$prefix.incomplete
  [[ ${kokkos_device:-} == hip ]] && backend=(-DKokkos_ENABLE_HIP=ON "-DKokkos_ARCH_$hip_architecture=ON")
  mapfile -t for_device < <(device_compiler)
  archive=$(find "$work/source" -name 'trilinos_*.orig.tar.*' | head -n 1)
  [[ -n $archive ]] || fail 3 "Debian's source package trilinos holds no archive trilinos_*.orig.tar.*"
  mkdir -p "$work/kokkos"
  step 'Kokkos: unpack' filter_lines tar -xf "$archive" -C "$work/kokkos" --strip-components=3 --wildcards '*/packages/kokkos/*' ||
    fail 3 "$archive could not be unpacked: is there space in ${TMPDIR:-/var/tmp}?"
  step 'Kokkos: configure' filter_lines cmake -G Ninja -S "$work/kokkos" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_STANDARD=17 -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib "${backend[@]}" "${for_device[@]}" -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_TESTS=OFF ||
    fail 3 "Kokkos could not be configured (see above)"
  step 'Kokkos: build' filter_ninja ninja -C "$work/build" -j "$(build_jobs)" || fail 3 "Kokkos could not be built (see above)"
  rm -rf -- "$staging"
  step 'Kokkos: install' filter_lines cmake --install "$work/build" --prefix "$staging" || fail 3 "Kokkos could not be installed (see above)"
  rm -rf -- "$prefix"
  mv -- "$staging" "$prefix"
}
