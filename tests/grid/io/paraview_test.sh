#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes series on 3 ranks and opens them with ParaView (Debian: python3-paraview). Skipped without it.
# Usage: paraview_test.sh PROGRAM
set -eu
python=/usr/bin/python3
"$python" -c 'import paraview.simple' 2>/dev/null || { echo "python3-paraview is not installed"; exit 77; }
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
$MPIRUN -n 3 "$1" "$directory"
"$python" "$(dirname "$0")/paraview_test.py" "$directory"
