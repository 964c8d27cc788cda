#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# spack.bash SPACK [VARIANTS]: installs the recipe in packaging/spack with a checkout of Spack, everything that it
# depends on being what Debian 12 and the launcher (Kokkos) have installed, then builds and runs the tutorial's solver with the
# installation. VARIANTS: "~grid" is the communication half alone, a few minutes; the default is all, about 15 on 2 cores. Nothing is
# downloaded and nothing is written outside of TMPDIR, Spack's checkout included. No test of CTest.
set -euo pipefail

spack_root=$(cd -- "${1:?a checkout of Spack}" && pwd -P)
variants=${2:-}
sources=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
kokkos=${KOKKOS_ROOT:-$sources/.cartwright/kokkos}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/spack.XXXXXX")
trap 'rm -rf --one-file-system -- "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  tail -n 60 "$work/log" >&2
  exit 1
}

# part NAME COMMAND…: one line of outcome.
part() {
  local name=$1 start=$SECONDS
  shift
  "$@" >"$work/log" 2>&1 </dev/null || fail "$name"
  printf '%-62s ok, %d s\n' "$name" $((SECONDS - start))
}

# Nothing of the user's: configuration, caches, packages.
export SPACK_DISABLE_LOCAL_CONFIG=yes SPACK_USER_CACHE_PATH=$work/cache SPACK_PYTHON=/usr/bin/python3 PATH=/usr/sbin:/usr/bin:/sbin:/bin
spack() { "$spack_root/bin/spack" -C "$work/config" "$@"; }

# version PACKAGE: of Debian's, without what Debian adds.
version() { dpkg-query -W -f '${Version}' "$1" | sed -E 's/^[0-9]+://; s/[+~-].*//'; }

# external NAME VERSION [PREFIX [VARIANTS]]
external() { printf '  %s: {buildable: false, externals: [{spec: "%s@%s%s", prefix: %s}]}\n' "$1" "$1" "$2" "${4:+ $4}" "${3:-/usr}"; }

mkdir "$work/config"
concretizer=original # of older Spacks; clingo where there is its Python module
"$SPACK_PYTHON" -c 'import clingo' 2>/dev/null && concretizer=clingo
cat >"$work/config/config.yaml" <<END
config:
  install_tree: {root: $work/installed}
  build_stage: $work/stage
  source_cache: $work/cache/sources
  misc_cache: $work/cache/misc
  environments_root: $work/environments
  concretizer: $concretizer
  build_jobs: $(nproc)
END
cat >"$work/config/compilers.yaml" <<END
compilers:
- compiler:
    spec: gcc@$(g++ -dumpfullversion)
    paths: {cc: /usr/bin/gcc, cxx: /usr/bin/g++, f77: /usr/bin/gfortran, fc: /usr/bin/gfortran}
    operating_system: debian$(cut -d. -f1 /etc/debian_version)
    target: $(uname -m)
    modules: []
    environment: {}
    extra_rpaths: []
END
{
  printf 'packages:\n  all: {compiler: ["gcc@%s"], providers: {mpi: [openmpi], pkgconfig: [pkgconf], blas: [openblas], lapack: [openblas], scalapack: [netlib-scalapack]}}\n' "$(g++ -dumpfullversion)"
  printf '  mpi: {buildable: false}\n'
  external cmake "$(version cmake)"
  external gmake "$(version make)"
  external ninja "$(version ninja-build)"
  external pkgconf "$(version pkgconf)"
  external openmpi "$(version libopenmpi-dev)"
  external hwloc "$(version libhwloc-dev)"
  external yaml-cpp "$(version libyaml-cpp-dev)"
  external fmt "$(version libfmt-dev)"
  external nlohmann-json "$(version nlohmann-json3-dev)"
  external cli11 "$(version libcli11-dev)"
  external hdf5 "$(version libhdf5-openmpi-dev)" /usr '+mpi'
  external plplot "$(version libplplot-dev)" /usr '+pango'
  external libpng "$(version libpng-dev)"
  external muparser "$(version libmuparser-dev)"
  external openblas "$(version libopenblas-dev)"
  external netlib-scalapack "$(version libscalapack-openmpi-dev)"
  external kokkos "$(sed -n 's/.*KOKKOS_VERSION \([0-9]\{1,2\}\)\([0-9]\{2\}\)\([0-9]\{2\}\)$/\1.\2.\3/p' "$kokkos/include/KokkosCore_config.h")" "$kokkos" '+openmp'
} >"$work/config/packages.yaml"

# What is committed: Spack builds beside the sources, and these stay as they are.
mkdir "$work/sources"
git -C "$sources" archive HEAD | tar x -C "$work/sources"
# As `spack repo add packaging/spack` would say, which writes into Spack's checkout.
printf 'repos: [%s, %s]\n' "$work/sources/packaging/spack" "$spack_root/var/spack/repos/builtin" >"$work/config/repos.yaml"
printf 'Spack %s, concretizer %s\n' "$(spack --version)" "$concretizer"
part 'spack spec cartwright' spack spec "cartwright@main$variants"
sed -n '/Concretized/,$p' "$work/log"
part 'spack dev-build cartwright' spack dev-build --source-path "$work/sources" "cartwright@main$variants"
prefix=$(spack location -i cartwright)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 PKG_CONFIG_PATH=$prefix/lib/pkgconfig
cat >"$work/sum.cpp" <<END
#include <cartwright/comm/collectives.hpp>
int main(int argc, char** argv) {
  using namespace cartwright;
  MPI_Init(&argc, &argv);
  bool right = false;
  {
    const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
    rt::ProgressEngine engine;
    const comm::Collectives all(world, engine);
    right = all.allreduce(1, comm::Operator::sum) == world.size();
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
END
# shellcheck disable=SC2046 # words
part 'a program of one collective, by pkg-config' mpicxx "$work/sum.cpp" -o "$work/sum" $(pkg-config --cflags --libs cartwright-comm)
part '… on 2 ranks' mpirun --oversubscribe -n 2 "$work/sum"
if [[ $variants != *~grid* ]]; then
  cp -r "$sources/docs/tutorial/step5" "$work/heat"
  part 'tutorial, step 5: configure' cmake -S "$work/heat" -B "$work/heat/build" -DCMAKE_PREFIX_PATH="$prefix;$kokkos"
  part 'tutorial, step 5: build' cmake --build "$work/heat/build"
  cd "$work/heat"
  part '… run on 2 ranks' mpirun --oversubscribe -n 2 build/heat heat.yaml
  part 'pde: a deck' mpirun --oversubscribe -n 2 "$prefix/bin/pde" "$sources/inputs/pde/euler.yaml" 'grid.extent=[64, 64]' time.steps=50
fi
printf 'all right\n'
