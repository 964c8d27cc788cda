# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What this process may use of the machine: cores allowed by affinity and by control groups.

# allowed_cpus: logical processors in the affinity mask, one a line.
allowed_cpus() {
  local key list range first last cpu
  while read -r key list; do
    [[ $key == Cpus_allowed_list: ]] && break
  done </proc/self/status
  for range in ${list//,/ }; do
    first=${range%-*}
    last=${range#*-}
    for ((cpu = first; cpu <= last; cpu++)); do printf '%d\n' "$cpu"; done
  done
}

# allowed_cores: the first logical processor of every physical core that may be used, one a line.
allowed_cores() {
  local cpu package core topology
  local -A seen=()
  while read -r cpu; do
    topology=/sys/devices/system/cpu/cpu$cpu/topology
    package=0 core=$cpu
    [[ -r $topology/core_id ]] && read -r core <"$topology/core_id"
    [[ -r $topology/physical_package_id ]] && read -r package <"$topology/physical_package_id"
    [[ -n ${seen[$package.$core]:-} ]] && continue
    seen[$package.$core]=1
    printf '%d\n' "$cpu"
  done < <(allowed_cpus)
}

# cpu_quota: processors that the control groups grant (rounded down, at least 1); nothing without a limit.
cpu_quota() {
  local path quota period smallest='' granted
  path=$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null)
  while :; do
    if [[ -r /sys/fs/cgroup$path/cpu.max ]]; then
      read -r quota period <"/sys/fs/cgroup$path/cpu.max"
      if [[ $quota != max ]]; then
        granted=$((quota / period))
        ((granted < 1)) && granted=1
        [[ -z $smallest || $granted -lt $smallest ]] && smallest=$granted
      fi
    fi
    [[ -z $path || $path == / ]] && break
    path=${path%/*}
  done
  local legacy=/sys/fs/cgroup/cpu
  if [[ -z $smallest && -r $legacy/cpu.cfs_quota_us && -r $legacy/cpu.cfs_period_us ]]; then
    read -r quota <"$legacy/cpu.cfs_quota_us"
    read -r period <"$legacy/cpu.cfs_period_us"
    ((quota > 0)) && smallest=$((quota / period > 0 ? quota / period : 1))
  fi
  printf '%s' "$smallest"
}

# usable_cores: how many ranks or threads can each have a core of their own.
usable_cores() {
  local cores quota
  cores=$(allowed_cores | wc -l)
  quota=$(cpu_quota)
  [[ -n $quota ]] && ((quota < cores)) && cores=$quota
  printf '%d' "$cores"
}

# affinity_is_restricted: true where a part of the machine's processors is not ours.
affinity_is_restricted() {
  local online
  online=$(getconf _NPROCESSORS_ONLN) || return 1
  (($(allowed_cpus | wc -l) < online))
}

# build_jobs: compilers at a time: one a core, and no more than memory holds (about 1 GB each).
build_jobs() {
  local jobs available=0 key value unit
  jobs=$(usable_cores)
  while read -r key value unit; do
    : "$unit"
    [[ $key == MemAvailable: ]] && available=$((value / 1000000)) && break
  done </proc/meminfo
  ((available > 0 && available < jobs)) && jobs=$available
  printf '%d' "$jobs"
}
