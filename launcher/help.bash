# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Help, for every verb.

readonly -a cartwright_verbs=(run test build bench campaign map probe tune simulate scale validate new drop-in package doctor clean help version)

verb_version() {
  local version commit=''
  version=$(sed -nE 's/^project\(cartwright VERSION ([0-9.]+).*/\1/p' "$cartwright_root/CMakeLists.txt")
  commit=$(git -C "$cartwright_root" describe --always --dirty=+changes --abbrev=12 --exclude='*' 2>/dev/null)
  printf 'cartwright %s%s\n' "$version" "${commit:+ ($commit)}"
}

verb_help() {
  case ${1:-} in
    '') help_overview ;;
    run | test | build | bench | campaign | map | probe | tune | simulate | scale | validate | new | package | doctor | clean) "help_$1" ;;
    drop-in) help_drop_in ;;
    help | version) help_overview ;;
    *) fail 1 "there is no verb '$1'$(suggestion "$1" "${cartwright_verbs[@]}")" ;;
  esac
}

help_overview() {
  cat <<'TEXT'
Cartwright: solvers on Cartesian grids. Two commands to begin with:

  ./cartwright run inputs/pde/heat.yaml     solve the heat equation on all cores, with pictures
  ./cartwright test                         build everything and run the tests

Each sets up what it needs: Debian packages, Kokkos, the build. All verbs:

  run DECK      set up, build, bind, run; says where the results are
  new NAME      write a solver, its deck and its CMake project to start from
  test          build and run the tests
  bench NAME    run a benchmark
  campaign NAME attack the project for as long as you like: random decks, damaged files, kills…
  map           show which node holds which part of a process grid, and what that costs
  probe         measure this machine: latencies, bandwidths, which ranks are near each other
  tune          measure the collectives on this machine: the winners are what `auto` uses from then on
  simulate      compare collective algorithms on machines that you don't have
  scale DECK    predict how long a step takes on a machine that you don't have, for up to millions of ranks
  validate      compute the numbers of the documents that Cartwright builds on, beside the published ones
  drop-in       programs that know MPI only: Cartwright's collectives in them, without a line of theirs changed
  build         only set up and build
  package       make packages of Debian, to install with apt
  doctor        show what this machine has, and what is wrong
  clean         remove the build
  help VERB     teach one verb

Exit codes: 0 finished, 1 a mistake in the input, 2 numerical failure, 3 communication or internal failure,
4 stopped early and restartable.
TEXT
}

help_run() {
  cat <<'TEXT'
./cartwright run DECK [-n RANKS] [-t THREADS] [--nodes NODES] [--restart [DIR]] [key.path=value …]

Runs a deck. Installs what is missing, builds, picks ranks and threads for this machine, binds each rank to cores
of its own and each thread to one of them, and says at the end where the results are. A deck that belongs to a
solver project of yours (see './cartwright help new') runs with that project's program, built first.

  -n RANKS, -t THREADS   default: one rank a core, one thread each; -n alone shares the cores among the ranks
  --nodes NODES          on several nodes that are really apart, on this machine (see below)
  key.path=value         changes a value of the deck for this run:  grid.extent='[512, 512]' time.steps=10
  --restart [DIR]        go on from the newest whole checkpoint (of DIR); any number of ranks will do
  --check                only check the deck, as the run would
  --print-config         show all values, and where each comes from
  --dry-run              plan for RANKS ranks without running: decomposition, memory, disk, time by part
  --machine NAME         … on a machine that is described (frontier, jaguar, a file), instead of nodes like this one
  --quiet, --verbose     say less or more

Programs are for this machine's processor (the run says so: 'built for'). With CARTWRIGHT_NATIVE=OFF in the environment they are for
any of its kind: slower, with the same bits. A change builds all anew; solver projects follow.

Ctrl-C (or SIGTERM) leads to a checkpoint and exit code 4; a second one ends the run at once. So does the file
STOP in the output directory.

--nodes makes nodes with a network, a name and shared memory of their own, and MPI talks over TCP between them: to try out
what happens on a cluster (not how quick it is). It needs root or user namespaces. bench, tune and probe take it, too.

  --nodes 2x2            2 nodes of 2 ranks;  3+1: one of 3 and one of 1;  2 -n 5: 2 that share 5 ranks
  --place slot|node      ranks fill one node after the other (default), or go to the nodes in turn
  CARTWRIGHT_NODES_CUT='5 1 8'        in the environment: breaks the link of node 1 after 5 s, for 8 s
  CARTWRIGHT_NODES_CONTROL=FIFO       reads orders from a FIFO: cut NODE, heal NODE, crash NODE

  ./cartwright run inputs/pde/heat.yaml -n 1 -t 2 output.directory=out/trial
TEXT
}

