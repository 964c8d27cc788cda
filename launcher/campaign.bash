# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright campaign NAME: long attacks, tests/campaigns/campaign_NAME.py. What a campaign needs built stands in its
# line `# needs: TARGET…`.

campaign_names() {
  local script
  for script in "$cartwright_root"/tests/campaigns/campaign_*.py; do
    script=${script##*/campaign_}
    [[ $script == '*.py' ]] || printf '%s\n' "${script%.py}"
  done
}

# A python3 of the user's own may not see Debian's modules.
python_with_h5py() {
  local python
  for python in python3 /usr/bin/python3; do
    "$python" -c 'import h5py' 2>/dev/null && printf '%s' "$python" && return
  done
  printf 'python3'
}

verb_campaign() {
  local name=${1:-}
  local -a names=() targets=()
  [[ $name == --help || $name == -h ]] && verb_help campaign && return
  mapfile -t names < <(campaign_names)
  [[ -n $name ]] || fail 1 "campaign needs a name; there are: $(join ', ' "${names[@]}")"
  [[ " ${names[*]} " == *" $name "* ]] ||
    fail 1 "there is no campaign '$name'$(suggestion "$name" "${names[@]}") (there are: $(join ', ' "${names[@]}"))"
  shift
  local script=$cartwright_root/tests/campaigns/campaign_$name.py
  # A page of help needs no build.
  if [[ " $* " != *' --help '* && " $* " != *' -h '* ]]; then
    read -r -a targets < <(sed -n 's/^# needs: *//p' "$script")
    prepare_tree ON OFF "${targets[0]}"
    ((${#targets[@]} < 2)) || [[ -n ${CARTWRIGHT_BUILD:-} ]] || build_targets "${targets[@]}"
    unlock_set_up
  fi
  CARTWRIGHT_BUILD=$cartwright_build exec "$(python_with_h5py)" "$script" "$@" </dev/null
}
