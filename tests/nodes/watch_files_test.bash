#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# watch_files_test.bash PROGRAM, on the first node of make_nodes 2x1 slot: where UDP is forbidden, nodes watch each other by
# files in the output directory. Who is stopped ends the run within stop.silence + 10 s.
set -uo pipefail
# shellcheck source=tests/exit_status.bash
source "$(dirname "${BASH_SOURCE[0]}")/../exit_status.bash"
# shellcheck source=tests/cases.bash
source "$(dirname "${BASH_SOURCE[0]}")/../cases.bash"
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'log: {level: quiet}\nstop: {silence: 3s}\npause: 0.02\n' >"$folder/deck.yaml"

# From each node to the other one, as by a firewall between them.
# shellcheck disable=SC2153  # MPIRUN is the environment's
if ! $MPIRUN -n 2 ip rule add ipproto udp prohibit 2>"$folder/hindrance"; then
  echo "skipped: UDP can't be forbidden here: $(head -n 1 "$folder/hindrance")"
  exit 77
fi
if (echo >/dev/udp/10.77.0.2/9) 2>/dev/null; then
  echo 'FAULT: UDP is not forbidden'
  exit 1
fi

fault() {
  echo "FAULT: $called: $*"
  cat "$folder/out" "$folder/err"
}

# begin SETTING…: a run in the background; the process of rank R is in the file process.R.
begin() {
  called=$*
  # shellcheck disable=SC2016
  $MPIRUN -n 2 sh -c 'echo $$ >"$0/process.${OMPI_COMM_WORLD_RANK-$PMI_RANK}" && exec "$@"' "$folder" \
    "$program" "$folder/deck.yaml" "$@" >"$folder/out" 2>"$folder/err" </dev/null &
  mpirun=$!
}

# end: sets code, and turns, the tenths of a second for which a process of this machine has slept meanwhile. As the watchers'
# own count of silence they stand still where the machine gives nobody a turn.
end() {
  for ((turns = 0; ; turns++)); do
    kill -0 "$mpirun" 2>/dev/null || break
    if mpiexec_stays; then
      { kill -KILL "$mpirun" && wait "$mpirun"; } 2>/dev/null
      code=3
      return
    fi
    sleep 0.1
  done
  wait "$mpirun"
  code=$?
}

# MPICH's mpiexec waits for a stopped rank, though all others have said why they end: the launcher would end it.
mpiexec_stays() {
  [[ $MPIRUN == *mpiexec.mpich* ]] && grep -q 'cartwright: error:' "$folder/err" && sleep 2 && kill -0 "$mpirun" 2>/dev/null
}

# files_in_use: whether each node has left a file, again and again, and they have been read for some while.
files_in_use() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    sleep 0.1
    [[ $(compgen -G "$folder/run/.watch-*-[0-9]" | wc -l) == 2 ]] && sleep 2 && return
  done
  fault 'nodes leave no files'
  return 1
}

# stopped RANK SENTENCE
stopped() {
  begin directory="$folder/run" steps=100000
  files_in_use || return
  kill -STOP "$(<"$folder/process.$1")"
  end
  same_status "$code" 3 "$folder/out" "$folder/err" || fault "exit code $code"
  grep -q -- "$2" "$folder/err" || fault "expected '$2'"
  [[ $(grep -c 'cartwright: error:' "$folder/err") == 1 ]] || fault 'expected one message'
  # Silence, and 10 s; and what a busy machine takes to end ranks.
  ((turns < 10 * (3 + 10 + 15))) || fault "it took $turns turns of 0.1 s to end"
}

# What Open MPI's mpirun says where it comes too late to give the process that it starts for a node a group of its own: that
# process has done so itself.
grouped_by_itself='^\(\[[^]]*\] plm:rsh: Warning: setpgid([0-9,]*) failed in parent with errno=Permission denied(13)\)\?$'

# Files are signs of life: for three times as long as silence is borne. At the end they are gone.
lives() {
  begin directory="$folder/run" steps=700
  files_in_use || return
  end
  ((code == 0)) || fault "exit code $code"
  ! grep -qv "$grouped_by_itself" "$folder/err" || fault 'words were said'
  [[ -z $(compgen -G "$folder/run/.watch-*") ]] || fault "left: $(compgen -G "$folder/run/.watch-*")"
}

# Without a directory nobody is watched, which is said once.
unwatched() {
  begin steps=900
  end
  ((code == 0)) || fault "exit code $code"
  [[ $(grep -c "warning: node node1 isn't watched (stop.silence)" "$folder/err") == 1 ]] || fault 'expected a warning'
}

beside stopped 1 'node node1 (rank 1) has been unreachable for longer than 3s (stop.silence)'
beside stopped 0 'node node0 (rank 0) has been unreachable for longer than 3s (stop.silence)'
beside lives
beside unwatched
all_cases_passed
