# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright bench NAME: builds bench/NAME.cpp and runs it, once for each layout "RANKSxTHREADS" that its
# source names at the end of its first comment, `layouts: 1x2 2x1` (else one rank a core). clang-format may join that with
# the line before.

bench_names() {
  local source
  for source in "$cartwright_root"/bench/*.cpp; do
    [[ -r $source ]] && basename -- "$source" .cpp
  done
}

verb_bench() {
  local name='' ranks='' threads='' nodes='' place='' on_stop=end layout
  local -a program_arguments=() layouts=() names=()
  while (($# > 0)); do
    case $1 in
      --help | -h) verb_help bench && return ;;
      -n) ranks=$(value_of bench "$@") || exit; shift ;;
      -t) threads=$(value_of bench "$@") || exit; shift ;;
      --nodes) nodes=$(value_of bench "$@") || exit; shift ;;
      --nodes=*) nodes=$(value_of bench "$@") || exit ;;
      --place) place=$(value_of bench "$@") || exit; shift ;;
      --place=*) place=$(value_of bench "$@") || exit ;;
      --json)
        value_of bench "$@" >/dev/null || exit
        program_arguments+=("$1" "$2")
        shift
        ;;
      -*) program_arguments+=("$1") ;;
      *) if [[ -z $name ]]; then name=$1; else program_arguments+=("$1"); fi ;;
    esac
    shift
  done
  mapfile -t names < <(bench_names)
  [[ -n $name ]] || fail 1 "bench needs a name; there are: $(join ', ' "${names[@]}")"
  [[ -r $cartwright_root/bench/$name.cpp ]] ||
    fail 1 "there is no benchmark '$name'$(suggestion "$name" "${names[@]}") (there are: $(join ', ' "${names[@]}"))"
  check_count -n "$ranks" ranks
  check_count -t "$threads" threads
  check_nodes

  prepare_tree OFF ON "bench_$name"
  unlock_set_up

  if [[ -n $ranks || -n $threads ]]; then
    choose_ranks
    layouts=("${ranks}x$threads")
  else
    read -r -a layouts < <(sed -nE 's|^// (.* )?layouts: +||p' "$cartwright_root/bench/$name.cpp" | head -n 1)
    ((${#layouts[@]} > 0)) || layouts=("$(usable_cores)x1")
  fi
  run_arguments=()
  for layout in "${layouts[@]}"; do
    run_ranks "${layout%x*}" "${layout#*x}" "$cartwright_build/bin/bench_$name" "${program_arguments[@]}"
    if ((run_status != 0)); then
      ((run_status <= 4)) && exit "$run_status"
      fail 3 "the benchmark $name ended with status $run_status"
    fi
    # Further layouts add their cases to the same file.
    if [[ " ${program_arguments[*]-} " == *' --json '* ]]; then program_arguments+=(--append); fi
  done
}
