#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fresh_debian.bash DIRECTORY [MIRROR]: installs the packages in DIRECTORY (./cartwright package --output DIRECTORY) in a
# fresh Debian 12, which debootstrap makes, and uses them there as somebody would who has never seen the source tree: the
# tutorial's solver by CMake and by pkg-config, the programs, the Python package. Needs root, debootstrap, a network, 4 GB
# in TMPDIR and some minutes; no test of
# CTest. FRESH_DEBIAN_ALL=yes builds all steps of the tutorial. What is mounted is gone when it ends, and so is the fresh Debian.
# shellcheck disable=SC2016 # scripts for another shell
set -euo pipefail

# Mounts that nobody else sees, and that end with this process.
if [[ -z ${FRESH_DEBIAN_UNSHARED:-} ]]; then
  export FRESH_DEBIAN_UNSHARED=yes
  exec unshare --mount --propagation private -- "$BASH" "${BASH_SOURCE[0]}" "$@"
fi
unset FRESH_DEBIAN_UNSHARED

packages=$(cd -- "${1:?the directory of the packages}" && pwd -P)
mirror=${2:-http://deb.debian.org/debian}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/fresh-debian.XXXXXX")
root=$work/root
trap 'umount -R "$root/proc" "$root/sys" "$root/dev" 2>/dev/null || :; rm -rf --one-file-system -- "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  tail -n 40 "$work/log" >&2
  exit 1
}

# part NAME COMMAND…: in the fresh Debian, as root; one line of outcome.
part() {
  local name=$1 start=$SECONDS
  shift
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@" \
    >"$work/log" 2>&1 </dev/null || fail "$name"
  printf '%-62s ok, %d s\n' "$name" $((SECONDS - start))
}

# user NAME SCRIPT: in the home of a user without rights.
user() { part "$1" runuser -u solver -- bash -euo pipefail -c "cd; export OMPI_MCA_rmaps_base_oversubscribe=1 OMP_NUM_THREADS=1; $2"; }

said() { printf '    %s\n' "$(grep -E "$1" "$work/log" | tail -n "${2:-1}")"; }

debootstrap --variant=minbase bookworm "$root" "$mirror" >"$work/log" 2>&1 || fail "debootstrap"
printf 'Debian %s (debootstrap --variant=minbase, %s packages), %s\n' "$(<"$root/etc/debian_version")" \
  "$(chroot "$root" dpkg-query -W | wc -l)" "$(uname -m)"
mount --rbind /proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
# Nothing of this machine but its network, and how apt uses it.
cp /etc/resolv.conf "$root/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
mkdir "$root/packages"
cp -- "$packages"/*.deb "$root/packages/"
chmod -R a+rX "$root/packages"
for package in "$packages"/*.deb; do
  printf '  %s: %s bytes, sha256 %s\n' "${package##*/}" "$(stat -c %s "$package")" "$(sha256sum "$package" | cut -c 1-16)"
done

part 'apt-get update' apt-get update
part 'apt install ./cartwright*.deb' bash -c 'cd /packages && apt-get install -y ./cartwright*.deb'
said 'newly installed'
part 'the solver has a user' useradd --create-home --shell /bin/bash solver
part 'there is no source tree' bash -c '! find / -xdev -name "CMakePresets.json" -not -path "/usr/share/cmake*" | grep .'

user 'tutorial, step 5: configure (cmake)' 'cp -r /usr/share/doc/cartwright-doc/docs/tutorial/step5 heat; cd heat; cmake -S . -B build'
user 'tutorial, step 5: build' 'cmake --build heat/build'
user 'tutorial, step 5: run on 2 ranks' 'cd heat; mpirun -n 2 build/heat heat.yaml'
user 'tutorial, step 5: results, and a restart on 3 ranks' '
  cd heat; test -s out/heat/heat.xdmf -a -s out/heat/pictures/temperature_0000000200.png -a -s out/heat/report.json
  cp out/heat/diagnostics.csv before.csv; rm "$(find out/heat/checkpoints -name "*.h5" | sort | tail -n 1)"
  mpirun -n 3 build/heat heat.yaml --restart; cmp before.csv out/heat/diagnostics.csv; tail -n 1 before.csv'
said '^[0-9]+,'
user 'the same by pkg-config, without CMake: the same bits' '
  mkdir plain; cd plain; cp ../heat/heat.cpp ../heat/heat.yaml .
  mpicxx -O3 heat.cpp -o heat $(pkg-config --cflags --libs cartwright)
  mpirun -n 1 ./heat heat.yaml; cmp ../heat/before.csv out/heat/diagnostics.csv'
[[ -z ${FRESH_DEBIAN_ALL:-} ]] || user 'all other steps of the tutorial build' '
  for n in 1 2 3 4 6 7 8; do cp -r /usr/share/doc/cartwright-doc/docs/tutorial/step$n step$n; cmake -S step$n -B step$n/build; cmake --build step$n/build; done'
if compgen -G "$packages/cartwright_*.deb" >/dev/null; then
  user 'cartwright-pde: a deck of the documentation' '
  cp -r /usr/share/doc/cartwright-doc/inputs inputs; mpirun -n 2 cartwright-pde inputs/pde/euler.yaml "grid.extent=[64, 64]" time.steps=100'
  user 'cartwright-matmul, -render' '
  mpirun -n 4 cartwright-nbody inputs/nbody/plummer.yaml --check; mpirun -n 4 cartwright-matmul $(ls inputs/matmul/*.yaml | head -n 1) --check; mpirun -n 1 cartwright-render inputs/render/gyroid.yaml --check'
  user 'cartwright-simulate, -map' '
  cartwright-simulate allreduce --ranks 64 --machine archer; cartwright-map --dims 24x24 --machine jaguar -n 576'
  user 'a program that knows MPI only, with its collectives by cartwright' '
  echo "#include <mpi.h>" >only_mpi.c
  echo "int main(int n, char** a) { int i, x = 1, y; MPI_Init(&n, &a); for (i = 0; i < 100; ++i)" >>only_mpi.c
  echo "MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); MPI_Finalize(); return y != 2; }" >>only_mpi.c
  mpicc only_mpi.c -o only_mpi
  mpirun -n 2 env LD_PRELOAD="$(ls /usr/lib/*/cartwright/libcartwright_mpi.so)" CARTWRIGHT_DROP_IN_REPORT=1 ./only_mpi 2>&1 | tee said
  grep -q "allreduce: 84 by cartwright" said'
  said allreduce
  user 'what the programs say where they come from' 'cartwright-pde --version'
  said .
  part 'manual pages' bash -c 'for p in /usr/bin/cartwright-*; do test -s /usr/share/man/man1/${p##*/}.1.gz || exit 1; done'
else
  printf 'there is no package cartwright: programs are NOT TRIED\n'
fi

part 'apt install ./python3-cartwright*.deb' bash -c 'cd /packages && apt-get install -y ./python3-cartwright*.deb python3-xarray'
user 'Python: cartwright.open' '
  python3 -c "
import cartwright
u = cartwright.open(\"heat/out/heat\")[\"temperature\"]
print(u, float(u.times[-1]), u.time_unit, float(u[-1].max()), u.to_xarray().dims)"'
said temperature
part 'apt purge: nothing stays' bash -c 'apt-get purge -y $(dpkg-query -W -f "\${db:Status-Abbrev} \${Package}\n" "*cartwright*" | sed -n "s/^ii *//p")
  ! find /usr /etc /var/lib -xdev -path /usr/share/doc -prune -o -iname "*cartwright*" -print | grep -v "^/var/lib/dpkg\|^/usr/share/doc"'
printf 'all right\n'
