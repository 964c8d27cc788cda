#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# decks_test.sh DECKS PAGE: every deck in inputs/render is right and runs on 1 and 4 ranks, with the same pictures; so is
# the deck of the documentation. Results of a run, also as it runs; what is refused, with its place in the deck.
set -u
decks=$1
page=$2
root=$(cd "$decks/../.." && pwd)
scratch=$(mktemp -d -p .)
trap 'rm -rf "$scratch"' EXIT
failed=0
wrong() { echo "$*"; failed=1; }

# A run whose results are drawn, and which draws itself.
small='grid.extent=[12, 10, 8]'
view='render.size=[64, 48]'
solve() { $MPIRUN -n 2 "$PDE" --quiet "$root/inputs/pde/heat_3d.yaml" "$small" 'grid.length=[1, 1, 1]' output.directory="$1" "${@:2}"; }
solve "$scratch/heat" time.steps=20 output.every=10 output.pictures.every=0 output.render.every=10 'output.render.size=[64, 48]' output.render.orbit.turn=0 ||
  wrong "a run that draws fails"
for step in 00 10 20; do
  [ -s "$scratch/heat/render/temperature_00000000$step.png" ] || wrong "no picture of step $step"
done
grep -q '"samples per second and rank"' "$scratch/heat/report.json" || wrong "no report of a run that draws"

# A restart draws the rest, and nothing anew.
solve "$scratch/again" time.steps=10 output.pictures.every=0 output.render.every=5 'output.render.size=[64, 48]' output.render.orbit.turn=0 checkpoint.every=5 || wrong "no checkpoint"
solve "$scratch/again" time.steps=20 output.pictures.every=0 output.render.every=5 'output.render.size=[64, 48]' output.render.orbit.turn=0 checkpoint.every=5 --restart ||
  wrong "a restart that draws fails"
cmp "$scratch/heat/render/temperature_0000000020.png" "$scratch/again/render/temperature_0000000020.png" ||
  wrong "another picture after a restart"
[ "$(ls "$scratch/again/render" | wc -l)" = 5 ] || wrong "a restart leaves other pictures: $(ls "$scratch/again/render")"

