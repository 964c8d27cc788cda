#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shared_memory_test.sh PROGRAM RANKS full: runs where /dev/shm is full or small go on and fail as anywhere else;
# killed: nothing is left there, or in TMPDIR, when all processes are killed. MPIRUN holds the words that
# start MPI programs. Skipped (exit code 77) where a /dev/shm of one's own isn't allowed.
set -u
program=$1 ranks=$2 part=$3
if [[ $part == full && $MPI_FLAVOUR == mpich ]]; then
  echo "skipped: MPICH needs /dev/shm for itself, and dies by SIGBUS, or in MPI_Init, where that is full"
  exit 77
fi
if [[ ${CARTWRIGHT_OWN_MOUNTS-} != yes ]]; then
  enter=(unshare --mount)
  "${enter[@]}" mount -t tmpfs none /dev/shm 2>/dev/null || enter+=(--user --map-root-user)
  "${enter[@]}" mount -t tmpfs none /dev/shm 2>/dev/null || {
    echo "skipped: no mounts of one's own here"
    exit 77
  }
  export CARTWRIGHT_OWN_MOUNTS=yes
  exec "${enter[@]}" "$0" "$@"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tmp"
export TMPDIR=$folder/tmp
printf 'log: {level: quiet}\n' >"$folder/deck.yaml"
faults=0

# of_size SIZE: a /dev/shm that holds so much.
of_size() { mount -t tmpfs -o size="$1" none /dev/shm; }

fault() {
  echo "FAULT: $*"
  cat "$folder/out"
  faults=$((faults + 1))
}

# expect CODE MESSAGES WHERE SETTING…: the program ends with CODE and says so many error messages.
expect() {
  local code=$1 messages=$2 where=$3 status said
  shift 3
  timeout -k 5 $((30 * ${CARTWRIGHT_SLOWDOWN:-1})) $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" "$@" >"$folder/out" 2>&1 </dev/null
  status=$?
  said=$(grep -c 'cartwright: error:' "$folder/out")
  [[ $status == "$code" && $said == "$messages" ]] || fault "$* in $where: exit code $status, $said messages"
  ((code == 0)) && [[ -s $folder/out ]] && fault "$* in $where: words were said"
}

test_full() {
  of_size 64m
  head -c 70000000 /dev/zero >/dev/shm/full 2>/dev/null
  expect 0 0 'a full /dev/shm'
  expect 3 1 'a full /dev/shm' fail=plain rank=-1
  expect 3 1 'a full /dev/shm' fail=plain rank=0
  of_size 1m
  expect 0 0 '1 MB'
  expect 1 1 '1 MB' fail=all rank=-1
  of_size 5m # Open MPI would find enough for a rank, and too little for all
  expect 0 0 '5 MB'
}

# names: what somebody could have left behind. (Open MPI's own session is removed by mpirun.)
names() { find /dev/shm "$TMPDIR" -name '*cartwright*' -o -name 'osc_sm*'; }

test_killed() {
  of_size 64m
  for moment in 0.2 0.5 1 begun; do
    rm -rf "$folder/results"
    $MPIRUN -n "$ranks" "$program" "$folder/deck.yaml" steps=1000 pause=0.1 "directory=$folder/results" \
      >"$folder/out" 2>&1 </dev/null &
    mpirun=$!
    if [[ $moment == begun ]]; then
      for ((t = 0; t < 300; ++t)); do [[ -d $folder/results ]] || sleep 0.1; done
    else
      sleep "$moment"
    fi
    mapfile -t processes < <(pgrep -P "$mpirun"; pgrep -f "^$program $folder/deck.yaml")
    kill -KILL "$mpirun" "${processes[@]}" 2>/dev/null
    wait "$mpirun" 2>/dev/null
    [[ -z $(names) ]] || fault "left behind by processes killed at $moment: $(names)"
  done
}

"test_$part"
[[ $faults == 0 ]]
