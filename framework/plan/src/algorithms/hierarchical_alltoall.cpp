// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cartwright::plan::hierarchical {

namespace {

// An outermost group: its ranks, in their order, whatever groups there are inside.
struct Node {
  std::vector<int> ranks;

  [[nodiscard]] int size() const { return static_cast<int>(ranks.size()); }
  [[nodiscard]] int rank(int index) const { return ranks[static_cast<std::size_t>(index)]; }
  [[nodiscard]] bool is_consecutive() const { return ranks.back() - ranks.front() + 1 == size(); }
};

std::vector<Node> nodes_of(const Hierarchy& hierarchy) {
  std::vector<Node> nodes(static_cast<std::size_t>(hierarchy.members(0)));
  for (int place = 0; place < hierarchy.ranks(); ++place)
    nodes[static_cast<std::size_t>(hierarchy.member_at(0, place))].ranks.push_back(
        hierarchy.rank_at(place));
  for (Node& node : nodes) std::ranges::sort(node.ranks);
  return nodes;
}

// Three rounds: to the agent of the other node, between agents, and from the agent.
class ByPairsOfNodes {
 public:
  ByPairsOfNodes(Team team, const Hierarchy& hierarchy)
      : nodes_(nodes_of(hierarchy)),
        build_(team, {.blocks = blocks_for(team.ranks),
                      .input = {0, team.ranks},
                      .output = {0, team.ranks}}) {
    here_ = hierarchy.member_at(0, hierarchy.place_of(team.me));
    me_ = static_cast<int>(std::ranges::lower_bound(mine().ranks, team.me) - mine().ranks.begin());
    held_.resize(nodes_.size());
    got_.resize(nodes_.size());
  }

  Schedule make() && {
    keep_input();
    to_agents();
    build_.next_round();
    between_agents();
    build_.next_round();
    from_agents();
    build_.next_round();
    return std::move(build_).finish();
  }

 private:
  [[nodiscard]] const Node& node(int number) const {
    return nodes_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] const Node& mine() const { return node(here_); }
  // All that goes from one node to another in one message has to fit in.
  [[nodiscard]] int blocks_for(int ranks) const {
    int most = ranks;
    for (const Node& a : nodes_)
      for (const Node& b : nodes_)
        if (&a != &b) most = std::max(most, a.size() * b.size());
    return most;
  }
  // Which rank of a node speaks with another node: all take turns, and pairs of nodes in the order
  // in which they do.
  [[nodiscard]] int agent(int from, int to) const {
    const int nodes = static_cast<int>(nodes_.size());
    return ((to - from + nodes) % nodes - 1) % node(from).size();
  }
  template <class Body>
  void for_each_other(const Body& body) const {
    const int nodes = static_cast<int>(nodes_.size());
    for (int distance = 1; distance < nodes; ++distance) {
      const int other = (here_ + distance) % nodes;
      body(other, agent(here_, other));
    }
  }
  template <class Body>
  void for_each_neighbour(const Body& body) const {
    for (int index = 0; index < mine().size(); ++index)
      if (index != me_) body(index);
  }

  void keep_input() {
    const int ranks = build_.team().ranks;
    source_ = build_.input(0).buffer;
    if (build_.team().place == Place::separate || ranks == 1) return;
    source_ = build_.scratch(0, ranks);
    build_.copy(build_.output(0, ranks), {source_, 0, ranks});
  }
  // This rank's blocks for a node, one behind the other in `to`, from block `first` on.
  void pack(const Node& other, Buffer to, int first) {
    for (int index = 0; index < other.size();) {
      const int run = run_at(other, index);
      build_.copy({source_, other.rank(index), run}, {to, first + index, run});
      index += run;
    }
  }
  void unpack(const Node& other, Buffer from) {
    for (int index = 0; index < other.size();) {
      const int run = run_at(other, index);
      build_.copy({from, index, run}, build_.output(other.rank(index), run));
      index += run;
    }
  }
  [[nodiscard]] static int run_at(const Node& node, int index) {
    int run = 1;
    while (index + run < node.size() && node.rank(index + run) == node.rank(index) + run) ++run;
    return run;
  }

