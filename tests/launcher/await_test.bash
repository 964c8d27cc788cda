#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A child that ends while requests come in, beside others that end, too, and one that lives on: waiting for it ends.
set -uo pipefail
# shellcheck source=tests/launcher/checks.bash
source "$(dirname "${BASH_SOURCE[0]}")/checks.bash"
# shellcheck source=launcher/await.bash
source "$(dirname -- "$launcher")/launcher/await.bash"

requests=0
trap '((requests += 1))' TERM
text='' code=''
for ((turn = 0; turn < 600; turn++)); do
  called="await, turn $turn"
  sleep 10 & # where the end of another child was forgotten, waiting for that lasts as long
  lives_on=$!
  disown "$lives_on"
  for ((i = 0; i < 12; i++)); do
    (kill -TERM $$) &
    disown $!
  done
  (exit 5) &
  before=$SECONDS
  await $! lives_on
  code=$?
  ((code == 5 || code == 143 || code == 255)) || wrong 'expected its exit code, or one that says that it is not known'
  ((SECONDS - before < 5)) || wrong 'the end of a child was forgotten'
done
called='await, of a child that has ended before'
(exit 7) &
ended=$!
sleep 0.2
# shellcheck disable=SC2034 # read by its name
nobody=''
await "$ended" nobody
code=$?
expect_code 7
((requests > 0)) || wrong 'no request came'
finish
