// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/options.hpp>
#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/mapping/choose_mapping.hpp>
#include <cartwright/mapping/node_channels.hpp>
#include <cartwright/mapping/predict.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>

namespace cartwright::comm {

namespace {

mapping::GridShape shape_of(const CartOptions& options) {
  auto periodic = options.periodic;
  if (periodic.empty()) periodic.assign(options.dims.size(), false);
  return {options.dims, std::move(periodic)};
}

/// One communicator for each axis, from a communicator with MPI's Cartesian topology.
std::vector<rt::Communicator> make_axes(const rt::Communicator& cart, int dimensions) {
  std::vector<rt::Communicator> axes;
  for (int axis = 0; axis < dimensions; ++axis) {
    std::vector<int> keep(static_cast<std::size_t>(dimensions), 0);
    keep[static_cast<std::size_t>(dimensions - 1 - axis)] = 1;  // MPI: slowest first
    MPI_Comm line = MPI_COMM_NULL;
    rt::mpi_blocking("MPI_Cart_sub", MPI_Cart_sub, cart.handle(), keep.data(), &line);
    axes.push_back(rt::Communicator::own(line));
  }
  return axes;
}

}  // namespace

CartComm::CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine,
                   const CartOptions& options)
    : CartComm(parent, engine, options, mapping::discover(parent)) {}

CartComm::CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine,
                   const CartOptions& options, const mapping::Topology& topology)
    : CartComm(
          parent, engine, with_environment(parent, options), shape_of(options), topology,
          mapping::remap(parent, topology, shape_of(options), options.strategy, options.weights)) {}

CartComm::CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine,
                   const CartOptions& options, mapping::GridShape shape, mapping::Topology topology,
                   mapping::Remapped remapped)
    : engine_(engine),
      shape_(std::move(shape)),
      topology_(std::move(topology)),
      communicator_(std::move(remapped.communicator)),
      placement_(std::move(remapped.placement)),
      mapping_(std::move(remapped.mapping)),
      axes_(make_axes(communicator_, shape_.dimensions())),
      axis_order_(options.axes),
      knowledge_(find_knowledge(parent, topology_, options.algorithms, options.learns)) {
  engine_.set_oversubscribed(topology_.oversubscribed);
  CollectivesOptions of_all;
  of_all.backend = options.backend;
  of_all.knowledge = knowledge_;
  of_all.supervision = options.supervision;
  of_all.is_settled = true;
  if (Backends::uses_memory(options.backend))
    of_all.memory = std::make_shared<NodeMemory>(parent, topology_, 1 + dimensions(),
                                                 options.shared_memory, options.arena);
  const auto collectives_of = [&](const rt::Communicator& comm) {
    CollectivesOptions of_one = of_all;
    of_one.nodes = NodeView::of(comm, topology_);
    return std::make_unique<Collectives>(comm, engine_, std::move(of_one));
  };
  all_ = collectives_of(communicator_);
  for (const rt::Communicator& axis : axes_) along_.push_back(collectives_of(axis));
  learn_node_map();
}

void CartComm::learn_node_map() {
  const bool asks_model = axis_order_ == AxisOrder::automatic && topology_.nodes > 1 &&
                          dimensions() > 1 && size() <= mapping::largest_search;
  if (!asks_model) return;
  const plan::Hierarchy& nodes = *all_->options().nodes.nodes();
  node_map_ =
      mapping::NodeMap{shape_, std::vector<int>(static_cast<std::size_t>(size())), topology_.nodes};
  for (int rank = 0; rank < size(); ++rank)
    node_map_->nodes[static_cast<std::size_t>(rank)] = nodes.member_at(0, nodes.place_of(rank));
}

bool CartComm::overlap_pays(double bytes) const {
  if (axis_order_ != AxisOrder::automatic) return axis_order_ == AxisOrder::overlapped;
  if (!node_map_) return true;
  const bool knows_nodes = knowledge_->machine && knowledge_->machine->levels.size() > 1;
  const plan::Machine machine =
      knows_nodes ? *knowledge_->machine : plan::typical_machine(topology_.largest_node);
  return mapping::overlap_pays(*node_map_, mapping::node_channels(machine), bytes);
}

std::size_t CartComm::checked(int axis) const {
  if (axis < 0 || axis >= dimensions()) {
    throw rt::internal_failure(
        fmt::format("axis {} of a {}-dimensional communicator was asked for", axis, dimensions()));
  }
  return static_cast<std::size_t>(axis);
}

const rt::Communicator& CartComm::axis(int axis) const {
  return axes_[checked(axis)];
}

bool CartComm::periodic(int axis) const {
  return shape_.periodic[checked(axis)];
}

std::vector<int> CartComm::coordinates_of(rt::Rank rank) const {
  if (rank.value < 0 || rank.value >= size()) {
    throw rt::internal_failure(fmt::format("rank {} of {} was asked for", rank.value, size()));
  }
  return shape_.coordinates_of(rank.value);
}

std::optional<rt::Rank> CartComm::neighbour(int axis, int direction) const {
  std::vector<int> target = mapping_.coordinates;
  if (!shape_.move(target, checked(axis), direction)) return std::nullopt;
  return rt::Rank{shape_.rank_of(target)};
}

std::optional<rt::Rank> CartComm::neighbour(std::span<const int> offsets) const {
  if (static_cast<int>(offsets.size()) != dimensions()) {
    throw rt::internal_failure(fmt::format(
        "a neighbour in {} dimensions was asked for by {} offsets", dimensions(), offsets.size()));
  }
  std::vector<int> target = mapping_.coordinates;
  for (std::size_t axis = 0; axis < offsets.size(); ++axis) {
    if (!shape_.move(target, axis, offsets[axis])) return std::nullopt;
  }
  return rt::Rank{shape_.rank_of(target)};
}

bool CartComm::is_off_node(rt::Rank rank) const {
  return !placement_.is_on_my_node(topology_, coordinates_of(rank));
}

std::vector<std::pair<std::string, std::string>> CartComm::description() const {
  return {{"ranks", topology_.describe()},
          {"binding", topology_.binding.describe()},
          {"process grid", mapping::to_text(shape_.dims)},
          {"mapping", mapping_.explanation},
          {"off-node faces", mapping_.describe_faces()},
          {"backend", describe_backend()}};
}

std::string CartComm::describe_backend() const {
  const auto name = all_->backend().name();
  if (name != "auto" || size() == 1) return std::string(name);
  const Selection& selection = all_->backends().selection();
  const CallKey small{plan::Operation::allreduce, sizeof(double)};
  return fmt::format("auto (8-byte allreduce: {})",
                     selection.explain(selection.decide(small), small.problem(size())));
}

}  // namespace cartwright::comm
