// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/execution/tag_space.hpp>
#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/comm/window/window_space.hpp>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cartwright/mapping/predict/predict.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>

#include "shared_cores.hpp"

namespace cartwright::comm {

namespace {

mapping::GridShape shape_of(const CartOptions& options) {
  auto periodic = options.periodic;
  if (periodic.empty()) periodic.assign(options.dims.size(), false);
  return {options.dims, std::move(periodic)};
}

}  // namespace

CartComm::CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine,
                   const CartOptions& options)
    : CartComm(parent, engine, options, mapping::discover(parent)) {}

CartComm::CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine,
                   const CartOptions& options, const mapping::Topology& topology)
    : CartComm(
          parent, engine, resolved(parent, options.settings), options.arena, shape_of(options),
          topology,
          mapping::remap(parent, topology, shape_of(options), options.strategy, options.weights)) {}

CartComm::CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine,
                   const Settings& settings, const std::optional<rt::Arena>& arena,
                   mapping::GridShape shape, mapping::Topology topology, mapping::Remapped remapped)
    : engine_(engine),
      shape_(std::move(shape)),
      topology_(agreed_on_cores(parent, engine_, std::move(topology))),
      communicator_(std::make_shared<const rt::Communicator>(std::move(remapped.communicator))),
      placement_(std::move(remapped.placement)),
      mapping_(std::move(remapped.mapping)),
      axis_order_(settings.axes),
      knowledge_(known_to(parent, topology_, settings)) {
  Context of_all{.settings = settings, .knowledge = knowledge_};
  if (traits_of(settings.backend).uses_memory()) {
    std::vector<int> communicators{parent.size()};
    communicators.insert(communicators.end(), shape_.dims.begin(), shape_.dims.end());
    of_all.memory = std::make_shared<NodeMemory>(
        parent, topology_, settings.memory_options(std::move(communicators), *knowledge_, arena));
  }
  const TagSpace tags(*communicator_, TagShare::channels * (1 + dimensions()));
  of_all.tags = std::make_shared<const TagShare>(tags.share(0));
  of_all.nodes = NodeView::of(*communicator_, topology_);
  all_ = std::make_unique<Collectives>(communicator_, engine_, of_all);
  for (int axis = 0; axis < dimensions(); ++axis) {
    const std::vector<int> ranks = line_of(axis);
    const int me = mapping_.coordinates[static_cast<std::size_t>(axis)];
    Context of_line = of_all;
    of_line.clock = all_->context().clock;
    of_line.tags = std::make_shared<const TagShare>(tags.share(1 + axis, ranks));
    of_line.nodes = of_all.nodes.among(ranks, me);
    along_.push_back(
        std::make_unique<Collectives>(std::make_shared<const rt::Communicator>(
                                          rt::Communicator::later(communicator_, ranks, axis)),
                                      engine_, std::move(of_line)));
  }
  learn_node_map();
}

std::vector<int> CartComm::line_of(int axis) const {
  std::vector<int> coordinates = mapping_.coordinates;
  std::vector<int> ranks;
  for (int at = 0; at < shape_.dims[static_cast<std::size_t>(axis)]; ++at) {
    coordinates[static_cast<std::size_t>(axis)] = at;
    ranks.push_back(shape_.rank_of(coordinates));
  }
  return ranks;
}

void CartComm::learn_node_map() {
  const bool asks_model = axis_order_ == AxisOrder::automatic && topology_.nodes > 1 &&
                          dimensions() > 1 && size() <= mapping::largest_search;
  if (!asks_model) return;
  const plan::Hierarchy& nodes = *all_->context().nodes.nodes();
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
  return along(axis).communicator();
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

const std::shared_ptr<WindowSpace>& CartComm::windows() const {
  constexpr int channel_of_windows = 3;
  if (windows_ == nullptr)
    windows_ = std::make_shared<WindowSpace>(
        engine_, all_->context().tags->channel(channel_of_windows), size(), rank().value);
  return windows_;
}

std::vector<std::pair<std::string, std::string>> CartComm::description() const {
  return {{"ranks", topology_.describe()},
          {"binding", topology_.binding.describe()},
          {"process grid", mapping::to_text(shape_.dims)},
          {"mapping", mapping_.explanation},
          {"off-node faces", mapping_.describe_faces()},
          {"backend", describe_backend()},
          {"neighbours", describe_neighbours()}};
}

std::string CartComm::describe_neighbours() const {
  const NodeMemory* const memory = all_->context().memory.get();
  const bool share = memory != nullptr && memory->usable() && topology_.largest_node > 1;
  if (size() == 1) return "none on other ranks";
  if (traits_of(all_->context().settings.backend).is_one_sided) return "by one-sided epochs";
  if (!share) return "by messages";
  if (memory->links()) return "through memory, as over a network between nodes";
  return topology_.nodes == 1 ? "through memory" : "through memory on a node, else by messages";
}

std::string CartComm::describe_backend() const {
  const BackendId backend = all_->backend().id();
  if (backend != BackendId::automatic || size() == 1) return std::string(name_of(backend));
  const Selection& selection = all_->backends().selection();
  const CallKey small{plan::Operation::allreduce, sizeof(double)};
  return fmt::format("auto (8-byte allreduce: {})",
                     selection.explain(selection.decide(small), small.problem(size())));
}

}  // namespace cartwright::comm
