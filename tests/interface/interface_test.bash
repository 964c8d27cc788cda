#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016 # backticks are those of Markdown
# interface_test.bash ROOT: the public interface is the released one but for what CHANGELOG.md names; and a change that
# isn't named is found.
set -euo pipefail
root=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
python3 "$here/public_interface.py" "$root"
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir -p "$work"/{docs/reference,cmake,launcher,tests/interface,framework} "$work/python/cartwright"
for file in docs/reference/{README,comm}.md docs/deck.md cmake/CartwrightPkgConfig.cmake cmake/cartwrightConfig.cmake.in \
  launcher/help.bash CMakeLists.txt CHANGELOG.md python/cartwright/{__init__,results,series,tables}.py; do
  cp "$root/$file" "$work/$file"
done
for floor in "$root"/framework/*/; do
  mkdir "$work/framework/$(basename "$floor")" && cp "$floor/CMakeLists.txt" "$work/framework/$(basename "$floor")"
done

# finds WORDS FILE SED-SCRIPT: after this edit.
finds() {
  cp "$work/$2" "$work/before"
  sed -i "$3" "$work/$2"
  ! cmp -s "$work/$2" "$work/before" || { echo "nothing was edited in $2: $3" && exit 1; }
  if python3 "$here/public_interface.py" "$work" >"$work/said"; then echo "not found: $1" && exit 1; fi
  grep -qF -- "$1" "$work/said" || { echo "not said: $1" && cat "$work/said" && exit 1; }
  cp "$work/before" "$work/$2"
}
finds 'deck `grid.extent` is gone' docs/deck.md '/^| `extent` /d'
finds 'deck `grid.extent` has changed' docs/deck.md '/^| `extent` /s/list of/at least/'
finds 'c++ `cw::Scalar` is gone' docs/reference/README.md 's/entry: cw::Scalar /entry: cw::Net /'
finds 'c++ `cw::Net` is new' docs/reference/README.md 's/entry: cw::Scalar /entry: cw::Net /'
finds 'c++ `cw::run` has changed' docs/reference/README.md 's/^int run(int argc, char/int run(long argc, char/'
finds 'c++ `comm::Hole` is new' docs/reference/comm.md 's/entry: comm::Window /entry: comm::Hole /'
finds 'python `Series.at` is gone' python/cartwright/series.py 's/def at(/def _at(/'
finds 'exit code `4` has changed' launcher/help.bash 's/^4 stopped early/4 stopped late/'
finds 'is not of version' CMakeLists.txt 's/^project(cartwright VERSION 0\.1\.0/project(cartwright VERSION 0.2.0/'
# Named, it is no fault.
sed -i 's/entry: cw::Scalar /entry: cw::Net /' "$work/docs/reference/README.md"
sed -i '0,/^## .*/s//&\n\n- **Breaks:** `cw::Net` is what `cw::Scalar` was.\n/' "$work/CHANGELOG.md"
python3 "$here/public_interface.py" "$work"