for deck in "$decks"/*.yaml; do
  name=$(basename "$deck" .yaml)
  own=("$small" "$view" "output.directory=$scratch/$name.1")
  grep -q 'file:' "$deck" && own+=("render.file=$scratch/heat" 'grid.length=[1, 1, 1]')
  grep -q 'frames:' "$deck" && own+=(render.orbit.frames=3)
  "$RENDER" --check "$deck" "${own[@]}" >/dev/null || wrong "$deck: --check fails"
  "$RENDER" --print-config "$deck" "${own[@]}" >"$scratch/$name.yaml" && "$RENDER" --check "$scratch/$name.yaml" >/dev/null ||
    wrong "$deck: --print-config is no deck"
  for ranks in 1 4; do
    own[2]=output.directory=$scratch/$name.$ranks
    $MPIRUN -n $ranks "$RENDER" --quiet "$deck" "${own[@]}" || wrong "$deck: does not run on $ranks ranks"
  done
  "$(dirname "$0")/compare_pictures.py" "$scratch/$name.1/render" "$scratch/$name.4/render" || wrong "$deck: other pictures on 4 ranks"
done
[ "$(ls "$scratch/orbit.4/render" | wc -l)" = 3 ] || wrong "an orbit has other frames than it should"

# However pixels travel; with halos checked.
for settings in comm.backend=native comm.backend=p2p comm.backend=shared comm.checked=true checks=halos comm.reduce.algorithm=binomial; do
  $MPIRUN -n 4 "$RENDER" --quiet "$decks/orbit.yaml" "$small" "$view" render.orbit.frames=3 render.compositing=auto "$settings" \
    output.directory="$scratch/as_$settings" || wrong "$settings: does not run"
  "$(dirname "$0")/compare_pictures.py" "$scratch/orbit.1/render" "$scratch/as_$settings/render" || wrong "$settings: other pictures"
done

# An orbit that was cut short goes on where a frame is missing.
rm "$scratch/orbit.4/render/packet_0000000002.png"
touch -d '2001-01-01' "$scratch"/orbit.4/render/*.png
$MPIRUN -n 2 "$RENDER" --quiet "$decks/orbit.yaml" "$small" "$view" render.orbit.frames=3 output.directory="$scratch/orbit.4" --restart || wrong "an orbit can't go on"
[ -s "$scratch/orbit.4/render/packet_0000000002.png" ] && [ "$scratch/orbit.4/render/packet_0000000001.png" -ot "$decks/orbit.yaml" ] ||
  wrong "an orbit that goes on draws other frames than those that are missing"

sed -n '/^solver: render$/,/^```$/ { /^```/d; p }' "$page" >"$scratch/page.yaml"
$MPIRUN -n 3 "$RENDER" --quiet "$scratch/page.yaml" output.directory="$scratch/page" || wrong "$page: its deck does not run"
"$RENDER" --dry-run -n 64 "$decks/gyroid.yaml" >"$scratch/plan" || wrong "--dry-run fails"
grep -q 'memory' "$scratch/plan" && grep -q 'frames' "$scratch/plan" || wrong "--dry-run does not tell memory and frames"

# refused TEXT ARGUMENT…: exit code 1, and one message with that text.
refused() {
  $MPIRUN -n 2 "$RENDER" --quiet "$decks/gyroid.yaml" "$small" "$view" output.directory="$scratch/refused" "${@:2}" 2>"$scratch/message"
  local code=$?
  [ $code = 1 ] || wrong "expected exit code 1, got $code: ${*:2}"
  grep -qF -- "$1" "$scratch/message" || { wrong "expected '$1' of ${*:2}"; cat "$scratch/message"; }
  [ "$(grep -c 'error:' "$scratch/message")" = 1 ] || { wrong "more than one message of ${*:2}"; cat "$scratch/message"; }
  [ ! -e "$scratch/refused" ] || wrong "a refused run has made its directory: ${*:2}"
}
file=('initial.field=null' "render.file=$scratch/heat" render.field=temperature 'grid.length=[1, 1, 1]')
refused "has no 2-D form" 'grid.extent=[8, 8]' 'grid.length=[1, 1]'
refused "has no 1-D form" 'grid.extent=[8]' 'grid.length=[1]'
refused "unknown key 'colour'" render.colour=viridis
refused "'render.colours' is 'violet'" render.colours=violet
refused "'render.range' must rise" 'render.range=[1, 0]'
refused "values must rise, but point 2 has 0 after 1" 'render.opacity=[[1, 0], [0, 1]]'
refused "point 2 has the opacity 1.5" 'render.opacity=[[0, 0], [1, 1.5]]'
refused "has one point" 'render.palette=[[0, 0, 0, 1]]'
refused "there is no algorithm 'telepathy'" render.compositing=telepathy
refused "combines in any order" render.compositing=ring
# How many ranks draw is known when they begin to.
$MPIRUN -n 2 "$RENDER" --quiet "$decks/gyroid.yaml" "$small" "$view" output.directory="$scratch/factors" 'render.compositing=radix_k(3,2)' 2>"$scratch/message"
[ $? = 1 ] || wrong "expected exit code 1 of render.compositing=radix_k(3,2)"
grep -qF "compositing 'radix_k(3,2)': the product of the factors is neither 2 ranks nor" "$scratch/message" ||
  { wrong "not refused as such: render.compositing=radix_k(3,2)"; cat "$scratch/message"; }
refused "the order of ranks follows from the camera" 'render.compositing=binomial in order 1,0'
refused "nothing says which way the camera looks" 'render.camera.eye=[0.5, 0.5, 0.5]'
refused "'render.size'" 'render.size=[10, 10]'
refused "'render.opaque'" render.opaque=0.5
refused "'render.orbit.frames'" render.orbit.frames=0
refused "wants cells that are equal" 'grid.coordinates.x=[0, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 1]'
refused "nothing says what is to be drawn" initial.field=null
refused "both say what is drawn" "render.file=$scratch/heat"
printf 'solver: render\ngrid: {extent: [12, 10, 8], length: [1, 1, 1]}\nrender: {file: %s}\n' "$scratch/heat" >"$scratch/fieldless.yaml"
"$RENDER" --check "$scratch/fieldless.yaml" 2>&1 | grep -q 'fieldless.yaml:3:.*which is drawn?' || wrong "a file without a field is accepted"
refused "there is no file or directory" "${file[@]}" render.file=/nowhere
refused "holds no output of a run" "${file[@]}" "render.file=$scratch"
refused "holds no output of step 7" "${file[@]}" render.step=7
refused "has no dataset 'pressure'" "${file[@]}" render.field=pressure
refused "the grid isn't that of" "${file[@]}" 'grid.extent=[12, 10, 9]'
refused "extent: [12, 10, 8], length: [1, 1, 1]" "${file[@]}" 'grid.length=[2, 1, 1]'
refused "is for the results of a run" render.step=7
printf 'garbage' >"$scratch/garbage.h5"
refused "is not a readable HDF5 file" "${file[@]}" "render.file=$scratch/garbage.h5"

# In a running solver.
denied() {
  $MPIRUN -n 2 "$PDE" --quiet "$root/inputs/pde/$2" output.directory="$scratch/refused" "${@:3}" 2>"$scratch/message"
  [ $? = 1 ] && grep -qF -- "$1" "$scratch/message" || { wrong "expected '$1' of ${*:2}"; cat "$scratch/message"; }
}
denied "it needs a 3-D grid, and this one has 2 dimensions" heat.yaml output.render.field=temperature
denied "it needs a 3-D grid, and this one has 1 dimension" heat_1d.yaml output.render.field=temperature
denied "names the field 'pressure'; output has temperature" heat_3d.yaml output.render.field=pressure
denied "needs cells that are equal along each axis" heat_3d.yaml 'grid.extent=[4, 8, 8]' 'grid.coordinates.x=[0, 0.2, 0.4, 0.6, 1]' output.pictures.every=0
denied "doesn't say which field" heat.yaml output.render.every=4
exit $failed
