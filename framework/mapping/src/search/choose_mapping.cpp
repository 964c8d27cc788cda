// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cartwright/mapping/search/anneal.hpp>
#include <cartwright/mapping/search/bricks.hpp>
#include <cartwright/mapping/search/choose_mapping.hpp>
#include <cartwright/mapping/search/locality_order.hpp>
#include <cartwright/mapping/search/position_orders.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/rt/error.hpp>
#include <cstdint>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace cartwright::mapping {

namespace {

bool is_uniform(const std::vector<int>& sizes) {
  return std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
}

/// Fewer faces in all, then at the busiest node.
bool has_fewer(const MappingCandidate& a, const MappingCandidate& b) {
  return std::tie(a.cost, a.busiest) < std::tie(b.cost, b.busiest);
}

/// Fewer faces at the busiest node, then in all.
bool is_quicker(const MappingCandidate& a, const MappingCandidate& b) {
  return std::tie(a.busiest, a.cost) < std::tie(b.busiest, b.cost);
}

/// Collects one candidate a strategy.
class Portfolio {
 public:
  explicit Portfolio(const MappingRequest& request)
      : request_(request), faces_(request.shape, request.weights) {}

  void add(std::string name, NodeMap map) {
    candidates_.push_back(judged(std::move(name), std::move(map)));
  }
  /// The best of several variants of one strategy.
  template <typename Variants, typename Map>
  void add_best(const Variants& variants, Map map) {
    if (variants.empty()) return;
    MappingCandidate best;
    for (const auto& variant : variants) {
      NodeMap attempt = map(variant);
      const double cost = faces_.cost(attempt.nodes);
      if (!best.name.empty() && cost > best.cost) continue;
      auto candidate = judged(variant.describe(), std::move(attempt));
      if (best.name.empty() || has_fewer(candidate, best)) best = std::move(candidate);
    }
    candidates_.push_back(std::move(best));
  }
  void add_order(std::string name, const std::vector<int>& order) {
    add(std::move(name), fill_along(request_.shape, order, request_.node_sizes));
  }
  [[nodiscard]] MappingCandidate judged(std::string name, NodeMap map) const {
    const double cost = faces_.cost(map.nodes);
    const double busiest = faces_.busiest(map.nodes, map.node_count);
    return {std::move(name), std::move(map), cost, busiest};
  }
  [[nodiscard]] const FaceTable& faces() const noexcept { return faces_; }
  [[nodiscard]] std::vector<MappingCandidate>& candidates() noexcept { return candidates_; }

 private:
  const MappingRequest& request_;
  FaceTable faces_;
  std::vector<MappingCandidate> candidates_;
};

/// Positions in the order in which `order` deals out slots.
template <typename Order>
std::vector<int> by_slot(const GridShape& shape, const Order& order) {
  std::vector<int> positions(static_cast<std::size_t>(shape.size()));
  for (std::size_t slot = 0; slot < positions.size(); ++slot) {
    positions[slot] = shape.rank_of(order.coordinates(static_cast<int>(slot)));
  }
  return positions;
}

int mean_size(const MappingRequest& request) {
  const auto nodes = static_cast<long long>(request.node_sizes.size());
  return static_cast<int>((request.shape.size() + nodes - 1) / nodes);
}

/// Sequences in which unequal nodes may line up: as they are, by size, and shuffled (xorshift, so
/// that all ranks shuffle alike).
std::vector<std::vector<int>> node_sequences(const std::vector<int>& sizes) {
  std::vector<int> nodes(sizes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::vector<std::vector<int>> sequences{nodes};
  if (is_uniform(sizes)) return sequences;
  const auto size = [&](int node) { return sizes[static_cast<std::size_t>(node)]; };
  std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) { return size(a) > size(b); });
  sequences.push_back(nodes);
  sequences.emplace_back(nodes.rbegin(), nodes.rend());
  constexpr int shuffles = 8;
  std::uint32_t state = 2463534242U;
  for (int shuffle = 0; shuffle < shuffles; ++shuffle) {
    for (std::size_t i = nodes.size(); i-- > 1;) {
      state ^= state << 13U;
      state ^= state >> 17U;
      state ^= state << 5U;
      std::swap(nodes[i], nodes[state % (i + 1)]);
    }
    sequences.push_back(nodes);
  }
  return sequences;
}

