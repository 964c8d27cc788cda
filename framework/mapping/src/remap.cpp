// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/choose_mapping.hpp>
#include <cartwright/mapping/levels.hpp>
#include <cartwright/mapping/lower_bound.hpp>
#include <cartwright/mapping/off_node_faces.hpp>
#include <cartwright/mapping/remap.hpp>
#include <cartwright/mapping/slot_survey.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace cartwright::mapping {

namespace {

/// The placements to choose from; the first is the identity, the second the tile if there is one.
std::vector<Placement> portfolio(const Topology& topology, const GridShape& shape,
                                 Strategy strategy, const std::vector<double>& weights) {
  std::vector<Placement> placements{Placement(IdentityOrder{shape})};
  const bool nothing_to_gain = topology.nodes == 1 || topology.largest_node == 1;
  if (strategy == Strategy::identity || nothing_to_gain) return placements;
  if (topology.is_uniform()) {
    if (auto tile = choose_tile(shape, topology.largest_node, weights)) {
      placements.emplace_back(TileOrder(shape, *std::move(tile)));
      if (strategy == Strategy::tile) return placements;
    }
  }
  const int mean_size = (topology.ranks + topology.nodes - 1) / topology.nodes;
  for (auto& order : LocalityOrder::candidates(shape, mean_size)) {
    placements.emplace_back(std::move(order));
  }
  return placements;
}

/// True if tables of all ranks are affordable and something may be gained by them.
bool may_survey(const Topology& topology, Strategy strategy) {
  return strategy != Strategy::identity && topology.largest_node > 1 &&
         topology.ranks <= largest_search;
}

/// True if all ranks have the same table. Searches are deterministic, but nodes of different make
/// could still round differently, and then no table is better than two.
bool is_agreed(const rt::Communicator& comm, const std::vector<int>& slots) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const int slot : slots) hash = (hash ^ static_cast<std::uint64_t>(slot)) * 1099511628211ULL;
  std::array<std::uint64_t, 2> least{hash, ~hash};
  rt::mpi_blocking("MPI_Allreduce", MPI_Allreduce, MPI_IN_PLACE, least.data(), 2, MPI_UINT64_T,
                   MPI_MIN, comm.handle());
  return least[0] == ~least[1];
}

/// What a search over all strategies finds; nothing if a tile can't be beaten.
std::optional<Placement> search(const rt::Communicator& comm, const Topology& topology,
                                const GridShape& shape, const SlotSurvey& survey,
                                const std::vector<double>& weights) {
  if (topology.nodes == 1) return std::nullopt;
  if (topology.is_uniform()) {
    const auto tile = choose_tile(shape, topology.largest_node, weights);
    const double bound = sharp_lower_bound(shape, survey.node_sizes, weights);
    if (tile && tile_faces(shape, *tile, weights) <= bound) return std::nullopt;
  }
  auto found = choose_mapping({shape, survey.node_sizes, weights});
  auto slots = assign_slots(found.map, {}, weights);
  if (!is_agreed(comm, slots)) return std::nullopt;
  return Placement(TableOrder(shape, std::move(slots), std::move(found.name)));
}

/// The same nodes, and what is best inside of them.
Placement inside_nodes(const rt::Communicator& comm, const Topology& topology,
                       const Placement& placement, const GridShape& shape, const SlotSurvey& survey,
                       const std::vector<double>& weights) {
  if (!placement.is_identity()) return with_inner_levels(placement, shape, survey, weights);
  if (survey.l3_sizes.empty()) return placement;
  auto order = cache_order(comm, topology, shape, survey, weights);
  std::vector<int> slots;  // none: stay in order
  for (int rank = 0; order && rank < topology.ranks; ++rank) {
    slots.push_back(order->slot(shape.coordinates_of(rank)));
  }
  return is_agreed(comm, slots) && order ? Placement(*std::move(order)) : placement;
}

double cost(const std::vector<long long>& faces, const std::vector<double>& weights) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < faces.size(); ++axis) {
    sum += static_cast<double>(faces[axis]) * (weights.empty() ? 1.0 : weights[axis]);
  }
  return sum;
}

/// The first of the cheapest; the identity only takes part where it may win.
std::size_t choose(const std::vector<std::vector<long long>>& faces, Strategy strategy,
                   const std::vector<double>& weights) {
  const std::size_t first = strategy == Strategy::tile && faces.size() > 1 ? 1 : 0;
  std::size_t best = first;
  for (std::size_t i = first + 1; i < faces.size(); ++i) {
    if (cost(faces[i], weights) < cost(faces[best], weights)) best = i;
  }
  return best;
}

/// `of_nodes`: what was chosen before anything was done inside of nodes.
std::string explain(const Topology& topology, Strategy strategy, const Placement& of_nodes,
                    const std::string& what) {
  if (strategy == Strategy::identity) return what + ", as asked for";
  if (topology.nodes == 1) return what + ": all are on one node";
  if (topology.largest_node == 1) return what + ": each is alone on its node";
  if (of_nodes.is_identity()) return what + ": no other order leaves fewer faces off the node";
  if (!topology.is_uniform()) return what + ": nodes have different numbers of ranks";
  return what + fmt::format(": a compact block for each node of {} ranks", topology.largest_node);
}

