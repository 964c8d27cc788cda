// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/mapping/machine/topology_among.hpp>
#include <cartwright/rt/arena.hpp>
#include <optional>
#include <span>

namespace cartwright::grid {
namespace {

/// This rank's place among those that are left; nothing if it isn't one of them.
std::optional<std::vector<int>> place_among(const BlockGroups& groups,
                                            std::span<const int> coordinates) {
  std::vector<int> place;
  for (std::size_t axis = 0; axis < groups.size(); ++axis) {
    const auto found = std::ranges::find(groups[axis], coordinates[axis]);
    if (found == groups[axis].end()) return std::nullopt;
    place.push_back(static_cast<int>(found - groups[axis].begin()));
  }
  return place;
}

}  // namespace

std::shared_ptr<GridRanks> GridBase::ranks_of(const BlockGroups& groups) const {
  const auto place = place_among(groups, comm().coordinates());
  comm::CartOptions cart;
  for (int axis = 0; axis < dimensions(); ++axis) {
    cart.dims.push_back(static_cast<int>(groups[at(axis)].size()));
    cart.periodic.push_back(periodic(axis));
  }
  int number = 0;
  for (int axis = dimensions() - 1; place && axis >= 0; --axis)
    number = number * cart.dims[at(axis)] + (*place)[at(axis)];
  const rt::Communicator some = comm().communicator().split(place ? 0 : MPI_UNDEFINED, number);
  if (!place) return nullptr;
  cart.strategy = mapping::Strategy::identity;
  cart.settings = app_.comm_settings().as_resolved();
  cart.settings.learn = false;  // what is learned is shared by all ranks of the run
  cart.settings.arrivals = comm::ArrivalUse::off;
  cart.arena = app_.runtime().arena();
  rt::ProgressEngine& progress = app_.runtime().progress();
  auto made = std::make_unique<comm::CartComm>(some, progress, cart,
                                               mapping::among(some, comm().topology()));
  return std::make_shared<GridRanks>(run_, std::move(made));
}

OffNodePairs GridBase::off_node_pairs() const {
  OffNodePairs pairs;
  for (const int parts : comm().dims())
    pairs.emplace_back(static_cast<std::size_t>(std::max(parts - 1, 0)), 0LL);
  if (comm().topology().nodes == 1) return pairs;
  for (int axis = 0; axis < dimensions(); ++axis) {
    std::vector<long long>& of_axis = pairs[at(axis)];
    const auto mine = static_cast<std::size_t>(comm().coordinates()[at(axis)]);
    if (mine < of_axis.size() && comm().is_off_node(*comm().neighbour(axis, 1))) ++of_axis[mine];
    if (!of_axis.empty()) comm().allreduce(std::span<long long>(of_axis), comm::Operator::sum);
  }
  return pairs;
}

}  // namespace cartwright::grid