help_test() {
  cat <<'TEXT'
./cartwright test [--long] [--coverage | --sanitize KIND | --tidy] [-DNAME=VALUE …] [options of ctest]

Sets up (also what only tests need: GoogleTest, h5py, ParaView's Python), builds everything, and runs CTest.

  ./cartwright test -R halo            only tests with 'halo' in their name
  ./cartwright test -L rt              only tests labelled 'rt'
  ./cartwright test --long             also those that take minutes: flows until they are steady
  ./cartwright test -DCARTWRIGHT_WERROR=ON   what CI does: warnings are errors

These examine the sources, in builds of their own (build/coverage, build/asan, build/tsan; --tidy: build/release):

  --coverage             which lines of framework/ the tests run: a table by floor, those that don't run by file, and
                         pages of HTML; with --add what was counted before stays
  --sanitize KIND        under the sanitizers of g++: address (and undefined behaviour), thread, or all (both). Ends with what was
                         found, and with the names of tests that did not run, and why (tests/sanitizers/left_out)
  --tidy [PATH …]        clang-tidy over all sources; --since COMMIT: those that were changed since

  ./cartwright test --sanitize address -L rt     the options of ctest choose tests here, too
TEXT
}

help_build() {
  cat <<'TEXT'
./cartwright build [--device cuda|hip] [-DNAME=VALUE …] [TARGET …]

Sets up and builds into build/release (or $CARTWRIGHT_HOME/build/release), for this machine's processor.
Definitions are kept for later builds.
Other kinds of builds are presets of CMake: cmake --preset debug | asan | tsan | coverage | native | rehearsal, then
cmake --build --preset …

  --device cuda | hip        programs whose kernels run on GPUs, into build/cuda or build/hip, with a Kokkos that was built
                             for them (Kokkos_ROOT names its folder); started with CARTWRIGHT_BUILD=build/cuda.
                             Without one, hip builds its own for CARTWRIGHT_HIP_ARCHITECTURE (default: VEGA906)

  CARTWRIGHT_MPI=mpich       with MPICH, into build/mpich; openmpi: with Open MPI (default: the MPI that CMake finds)
  CARTWRIGHT_HOME            where Kokkos and the installed tree go (default: .cartwright)
  CARTWRIGHT_NATIVE=OFF      for any processor of this machine's kind, not for this one alone: slower, the same bits. Solvers of
                             yours, too. It stays so until CARTWRIGHT_NATIVE=ON. Packages are for any
  CARTWRIGHT_BUILD           run and test the programs of this build of yours as they are: no set-up, no build
  CARTWRIGHT_SKIP_PACKAGES=1 don't look at Debian packages: everything comes from elsewhere (CMAKE_PREFIX_PATH)
TEXT
}

help_bench() {
  printf '%s\n' './cartwright bench NAME [-n RANKS] [-t THREADS] [--nodes NODES] [--quick] [--json FILE]' '' \
    'Builds a benchmark and runs it: one table, and one JSON file on request. --quick ends within 45 seconds.' \
    'NODES: several nodes on this machine, as for run (./cartwright help run); its times say nothing of a cluster.' \
    "There are: $(bench_names | tr '\n' ' ')"
}

help_campaign() {
  printf '%s\n' './cartwright campaign NAME [--rounds N] [--seed S] [--minutes M] [--jobs J] [--json FILE] [--keep DIR]' '' \
    'Attacks the project, round by round, and says what broke; each round can be repeated by itself (--first NUMBER' \
    '--rounds 1, with the same seed). Exit code 0 if all rounds passed, else 3. There are:' ''
  local name
  while IFS= read -r name; do
    printf '  %-10s %s\n' "$name" "$(sed -nE '/^class [A-Za-z]+\(harness\.Campaign\):/ {n; s/^ *"+([^"]*)"*$/\1/p}' "$cartwright_root/tests/campaigns/campaign_$name.py" | head -n 1)"
  done < <(campaign_names)
}

help_map() {
  cat <<'TEXT'
./cartwright map --dims PxQxR (--machine NAME | --nodes N [--ranks-per-node K]) [options]

Shows a process grid on the nodes of a machine, before and after Cartwright deals it out: pictures in letters or
colours, faces between nodes, the busiest node, how much no mapping can avoid, and, on a modelled machine, predicted
times of halo exchanges and of broadcasts along the axes.

  ./cartwright map --dims 24x24 --machine jaguar -n 576
  ./cartwright map --dims 24x24 --machine jaguar --compare --picture grid.svg      every strategy
  ./cartwright map --dims 8x6 --nodes 5x8,2x4 --periodic x                         unequal nodes, x a ring
  ./cartwright map --extents 4096x1024 -n 96 --nodes 8                             the process grid is chosen, too
  ./cartwright map --help      all options
TEXT
}

help_scale() {
  cat <<'TEXT'
./cartwright scale DECK [--machine NAME] [-n 1..RANKS] [--strong | --weak] [options] [key.path=value …]

Predicts how a run scales: measures here, on small grids, what a step of the deck's solver does and takes, and predicts
it by part (kernels, boundary, halo exchange, reductions, the loop itself, output) on a machine that is described, for
many numbers of ranks, with and without remapping, and for several backends. Says where it bends, and why.

  -n 1..1048576          each number of ranks twice the one before; or -n 1,2,6 (default: 1..4096)
  --machine NAME         as for simulate (default: frontier); a file; or here: nodes like this one
  -t THREADS             of a rank (default: 1)
  --strong, --weak       only with the deck's grid, or only with the cells of a rank (of --base RANKS) kept
  --backends NAME,…      of auto, shared, rma, p2p, native (default: auto,p2p,native); the first one in full
  --ranks-per-node N     default: each thread has a core; more ranks share cores
  --csv FILE, --json FILE, --picture FILE.svg

  ./cartwright scale inputs/pde/heat.yaml -n 1..1048576 grid.extent='[65536, 65536]' --picture heat.svg
  ./cartwright scale inputs/pde/euler.yaml --machine jaguar --weak -n 1..4096
TEXT
}

help_probe() {
  cat <<'TEXT'
./cartwright probe [-n RANKS] [--nodes NODES] [--quick] [--output FILE.yaml] [--force] [options]

Measures this machine with one rank a core: latency and bandwidth of every level (between nodes, between groups of
cores that it finds itself, between cores), how many messages each moves at the same time, overheads and gaps. Writes
a machine file for simulate and later runs, and beside it all samples and a picture of every fit. What was probed
before is used again.

  ./cartwright probe                                  two minutes at most; --quick: seconds
  ./cartwright simulate allreduce --ranks 64 --machine ~/.cache/cartwright/machines/NAME.yaml
  ./cartwright probe -n 4 --topology 'node:2 core:2'  imagined nodes, to try things out
  ./cartwright probe --help                           all options (once it is built; srun starts bin/cartwright-probe, too)
TEXT
}

help_tune() {
  cat <<'TEXT'
./cartwright tune [-n RANKS] [--nodes NODES] [OPERATION ...] [--size BYTES] [--quick] [options]

Measures the collectives of the MPI library beside Cartwright's own, through messages (p2p) and through shared memory,
with every algorithm that may be quick, on communicators of all ranks and of the lines that process grids of them have.
The winners are stored for this machine; runs with the same number of ranks use them wherever comm.backend is auto.

  ./cartwright tune -n 4                              everything: some minutes
  ./cartwright tune -n 4 --quick                      a first idea in less than a minute
  ./cartwright tune -n 8 allreduce --size 8           one case
  ./cartwright tune --nodes 2x2 --quick               several nodes on this machine (./cartwright help run)
  ./cartwright tune --help                            all options (once it is built; srun starts bin/cartwright-tune, too)
TEXT
}

help_simulate() {
  cat <<'TEXT'
./cartwright simulate OPERATION --ranks N [--size BYTES] [--machine NAME] [options]

Runs the schedules of collective algorithms, all ranks and message by message, on a modelled machine: which one is the
quickest, what it sends where, and how far the ranks drift apart.

  ./cartwright simulate allreduce --ranks 65536 --size 8 --machine archer
  ./cartwright simulate broadcast --ranks 96 --size 64KiB --machine jaguar --timeline broadcast.svg
  ./cartwright simulate --list      machines, operations and algorithms
  ./cartwright simulate --help      all options (once it is built)
TEXT
}

help_validate() {
  cat <<'TEXT'
./cartwright validate [DOCUMENT …] [--markdown FILE]

Computes or simulates every number that can be, of the documents that Cartwright builds on; one row each: published,
ours, deviation, tolerance, verdict. What cannot be reproduced is listed with the reason.

  ./cartwright validate all
  ./cartwright validate --help      the documents
TEXT
}

help_new() {
  cat <<'TEXT'
./cartwright new my_solver [--dimensions LIST]

Writes the directory my_solver/ with a solver (my_solver.cpp), its deck (my_solver.yaml), a CMake project that uses
the installed package, and a README. It runs as it is:

  ./cartwright run my_solver/my_solver.yaml

  --dimensions LIST  in which it is compiled: 1, 2 or 3, or some of them, such as 1,2,3 (default: 2; each takes a few
                     seconds of the compiler's time). The deck is of the first. More are added in the solver's main.
TEXT
}

help_package() {
  cat <<'TEXT'
./cartwright package [--output DIR] [-DNAME=VALUE …]

Makes packages of Debian in DIR (default: here), from a build of their own (build/package) that is for any machine of
this kind, and has lintian look at them, where it is installed.

  cartwright              the programs: cartwright-pde, cartwright-nbody, cartwright-matmul, cartwright-map …
  cartwright-dev          what solvers are built with: headers, libraries, CMake, pkg-config, Kokkos
  cartwright-doc          tutorial, reference, decks
  python3-cartwright      reads results: cartwright.open("out/heat")

  DEBFULLNAME, DEBEMAIL   in the environment: who answers for them

  ./cartwright package && apt install ./cartwright*.deb ./python3-cartwright*.deb
TEXT
}

help_drop_in() {
  cat <<'TEXT'
./cartwright drop-in

Builds the library that, preloaded, carries out the collectives of a program that knows MPI only (C, C++, Fortran), and
prints its path. The program is started as ever:

  mpirun -n 4 env LD_PRELOAD=$(./cartwright drop-in) ./program

  CARTWRIGHT_DROP_IN_REPORT=1         says at the end how many collectives were carried out by whom, in what time
  CARTWRIGHT_DROP_IN_AFTER=16         a communicator's first collectives are the MPI library's: so many
  CARTWRIGHT_DROP_IN_NONBLOCKING=1    those that are only started, too
  CARTWRIGHT_DROP_IN_REORDER=1        MPI_Cart_create brings neighbours to the same node, where the program lets it reorder
  CARTWRIGHT_DROP_IN_SERIALIZED=1     a program that asks for MPI_THREAD_MULTIPLE gets MPI_THREAD_SERIALIZED
  CARTWRIGHT_COMM_BACKEND=p2p …       every key of a deck's section comm (docs/deck.md)

docs/drop_in.md says what it does, and what it doesn't.
TEXT
}

help_doctor() {
  cat <<'TEXT'
./cartwright doctor

Shows compiler, MPI, libraries, Kokkos, cores, binding, memory and disk as Cartwright sees them; lines with '!'
need attention and say what to do. Changes nothing.
TEXT
}

help_clean() {
  cat <<'TEXT'
./cartwright clean

Removes the build (build/release) and the installed tree. Kokkos, results and packages stay.
TEXT
}
