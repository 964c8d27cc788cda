# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# same_status GOT WANTED: is GOT what mpirun may make of a run that ends with WANTED? When a rank ends the others, MPICH's
# mpiexec mixes in the signals by which it killed them (9, 15; 1 and 11 were seen): then only success is sure. The launcher
# takes the code from the ranks; its own tests are strict.
same_status() {
  [[ $1 == "$2" ]] || [[ ${MPI_FLAVOUR-} == mpich && $2 != 0 && $1 =~ ^(1|9|11|15)$ ]]
}