/// Weights must be the same on all ranks, and not negative.
void check_weights(const GridShape& shape, const std::vector<double>& weights) {
  const auto is_sound = [](double weight) { return std::isfinite(weight) && weight >= 0.0; };
  if (weights.empty() || (weights.size() == shape.dims.size() &&
                          std::all_of(weights.begin(), weights.end(), is_sound))) {
    return;
  }
  throw rt::input_error(
      fmt::format("{} weights of faces for a process grid of {} axes, or one is negative",
                  weights.size(), shape.dims.size()),
      "Give one finite weight, 0 or larger, for each axis, or none.", rt::Reach::all_ranks);
}

void check_shape(const GridShape& shape, int ranks, bool all_take_part) {
  const auto is_positive = [](int extent) { return extent > 0; };
  const bool is_sound = !shape.dims.empty() && shape.dims.size() == shape.periodic.size() &&
                        std::all_of(shape.dims.begin(), shape.dims.end(), is_positive);
  if (!is_sound || shape.size() > ranks || (all_take_part && shape.size() != ranks)) {
    throw rt::input_error(
        fmt::format("a process grid of [{}] with {} entries of periodicity can't hold {} rank{}",
                    to_text(shape.dims), shape.periodic.size(), ranks, ranks == 1 ? "" : "s"),
        "The product of the entries must be the number of ranks; 0 in mapping.process_grid leaves "
        "an axis free.",
        rt::Reach::all_ranks);
  }
}

rt::Communicator make_cart(const rt::Communicator& ordered, const GridShape& shape) {
  const std::vector<int> dims(shape.dims.rbegin(), shape.dims.rend());  // MPI: slowest first
  const std::vector<int> periods(shape.periodic.rbegin(), shape.periodic.rend());
  MPI_Comm cart = MPI_COMM_NULL;
  rt::mpi_blocking("MPI_Cart_create", MPI_Cart_create, ordered.handle(),
                   static_cast<int>(dims.size()), dims.data(), periods.data(), 0, &cart);
  return rt::Communicator::own(cart);
}

}  // namespace

Strategy strategy_from_name(std::string_view name) {
  if (name == "identity") return Strategy::identity;
  if (name == "tile") return Strategy::tile;
  if (name == "auto") return Strategy::automatic;
  throw rt::input_error(fmt::format("unknown mapping strategy '{}'", name),
                        "mapping.strategy is one of auto, identity, tile.", rt::Reach::all_ranks);
}

std::string Mapping::describe_faces() const {
  if (faces == 0) return "none: no rank has a neighbour";
  const auto share = [this](long long part) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(faces);
  };
  if (off_node_faces_before == off_node_faces_after) {
    return fmt::format("{} of {} ({:.0f} %)", off_node_faces_after, faces,
                       share(off_node_faces_after));
  }
  return fmt::format("{} -> {} of {} ({:.0f} % -> {:.0f} %)", off_node_faces_before,
                     off_node_faces_after, faces, share(off_node_faces_before),
                     share(off_node_faces_after));
}

Remapped remap(const rt::Communicator& comm, const Topology& topology, const GridShape& shape,
               Strategy strategy, const std::vector<double>& weights) {
  check_shape(shape, comm.size(), true);
  check_weights(shape, weights);
  if (topology.ranks != comm.size()) {
    throw rt::internal_failure("a topology was used for another communicator than its own", {},
                               rt::Reach::all_ranks);
  }
  std::vector<Placement> placements = portfolio(topology, shape, strategy, weights);
  const SlotSurvey survey =
      may_survey(topology, strategy) ? survey_slots(comm, topology) : SlotSurvey{};
  if (strategy == Strategy::automatic && !survey.node_sizes.empty()) {
    if (auto found = search(comm, topology, shape, survey, weights)) {
      placements.push_back(*std::move(found));
    }
  }
  const auto faces = off_node_faces(comm, shape, placements, topology);
  const std::size_t best = choose(faces, strategy, weights);
  Placement chosen = inside_nodes(comm, topology, placements[best], shape, survey, weights);

  const auto total = [](const std::vector<long long>& by_axis) {
    return std::accumulate(by_axis.begin(), by_axis.end(), 0LL);
  };
  Mapping mapping{.coordinates = chosen.coordinates(topology),
                  .faces = shape.faces(),
                  .off_node_faces_before = total(faces.front()),
                  .off_node_faces_after = total(faces[best]),
                  .explanation = explain(topology, strategy, placements[best], chosen.describe())};
  rt::Communicator cart = chosen.is_identity()
                              ? make_cart(comm, shape)
                              : make_cart(comm.split(0, shape.rank_of(mapping.coordinates)), shape);
  return {std::move(cart), std::move(chosen), std::move(mapping)};
}

rt::Communicator cart_create(const rt::Communicator& comm, std::vector<int> dims,
                             std::vector<bool> periodic, const CartOptions& options) {
  std::reverse(dims.begin(), dims.end());
  std::reverse(periodic.begin(), periodic.end());
  const GridShape shape{std::move(dims), std::move(periodic)};
  check_shape(shape, comm.size(), false);
  const bool takes_part = comm.rank().value < shape.size();
  const bool all_take_part = comm.size() == shape.size();
  const rt::Communicator members =
      all_take_part ? comm.duplicate()
                    : comm.split(takes_part ? 0 : MPI_UNDEFINED, comm.rank().value);
  if (!members) return {};
  const Topology topology = discover(members, options.topology);
  const std::vector<double> weights(options.weights.rbegin(), options.weights.rend());
  return std::move(remap(members, topology, shape, options.strategy, weights).communicator);
}

}  // namespace cartwright::mapping
