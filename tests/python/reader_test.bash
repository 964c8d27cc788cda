#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Results of small runs of pde, read by the Python package. Skipped without h5py (Debian: python3-h5py).
# MPIRUN, PDE, DECKS, PYTHONPATH, PYTHON in the environment.
set -euo pipefail
python=
for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
  "$candidate" -c 'import h5py' 2>/dev/null && python=$candidate && break
done
[[ -n $python ]] || { echo "python3-h5py is not installed" && exit 77; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1

# run RANKS DECK NAME KEY=VALUE…
run() {
  local ranks=$1 deck=$2 name=$3
  shift 3
  # shellcheck disable=SC2086 # a command of several words
  $MPIRUN -n "$ranks" "$PDE" "$DECKS/$deck.yaml" "output.directory=$work/$name" output.pictures.every=0 "$@" --quiet \
    >"$work/log" 2>&1 </dev/null || { cat "$work/log" && exit 1; }
}

run 2 heat heat grid.extent='[24, 16]' grid.length='[2.0, 1.5]' time.steps=40 time.end=1e6 output.every=10 checkpoint.every=20
run 3 heat stretched grid.extent='[20, 12]' grid.length='[2.0, 1.5]' 'grid.coordinates.x=lx*(x/lx)^2' time.steps=4 time.end=1e6 output.every=2
run 1 heat_1d line time.steps=4 time.end=1e6 output.every=2 output.precision=float32
run 2 heat_3d box grid.extent='[6, 5, 4]' time.steps=2 output.every=1
run 2 euler euler grid.extent='[16, 8]' time.steps=6 output.every=3 checkpoint.every=6
run 3 cavity cavity grid.extent='[12, 8]' time.end=0.05 output.interval=0.05
run 2 poisson poisson grid.extent='[32, 32]'
"$python" "$here/reader_test.py" "$work"
if [[ -n ${DOCS:-} ]]; then
  # The lines of docs/python.md, where they are told to be.
  cd "$work" && mkdir out && mv heat euler out
  sed -n "/^\`\`\`python\$/,/^\`\`\`\$/ { /^\`\`\`/d; p }" "$DOCS/python.md" >example.py
  "$python" example.py >said || { cat said && exit 1; }
fi
