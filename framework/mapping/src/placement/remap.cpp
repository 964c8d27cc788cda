// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/faces/judge.hpp>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cartwright/mapping/placement/off_node_faces.hpp>
#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/mapping/placement/slot_survey.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cartwright/mapping/search/levels.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
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

/// What a decision rests on.
struct Facts {
  const Topology& topology;
  const GridShape& shape;
  const std::vector<double>& weights;
  const std::vector<Placement>& placements;  ///< without tables
  SlotSurvey survey = {};
};

/// Who sits where, as one rank found out for all: searches take a while, and nodes of different
/// make could round differently.
struct Decision {
  std::optional<std::size_t> placement = 0;  ///< whose nodes are taken, of those without tables
  std::optional<TableOrder> table = {};      ///< for other nodes, or other ranks on these nodes
  long long off_node_faces = 0;
};

/// Collective: what the root says. One broadcast.
Decision shared(const rt::Communicator& comm, const GridShape& shape, const Decision& mine) {
  constexpr std::size_t head = 4;
  constexpr std::size_t longest_name = 512;
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<int> message(head + longest_name + ranks, 0);
  if (comm.is_root()) {
    const std::string name = mine.table ? mine.table->describe().substr(0, longest_name) : "";
    message[0] = mine.placement ? static_cast<int>(*mine.placement) : -1;
    message[1] = static_cast<int>(mine.off_node_faces);
    message[2] = mine.table ? 1 : 0;
    message[3] = static_cast<int>(name.size());
    std::copy(name.begin(), name.end(), message.begin() + head);
    for (std::size_t rank = 0; mine.table && rank < ranks; ++rank) {
      message[head + longest_name + rank] =
          mine.table->slot(shape.coordinates_of(static_cast<int>(rank)));
    }
  }
  rt::share(comm, std::span(message));
  Decision decision{.off_node_faces = message[1]};
  decision.placement.reset();
  if (message[0] >= 0) decision.placement = static_cast<std::size_t>(message[0]);
  if (message[2] == 0) return decision;
  const auto letters = message.begin() + head;
  std::string name;
  std::transform(letters, letters + message[3], std::back_inserter(name),
                 [](int letter) { return static_cast<char>(letter); });
  decision.table.emplace(shape,
                         std::vector<int>(message.begin() + head + longest_name, message.end()),
                         std::move(name));
  return decision;
}

/// True if no search can do better than a tile.
bool is_tile_best(const Facts& facts) {
  const auto& [topology, shape, weights, placements, survey] = facts;
  if (!topology.is_uniform()) return false;
  const auto tile = choose_tile(shape, topology.largest_node, weights);
  return tile &&
         tile_faces(shape, *tile, weights) <= sharp_lower_bound(shape, survey.node_sizes, weights);
}

/// On one rank: the quickest mapping of all strategies and the search.
Decision search(const Facts& facts) {
  const GridShape& shape = facts.shape;
  const std::vector<double>& weights = facts.weights;
  const std::vector<Placement>& placements = facts.placements;
  const auto& survey = facts.survey;
  const Judgement before = judge(nodes_in_order(shape, survey), weights);
  auto found = choose_mapping({shape, survey.node_sizes, weights});
  if (std::tie(found.busiest, found.cost) >= std::tie(before.busiest, before.weighted))
    return {.off_node_faces = before.total()};
  Decision decision{.off_node_faces = judge(found.map).total()};
  const auto same =
      std::find_if(placements.begin() + 1, placements.end(), [&](const Placement& placement) {
        return placement.describe() == found.name &&
               nodes_of(placement, shape, survey).nodes == found.map.nodes;
      });
  if (same != placements.end()) {
    decision.placement = static_cast<std::size_t>(same - placements.begin());
  } else {
    decision.placement.reset();
    decision.table.emplace(shape, assign_slots(found.map, {}, weights), std::move(found.name));
  }
  return decision;
}

/// On one rank: the same nodes, and what is best inside of them.
void arrange_inside(const Facts& facts, Decision& decision) {
  const auto& [topology, shape, weights, placements, survey] = facts;
  if (survey.l3_sizes.empty()) return;
  const Placement of_nodes =
      decision.table ? Placement(*decision.table) : placements[*decision.placement];
  if (of_nodes.is_identity()) {
    decision.table = cache_order(shape, survey, weights);
    return;
  }
  const Placement inside = with_inner_levels(of_nodes, shape, survey, weights);
  if (const auto* table = std::get_if<TableOrder>(&inside.order())) decision.table = *table;
}

/// Collective: a decision, bettered by one rank for all where there is something to search for.
Decision bettered(const rt::Communicator& comm, Strategy strategy, const Facts& facts,
                  Decision decision) {
  const bool is_searched = strategy == Strategy::automatic && facts.topology.nodes > 1 &&
                           !facts.survey.node_sizes.empty() && !is_tile_best(facts);
  if (!is_searched && facts.survey.l3_sizes.empty()) return decision;
  if (comm.is_root()) {
    if (is_searched) decision = search(facts);
    arrange_inside(facts, decision);
  }
  return shared(comm, facts.shape, decision);
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

std::string explain(const Topology& topology, Strategy strategy, const Mapping& mapping,
                    bool nodes_stay, const std::string& what) {
  if (strategy == Strategy::identity) return what + ", as asked for";
  if (topology.nodes == 1) return what + ": all are on one node";
  if (topology.largest_node == 1) return what + ": each is alone on its node";
  if (nodes_stay) return what + ": no other order leaves fewer faces off the node";
  const char* const why = mapping.off_node_faces_after < mapping.off_node_faces_before
                              ? ""
                              : ", fewer faces leave the busiest one";
  if (!topology.is_uniform()) return what + ": nodes have different numbers of ranks" + why;
  return what +
         fmt::format(": a compact block for each node of {} ranks{}", topology.largest_node, why);
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
  const std::vector<Placement> placements = portfolio(topology, shape, strategy, weights);
  const auto total = [](const std::vector<long long>& by_axis) {
    return std::accumulate(by_axis.begin(), by_axis.end(), 0LL);
  };
  const auto faces = off_node_faces(comm, shape, placements, topology);
  const std::size_t cheapest = choose(faces, strategy, weights);
  Decision decision{.placement = cheapest, .off_node_faces = total(faces[cheapest])};
  Facts facts{topology, shape, weights, placements};
  if (may_survey(topology, strategy)) {
    facts.survey = survey_slots(comm, topology);
    decision = bettered(comm, strategy, facts, std::move(decision));
  }
  Placement chosen = decision.table ? Placement(*decision.table)
                                    : with_nested_tiles(placements[*decision.placement], shape,
                                                        facts.survey, weights);
  Mapping mapping{.coordinates = chosen.coordinates(topology),
                  .faces = shape.faces(),
                  .off_node_faces_before = total(faces.front()),
                  .off_node_faces_after = decision.off_node_faces,
                  .explanation = {}};
  mapping.explanation =
      explain(topology, strategy, mapping, decision.placement == 0, chosen.describe());
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
