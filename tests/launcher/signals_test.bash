#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Requests to stop, and the launcher's or mpirun's death. FAKE_SOLVER: path of the fake solver.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"

mkdir -p "$work/build/bin" "$work/out"
cp "${BUILD:?}/mpi" "$work/build/mpi" # which MPI the fake solver is for
program=$work/build/bin/fake
cp "${FAKE_SOLVER:?}" "$program"
printf 'heat\n' >"$program.solvers"
deck=$work/heat.yaml
printf 'solver: heat\n' >"$deck"
export CARTWRIGHT_BUILD=$work/build CARTWRIGHT_HOME=$work/home FAKE_OUTPUT=$work/out

# start ACT: the launcher in the background, until its ranks run. Sets process.
start() {
  : >"$work/log"
  called="cartwright run act=$1"
  env --default-signal=INT "$launcher" run "$deck" -n 2 -t 1 "act=$1" >"$work/log" 2>&1 </dev/null &
  process=$!
  wait_until both_ranks_run
}

wait_until() {
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    "$1" && return
    sleep 0.1
  done
  return 1
}

end() {
  wait "$process" 2>/dev/null
  code=$?
  text=$(<"$work/log")
}

# shellcheck disable=SC2317 # called by name
both_ranks_run() { [[ $(grep -c '^rank [01] of 2' "$work/log") == 2 ]]; }
# shellcheck disable=SC2317
ranks_are_gone() { ! pgrep -f "^$program " >/dev/null; }

for signal in INT TERM HUP; do
  start wait
  kill -"$signal" "$process"
  end
  expect_code 4
  expect_text 'stopping after a checkpoint'
done

start deaf
kill -TERM "$process"
sleep 0.5
kill -TERM "$process"
end
expect_code 3
expect_text 'ended at once'
wait_until ranks_are_gone || wrong 'ranks live on after the second request'

# The launcher is killed: the ranks are told to stop, and do.
start wait
kill -KILL "$process"
end
expect_code 137
wait_until ranks_are_gone || wrong 'ranks live on after the launcher was killed'

# Ranks that never answer are ended after a while.
export CARTWRIGHT_ORPHAN_PATIENCE=2
start deaf
unset CARTWRIGHT_ORPHAN_PATIENCE
kill -KILL "$process"
end
wait_until ranks_are_gone || wrong 'ranks that pass over requests live on after the launcher was killed'

# A process of the launcher's own is killed, before there is a run: that it found nothing means nothing then.
mkdir "$work/bin"
cat >"$work/bin/grep" <<END
#!/bin/sh
[ "\$1" != -lFx ] || kill -9 "\$(ps -o ppid= -p "\$PPID" | tr -d ' ')"
exec $(command -v grep) "\$@"
END
chmod +x "$work/bin/grep"
PATH=$work/bin:$PATH try run "$deck" -n 2 -t 1 act=wait
expect_code 3
expect_one_error
expect_text 'a process of the launcher was killed by signal 9'

# Also where it looks for its own files.
cat >"$work/bin/readlink" <<END
#!/bin/sh
kill -9 "\$PPID"
END
chmod +x "$work/bin/readlink"
PATH=$work/bin:$PATH try run "$deck" -n 2 -t 1 act=wait
expect_code 3
expect_one_error

# mpirun is killed: the ranks end, and the launcher says so.
start wait
pkill -KILL -P "$(pgrep -P "$process" -f keep_ranks)" 'mpirun|mpiexec|orterun'
end
expect_code 3
expect_one_error
wait_until ranks_are_gone || wrong 'ranks live on after mpirun was killed'
finish