NodeMap best_sequence(const FaceTable& faces, const GridShape& shape, const std::vector<int>& order,
                      const std::vector<int>& sizes,
                      const std::vector<std::vector<int>>& sequences) {
  NodeMap best = fill_along(shape, order, sizes, sequences.front());
  if (sequences.size() == 1) return best;
  double least = faces.cost(best.nodes);
  for (const auto& sequence : sequences) {
    NodeMap map = fill_along(shape, order, sizes, sequence);
    const double cost = faces.cost(map.nodes);
    if (cost >= least) continue;
    least = cost;
    best = std::move(map);
  }
  return best;
}

Portfolio try_all(const MappingRequest& request) {
  const GridShape& shape = request.shape;
  const auto& sizes = request.node_sizes;
  const int mean = mean_size(request);
  Portfolio portfolio(request);
  portfolio.add("ranks in their order", fill_in_order(shape, sizes));
  if (is_uniform(sizes)) {
    if (const auto tile = choose_tile(shape, mean, request.weights)) {
      portfolio.add_order(fmt::format("tiles of {}", to_text(*tile)),
                          by_slot(shape, TileOrder(shape, *tile)));
    }
  }
  const auto sequences = node_sequences(sizes);
  portfolio.add_best(LocalityOrder::candidates(shape, mean), [&](const LocalityOrder& order) {
    return best_sequence(portfolio.faces(), shape, by_slot(shape, order), sizes, sequences);
  });
  portfolio.add_order("hyperplanes", hyperplane_order(shape, mean, request.weights));
  portfolio.add_order("k-d tree", kd_order(shape, request.weights));
  portfolio.add_order("Hilbert's curve", hilbert_order(shape));
  portfolio.add_best(brick_candidates(shape, static_cast<int>(sizes.size()), request.weights),
                     [&](const Bricks& bricks) { return lay_bricks(shape, sizes, bricks); });
  return portfolio;
}

/// From which strategy (best first) to search on, and how hot: hotter runs leave the arrangement
/// that they begin with. Several short ones find more than a long one.
struct Regime {
  std::size_t start;
  double hottest, coldest;
};
constexpr std::array<Regime, 4> regimes{
    {{0, 0.6, 0.15}, {1, 0.8, 0.15}, {0, 1.0, 0.2}, {1, 0.6, 0.25}}};

constexpr const char* searched_on = ", searched on";

/// For the busiest node, from the best that is known.
constexpr std::array<Annealing, 4> slowest_regimes{
    {{.hottest = 0.6, .coldest = 0.15, .slowest = Slowest{0.8, 2}},
     {.hottest = 1.0, .coldest = 0.08, .slowest = Slowest{0.5, 3}},
     {.hottest = 0.6, .coldest = 0.15, .slowest = Slowest{0.8, 3}},
     {.hottest = 1.0, .coldest = 0.08, .slowest = Slowest{0.5, 3}}}};

/// Work of one regime, all of them together less than a second; small grids converge with less.
constexpr double most_proposals = 2.5e6;
constexpr double most_proposals_for_slowest = 5.0e6;  // walks that are harder

