# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Several nodes on one machine (--nodes): what the user wants, and whether it can be had. make_nodes makes them.

# read_nodes LAYOUT [RANKS]: sets ranks_of_node. "2x2" is 2 nodes of 2 ranks, "3+1" one of 3 and one of 1, "2x2+1" is
# both; a lone number is so many nodes that share RANKS. Fails if that can't be read.
read_nodes() {
  local layout=${1//,/+} ranks=${2:-} term i nodes
  ranks_of_node=()
  if [[ $layout =~ ^[1-9][0-9]{0,2}$ ]]; then
    nodes=$layout
    ((${ranks:=$nodes} >= nodes)) || return 1
    for ((i = 0; i < nodes; i++)); do ranks_of_node+=($((ranks / nodes + (i < ranks % nodes)))); done
    return
  fi
  [[ $layout =~ ^[1-9][0-9]{0,2}(x[1-9][0-9]{0,2})?(\+[1-9][0-9]{0,2}(x[1-9][0-9]{0,2})?)*$ ]] || return 1
  for term in ${layout//+/ }; do
    nodes=1
    [[ $term == *x* ]] && nodes=${term%x*}
    for ((i = 0; i < nodes; i++)); do ranks_of_node+=("${term#*x}"); done
  done
  ((${#ranks_of_node[@]} <= 200))
}

# check_nodes VERB: judges $nodes and $place, and sets ranks (unless they are given, then they must agree).
check_nodes() {
  local sum=0 count
  local -a ranks_of_node
  if [[ -n $place && $place != slot && $place != node ]]; then fail 1 "--place takes slot or node, not '$place'"; fi
  if [[ -z $nodes ]]; then
    [[ -z $place ]] || fail 1 "--place says how ranks are dealt out to nodes: it needs --nodes"
    return
  fi
  read_nodes "$nodes" "$ranks" ||
    fail 1 "--nodes takes NODESxRANKS (2x2), ranks node by node (3+1), or with -n a number of nodes; not '$nodes'${ranks:+ with -n $ranks}"
  for count in "${ranks_of_node[@]}"; do ((sum += count)); done
  [[ -z $ranks || $ranks == "$sum" ]] || fail 1 "--nodes $nodes makes $sum ranks, but -n says $ranks"
  ranks=$sum
  nodes=$(join + "${ranks_of_node[@]}")
  know_mpi
  [[ $mpi_flavour != mpich || $place != node ]] || fail 1 "--place node: MPICH's mpiexec places ranks by slot only"
  nodes_are_possible || fail 1 "--nodes: $nodes_hindrance"
}

# nodes_are_possible: else nodes_hindrance is the reason, with what to do.
nodes_are_possible() {
  local command package lacking=''
  nodes_hindrance=''
  for command in ip:iproute2 unshare:util-linux nsenter:util-linux setpriv:util-linux; do
    package=${command#*:}
    command -v "${command%:*}" >/dev/null || [[ $lacking == *$package* ]] || lacking+=" $package"
  done
  if [[ -n $lacking ]]; then
    nodes_hindrance="nodes on one machine need packages that are missing:$lacking"
    return 1
  fi
  # Believed when it fails twice: somebody may have killed the first try. Orders are for the nodes that are to come.
  for _ in 1 2; do
    nodes_hindrance=$(env -u CARTWRIGHT_NODES_CONTROL -u CARTWRIGHT_NODES_CUT "$cartwright_root/launcher/make_nodes" 1x1 slot true 2>&1) && return
  done
  nodes_hindrance=${nodes_hindrance##*make_nodes: }
  [[ -n $nodes_hindrance ]] || nodes_hindrance="nodes on one machine can't be made here"
  return 1
}