  void to_agents() {
    for_each_neighbour([&](int index) {
      const int rank = mine().rank(index);
      build_.send(rank, {source_, rank, 1});
    });
    const int own = build_.team().me;
    build_.copy({source_, own, 1}, build_.output(own));
    for_each_other([&](int other, int agent) {
      const int count = node(other).size();
      if (agent == me_) {
        const Buffer held = held_[static_cast<std::size_t>(other)] =
            build_.scratch(0, count * mine().size());
        return pack(node(other), held, me_ * count);
      }
      Slice blocks{source_, node(other).rank(0), count};
      if (!node(other).is_consecutive()) {
        blocks = {build_.scratch(0, count), 0, count};
        pack(node(other), blocks.buffer, 0);
      }
      build_.send(mine().rank(agent), blocks);
    });
    for_each_neighbour([&](int index) {
      const int rank = mine().rank(index);
      build_.receive(rank, build_.output(rank));
    });
    for_each_other([&](int other, int agent) {
      if (agent != me_) return;
      const int count = node(other).size();
      for_each_neighbour([&](int index) {
        build_.receive(mine().rank(index),
                       {held_[static_cast<std::size_t>(other)], index * count, count});
      });
    });
  }

  void between_agents() {
    const auto with_partners = [&](const auto& body) {
      for_each_other([&](int other, int agent) {
        if (agent != me_) return;
        body(static_cast<std::size_t>(other), node(other).rank(this->agent(other, here_)),
             node(other).size() * mine().size());
      });
    };
    with_partners([&](std::size_t other, int partner, int blocks) {
      build_.send(partner, {held_[other], 0, blocks});
    });
    with_partners([&](std::size_t other, int partner, int blocks) {
      got_[other] = build_.scratch(0, blocks);
      build_.receive(partner, {got_[other], 0, blocks});
    });
  }

  // What has come from another node is ordered by who sent it; each gets what is for it.
  void from_agents() {
    for_each_other([&](int other, int agent) {
      if (agent != me_) return;
      const int count = node(other).size();
      const Buffer got = got_[static_cast<std::size_t>(other)];
      for (int from = 0; from < count; ++from)
        build_.copy({got, from * mine().size() + me_, 1}, build_.output(node(other).rank(from)));
      for_each_neighbour([&](int index) {
        Slice blocks{got, index, 1};
        if (count > 1) {
          blocks = {build_.scratch(0, count), 0, count};
          for (int from = 0; from < count; ++from)
            build_.copy({got, from * mine().size() + index, 1}, {blocks.buffer, from, 1});
        }
        build_.send(mine().rank(index), blocks);
      });
    });
    for_each_other([&](int other, int agent) {
      if (agent == me_) return;
      const int count = node(other).size();
      if (node(other).is_consecutive())
        return build_.receive(mine().rank(agent), build_.output(node(other).rank(0), count));
      const Buffer packed = build_.scratch(0, count);
      build_.receive(mine().rank(agent), {packed, 0, count});
      unpack(node(other), packed);
    });
  }

  std::vector<Node> nodes_;
  Builder build_;
  int here_ = 0;  // this rank's node
  int me_ = 0;    // in it
  Buffer source_ = Buffer::input;
  std::vector<Buffer> held_, got_;  // by node, where this rank is the agent for it
};

}  // namespace

Schedule alltoall(Team team, const Hierarchy& hierarchy) {
  if (hierarchy.ranks() != team.ranks)
    throw std::invalid_argument("the groups are those of other ranks");
  return ByPairsOfNodes(team, hierarchy).make();
}

}  // namespace cartwright::plan::hierarchical