long long proposals(const MappingRequest& request, double most) {
  const auto positions = static_cast<double>(request.shape.size());
  const double enough = positions * (2'500.0 + 7.5 * positions);
  return static_cast<long long>(request.effort * std::min(most, enough));
}

bool may_search(const MappingRequest& request) {
  return request.effort > 0.0 && request.shape.size() <= largest_search;
}

/// Adds what was found to the candidates; returns the one with the fewest faces.
MappingCandidate search_fewest(const MappingRequest& request, Portfolio& portfolio, double bound) {
  auto& candidates = portfolio.candidates();
  auto starts = candidates;
  std::stable_sort(starts.begin(), starts.end(), has_fewer);
  MappingCandidate best = starts.front();
  if (!may_search(request)) return best;
  for (std::size_t run = 0; run < regimes.size() && best.cost > bound; ++run) {
    const Regime& regime = regimes[run];
    const auto& start = starts[std::min(regime.start, starts.size() - 1)];
    auto nodes = anneal(portfolio.faces(), start.map.nodes, start.map.node_count,
                        {.seed = run + 1,
                         .proposals = proposals(request, most_proposals),
                         .hottest = regime.hottest,
                         .coldest = regime.coldest,
                         .bound = bound});
    auto found = portfolio.judged(start.name + searched_on,
                                  {request.shape, std::move(nodes), start.map.node_count});
    if (has_fewer(found, best)) best = std::move(found);
  }
  if (has_fewer(best, starts.front())) candidates.push_back(best);
  return best;
}

/// The quickest candidate that doesn't have too many faces, the first of equal ones; ranks in order
/// where only they are as quick as that.
const MappingCandidate& quickest(const std::vector<MappingCandidate>& candidates,
                                 double most_faces) {
  const MappingCandidate* best = nullptr;
  for (const auto& candidate : candidates) {
    if (candidate.cost > most_faces) continue;
    if (best == nullptr || is_quicker(candidate, *best)) best = &candidate;
  }
  const auto& in_order = candidates.front();
  return best == nullptr || in_order.busiest < best->busiest ? in_order : *best;
}

void check(const MappingRequest& request) {
  const auto& sizes = request.node_sizes;
  const bool is_sound =
      !sizes.empty() && std::all_of(sizes.begin(), sizes.end(), [](int size) { return size > 0; });
  const long long ranks = std::accumulate(sizes.begin(), sizes.end(), 0LL);
  if (is_sound && ranks == request.shape.size()) return;
  throw rt::input_error(
      fmt::format("a process grid of {} can't be laid on {} nodes with {} ranks in all",
                  to_text(request.shape.dims), sizes.size(), ranks),
      "Give each node at least one rank, and as many in all as the grid has positions.",
      rt::Reach::all_ranks);
}

}  // namespace

std::vector<MappingCandidate> mapping_portfolio(const MappingRequest& request) {
  check(request);
  return std::move(try_all(request).candidates());
}

MappingCandidate fewest_faces(const MappingRequest& request) {
  check(request);
  Portfolio portfolio = try_all(request);
  const double bound = sharp_lower_bound(request.shape, request.node_sizes, request.weights);
  return search_fewest(request, portfolio, bound);
}

MappingCandidate choose_mapping(const MappingRequest& request) {
  check(request);
  Portfolio portfolio = try_all(request);
  auto& candidates = portfolio.candidates();
  const double bound = sharp_lower_bound(request.shape, request.node_sizes, request.weights);
  const double fewest = search_fewest(request, portfolio, bound).cost;
  const double most = most_more_faces * fewest;
  MappingCandidate best = quickest(candidates, most);
  if (!may_search(request) || fewest <= bound) return best;
  // The busiest node has as many as the mean at least.
  const double mean = 2.0 * bound / static_cast<double>(request.node_sizes.size());
  for (std::size_t run = 0; run < slowest_regimes.size() && best.busiest > mean; ++run) {
    Annealing how = slowest_regimes[run];
    how.seed = run + 1;
    how.proposals = proposals(request, most_proposals_for_slowest);
    how.bound = mean;
    how.slowest->most_faces = most;
    auto nodes = anneal(portfolio.faces(), best.map.nodes, best.map.node_count, how);
    const std::string start = best.name.substr(0, best.name.find(searched_on));
    auto found = portfolio.judged(start + searched_on,
                                  {request.shape, std::move(nodes), best.map.node_count});
    if (is_quicker(found, best)) best = std::move(found);
  }
  return best;
}

}  // namespace cartwright::mapping
