// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/field/grid.hpp>
#include <cartwright/grid/space/joined_blocks.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace cartwright::grid {

/// Carries cells between all ranks of a grid and those that have the joined blocks of their groups.
/// All calls are collective over the ranks of `all`; nothing is allocated after the construction.
template <int D>
class GroupTransfer {
 public:
  /// `cuts`: the cells that are carried, as all ranks of `all` have them.
  GroupTransfer(const Grid<D>& all, const Cuts& cuts, const BlockGroups& groups) {
    const comm::CartComm& comm = all.comm();
    const Place mine = place_of(cuts, groups, coordinates(comm, comm.rank()));
    mine_ = mine.box;
    leads_ = mine.leader == coordinates(comm, comm.rank());
    std::vector<comm::NeighbourBytes> up, down;
    if (leads_)
      add_members(comm, cuts, groups, mine, up, down);
    else
      add_leader(leader_rank(comm, mine.leader), up, down);
    auto& ranks = all.ranks();
    const comm::NeighbourRegions regions{all.trace().region("redistribution pack"),
                                         all.trace().region("redistribution wait"),
                                         all.trace().region("redistribution unpack")};
    up_ = ranks.make_exchange(up, all.trace(), regions, 0);
    down_ = ranks.make_exchange(down, all.trace(), regions, 0);
  }

  [[nodiscard]] bool leads() const { return leads_; }

  /// This rank's cells (x fastest) become part of the leader's block; `to` is its view, and
  /// anything elsewhere.
  void gather(const double* mine, const FieldView<double, D>& to) {
    up_->begin([&](std::size_t, std::byte* place) {
      std::copy_n(mine, mine_.size(), reinterpret_cast<double*>(place));
    });
    if (leads_) unpack<double, D>(mine, mine_, to);
    up_->complete([&](std::size_t member, const std::byte* from) {
      unpack<double, D>(reinterpret_cast<const double*>(from), senders_[member], to);
    });
  }
  /// Each rank's part of the leader's block, and one layer around it, ghosts of `from` among them:
  /// these must be filled, corners included.
  void spread(const FieldView<const double, D>& from, double* mine) {
    down_->begin([&](std::size_t member, std::byte* place) {
      pack<double, D>(from, receivers_[member], reinterpret_cast<double*>(place));
    });
    if (leads_) pack<double, D>(from, grown(mine_), mine);
    down_->complete([&](std::size_t, const std::byte* values) {
      std::copy_n(reinterpret_cast<const double*>(values), grown(mine_).size(), mine);
    });
  }
  /// With one more layer on every side.
  [[nodiscard]] static Box<D> grown(Box<D> box) {
    for (int axis = 0; axis < D; ++axis) --box.lower[axis], ++box.upper[axis];
    return box;
  }

 private:
  /// One rank's cells, as local points of its leader's block.
  struct Place {
    std::vector<int> leader;
    Box<D> box{};
  };

  [[nodiscard]] static std::vector<int> coordinates(const comm::CartComm& comm, rt::Rank rank) {
    return comm.coordinates_of(rank);
  }
  [[nodiscard]] static rt::Rank leader_rank(const comm::CartComm& comm,
                                            const std::vector<int>& leader) {
    return rt::Rank{comm.shape().rank_of(leader)};
  }
  [[nodiscard]] static Place place_of(const Cuts& cuts, const BlockGroups& groups,
                                      const std::vector<int>& at) {
    Place place;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(D); ++axis) {
      const int leader = *(std::ranges::upper_bound(groups[axis], at[axis]) - 1);
      const long long origin = cuts[axis][static_cast<std::size_t>(leader)];
      const auto part = static_cast<std::size_t>(at[axis]);
      place.leader.push_back(leader);
      place.box =
          place.box.with(static_cast<int>(axis), static_cast<int>(cuts[axis][part] - origin),
                         static_cast<int>(cuts[axis][part + 1] - origin));
    }
    return place;
  }
  [[nodiscard]] static std::size_t bytes_of(const Box<D>& box) {
    return static_cast<std::size_t>(box.size()) * sizeof(double);
  }

  void add_leader(rt::Rank leader, std::vector<comm::NeighbourBytes>& up,
                  std::vector<comm::NeighbourBytes>& down) const {
    if (!mine_.empty()) up.push_back({leader, bytes_of(mine_), 0});
    down.push_back({leader, 0, bytes_of(grown(mine_))});
  }
  void add_members(const comm::CartComm& comm, const Cuts& cuts, const BlockGroups& groups,
                   const Place& mine, std::vector<comm::NeighbourBytes>& up,
                   std::vector<comm::NeighbourBytes>& down) {
    for (int rank = 0; rank < comm.size(); ++rank) {
      const Place other = place_of(cuts, groups, coordinates(comm, rt::Rank{rank}));
      if (rank == comm.rank().value || other.leader != mine.leader) continue;
      if (!other.box.empty()) {
        up.push_back({rt::Rank{rank}, 0, bytes_of(other.box)});
        senders_.push_back(other.box);
      }
      down.push_back({rt::Rank{rank}, bytes_of(grown(other.box)), 0});
      receivers_.push_back(grown(other.box));
    }
  }

  Box<D> mine_{};
  bool leads_ = false;
  std::vector<Box<D>> senders_, receivers_;  ///< of the leader, in the order of the exchanges
  std::shared_ptr<comm::NeighbourExchange> up_, down_;
};

}  // namespace cartwright::grid
