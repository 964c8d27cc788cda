#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./cartwright run --nodes: what it takes, stopping, broken links, and that nothing is left.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/../launcher/checks.bash"
root=$(dirname -- "$launcher")
"$root/launcher/make_nodes" 1x1 slot true || exit
deck=$root/inputs/pde/heat_1d.yaml
small=(output.pictures.every=0 output.every=1000000 time.steps=20)

try run "$deck" --nodes 2x2 -n 3
expect_code 1
expect_text '--nodes 2x2 makes 4 ranks, but -n says 3'
for bad in 0 2x 2x0 x2 3+ a 1000x1000 ''; do
  try run "$deck" "--nodes=$bad" --place slot
  expect_code 1
  expect_text '--'
done
try run "$deck" --nodes 2x1 --place core
expect_code 1
expect_text "--place takes slot or node, not 'core'"

# The same bits, by whichever nodes.
try run "$deck" -n 1 -t 1 "${small[@]}" output.directory="$work/one"
expect_code 0
place=node
if grep -qx 'flavour mpich' "${CARTWRIGHT_BUILD:?}/mpi"; then
  try run "$deck" --nodes 2 -n 3 --place node
  expect_code 1
  expect_text "MPICH's mpiexec places ranks by slot only"
  place=slot
fi
try run "$deck" --nodes 2 -n 3 --place "$place" "${small[@]}" output.directory="$work/nodes"
expect_code 0
expect_text 'on 2 nodes'
text=$("$COMPARE" "$work/one" "$work/nodes" 2>&1) || wrong 'other bits on nodes'

# Whoever kills the launcher's first look at whether nodes can be made hasn't shown that they can't.
mkdir "$work/bin"
cat >"$work/bin/unshare" <<END
#!/bin/sh
if mkdir "$work/struck" 2>/dev/null; then kill -9 \$PPID; exit 1; fi
exec $(command -v unshare) "\$@"
END
chmod +x "$work/bin/unshare"
PATH=$work/bin:$PATH try run "$deck" --nodes 2x1 "${small[@]}" output.directory="$work/struck_once"
expect_code 0
[[ -d $work/struck ]] || wrong 'nothing was killed'

# A request to stop goes through, and an exit code comes back.
"$launcher" run "$deck" --nodes 2x1 "${small[@]}" time.steps=100000000 time.end=1e9 output.directory="$work/stopped" >"$work/log" 2>&1 </dev/null &
process=$!
for ((tries = 0; tries < 300; tries++)); do
  [[ -d $work/stopped ]] && break
  sleep 0.1
done
kill -TERM "$process"
wait "$process"
code=$?
called='run --nodes 2x1, and SIGTERM' text=$(<"$work/log")
expect_code 4
expect_text 'a signal asked for it'
compgen -G "$work/stopped/checkpoints/step_*.h5" >/dev/null || wrong 'no checkpoint'

# What orders through a FIFO change between two nodes.
mkfifo "$work/orders"
# shellcheck disable=SC2016
CARTWRIGHT_NODES_CONTROL=$work/orders "$root/launcher/make_nodes" 2x1 slot bash -c '
  reach() { for ((i = 0; i < 100; i++)); do (exec 3<>/dev/tcp/10.77.0.2/1) 2>&1 | grep -q "$1" && echo "$1" && return; sleep 0.1; done; echo "not $1"; }
  export -f reach
  reach refused
  echo "cut 1" >"$0"
  for ((i = 0; i < 100; i++)); do [[ $(cat /sys/class/net/eth0/carrier 2>/dev/null) && $(timeout 0.5 bash -c "reach refused") != refused ]] && echo cut && break; done
  echo "heal 1" >"$0"
  reach refused' "$work/orders" >"$work/log" 2>&1
code=$? called='cut and heal' text=$(<"$work/log")
[[ $text == $'refused\ncut\nrefused' ]] || wrong 'a link that is cut and healed'

# Whatever way it ends: no processes, no namespaces, no files.
"$root/launcher/make_nodes" 2x1 slot sleep 12345 &
process=$!
disown "$process"
sleep 1
kill -KILL "$process"
for ((tries = 0; tries < 100; tries++)); do
  pgrep -f 'sleep 12345' >/dev/null || break
  sleep 0.1
done
called='make_nodes, killed' code=-
((tries < 100)) || wrong 'processes live on'
finish
