// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/mapping/search/anneal.hpp>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace cartwright::mapping {

namespace {

/// xorshift64*: own arithmetic, the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed)
      : state_(seed * 0x9E3779B97F4A7C15ULL + 0x2545F4914F6CDD1DULL) {
    if (state_ == 0) state_ = 1;
  }
  std::uint64_t operator()() noexcept {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return state_ * 0x2545F4914F6CDD1DULL;
  }

 private:
  std::uint64_t state_;
};

constexpr std::size_t quantiles = 4096;

/// Quantiles of the exponential distribution, by a series: std::log differs between libraries.
std::array<float, quantiles> exponential_quantiles() {
  std::array<float, quantiles> table{};
  double sum = 0.0;  // E[largest of m] grows by 1/m: -ln((m - 1/2)/quantiles), nearly
  for (std::size_t i = quantiles; i-- > 0;) {
    sum += 1.0 / static_cast<double>(i + 1);
    table[i] = static_cast<float>(sum - 0.5 / static_cast<double>(i + 1));
  }
  return table;
}

class Walk {
 public:
  Walk(const FaceTable& faces, const std::vector<int>& start, int node_count,
       const std::optional<Slowest>& slowest)
      : faces_(faces),
        positions_(faces.positions()),
        slowest_(slowest),
        node_(start),
        surplus_(static_cast<std::size_t>(node_count) + 1, 0),
        last_(surplus_.size(), 1) {
    for (const int node : start) --last_[static_cast<std::size_t>(node)];
    node_.push_back(node_count);  // beyond the grid: a node of its own
    double sum = 0.0;
    for (std::size_t i = 0; i < faces.directions(); ++i) {
      weight_.push_back(static_cast<float>(faces.weight(i)));
      sum += faces.weight(i);
    }
    mean_weight_ = static_cast<float>(sum / static_cast<double>(faces.directions()));
    if (slowest_) count_leaving();
  }

  /// Counts the faces of each node anew, which sums of moves have blurred, and takes as the unit of
  /// powers what the busiest node of the best map has.
  void aim(double busiest);

  void heat(long long proposals, float temperature, float price, Random& random);
  /// Carries surplus positions to nodes that lack some. False if that was not possible.
  [[nodiscard]] bool balance();
  [[nodiscard]] double cost() const { return faces_.cost(positions()); }
  [[nodiscard]] double busiest() const {
    return faces_.busiest(positions(), static_cast<int>(surplus_.size()) - 1);
  }
  [[nodiscard]] float mean_weight() const noexcept { return mean_weight_; }
  [[nodiscard]] std::vector<int> nodes() const { return {node_.begin(), node_.end() - 1}; }

 private:
  struct Handover {
    int from, to, position;
    float change;
  };
  /// What the faces of two nodes rise by when a position goes from one to the other.
  struct Rise {
    float from, to;
  };
  [[nodiscard]] std::span<const int> positions() const {
    return std::span(node_).first(node_.size() - 1);
  }
  void count_leaving();
  [[nodiscard]] float change(int position, int from, int to) const;
  [[nodiscard]] float change_of_sum(int position, int from, int to) const;
  [[nodiscard]] Rise rise(int position, int from, int to) const;
  [[nodiscard]] float power(float faces) const;
  void move(int position, int to);
  [[nodiscard]] std::vector<Handover> handovers() const;
  [[nodiscard]] std::vector<Handover> cheapest_way() const;

  const FaceTable& faces_;
  int positions_;
  const std::optional<Slowest>& slowest_;
  std::vector<int> node_;
  std::vector<int> surplus_;    // of each node
  std::vector<int> last_;       // surplus of a node with one position: it would not come back
  std::vector<float> leaving_;  // faces of each node to others, where the slowest counts
  std::vector<float> weight_;
  float mean_weight_ = 1.0F;
  float unit_ = 1.0F;   // of what is raised to a power
  float scale_ = 0.0F;  // of the sum of powers: at the unit a face more costs as much as in a sum
};

void Walk::aim(double busiest) {
  count_leaving();
  const double power = 1 << slowest_->squarings;
  unit_ = static_cast<float>(1.0 / std::max(busiest, 1e-30));
  scale_ = static_cast<float>(slowest_->share * busiest / power);
}

void Walk::count_leaving() {
  leaving_.assign(surplus_.size(), 0.0F);
  for (int position = 0; position < positions_; ++position) {
    const int here = node_[static_cast<std::size_t>(position)];
    const int* next = faces_.of(position);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const bool leaves = next[i] != positions_ && node_[static_cast<std::size_t>(next[i])] != here;
      if (leaves) leaving_[static_cast<std::size_t>(here)] += weight_[i];
    }
  }
}

Walk::Rise Walk::rise(int position, int from, int to) const {
  const int* next = faces_.of(position);
  const int outside = static_cast<int>(surplus_.size()) - 1;
  float stay = 0.0F;
  float join = 0.0F;
  float all = 0.0F;
  for (std::size_t i = 0; i < weight_.size(); ++i) {
    const int node = node_[static_cast<std::size_t>(next[i])];
    if (node == from) stay += weight_[i];
    if (node == to) join += weight_[i];
    if (node != outside) all += weight_[i];
  }
  return {2.0F * stay - all, all - 2.0F * join};
}

float Walk::power(float faces) const {
  float power = faces * unit_;
  for (int i = 0; i < slowest_->squarings; ++i) power *= power;
  return power;
}

/// What a map costs more when a position goes from one node to another.
float Walk::change(int position, int from, int to) const {
  if (!slowest_) return change_of_sum(position, from, to);
  const Rise more = rise(position, from, to);
  const float a = leaving_[static_cast<std::size_t>(from)];
  const float b = leaving_[static_cast<std::size_t>(to)];
  const float powers = power(a + more.from) - power(a) + power(b + more.to) - power(b);
  const auto rest = static_cast<float>(1.0 - slowest_->share);
  return rest * 0.5F * (more.from + more.to) + scale_ * powers;
}

/// What the faces of a position cost less on node `from` than on node `to`.
float Walk::change_of_sum(int position, int from, int to) const {
  const int* next = faces_.of(position);
  float change = 0.0F;
  for (std::size_t i = 0; i < weight_.size(); ++i) {
    const int node = node_[static_cast<std::size_t>(next[i])];
    if (node == from) change += weight_[i];
    if (node == to) change -= weight_[i];
  }
  return change;
}

void Walk::move(int position, int to) {
  int& node = node_[static_cast<std::size_t>(position)];
  if (slowest_) {
    const Rise more = rise(position, node, to);
    leaving_[static_cast<std::size_t>(node)] += more.from;
    leaving_[static_cast<std::size_t>(to)] += more.to;
  }
  --surplus_[static_cast<std::size_t>(node)];
  ++surplus_[static_cast<std::size_t>(to)];
  node = to;
}

void Walk::heat(long long proposals, float temperature, float price, Random& random) {
  static const auto exponential = exponential_quantiles();
  const auto positions = static_cast<std::uint64_t>(positions_);
  const auto directions = static_cast<std::uint64_t>(weight_.size());
  const int outside = static_cast<int>(surplus_.size()) - 1;
  for (long long i = 0; i < proposals; ++i) {
    const std::uint64_t bits = random();
    const auto position = static_cast<int>((bits >> 36U) * positions >> 28U);
    const auto direction = static_cast<std::size_t>((bits >> 12U & 0xFFFFFFU) * directions >> 24U);
    const int from = node_[static_cast<std::size_t>(position)];
    const int to = node_[static_cast<std::size_t>(faces_.of(position)[direction])];
    if (to == from || to == outside) continue;
    if (surplus_[static_cast<std::size_t>(from)] <= last_[static_cast<std::size_t>(from)]) continue;
    const int imbalance =
        surplus_[static_cast<std::size_t>(to)] - surplus_[static_cast<std::size_t>(from)] + 1;
    const float cost = change(position, from, to) + price * static_cast<float>(imbalance);
    if (cost <= temperature * exponential[bits & (quantiles - 1)]) move(position, to);
  }
}

/// The cheapest position to hand over between every two neighbouring nodes, by from and to.
std::vector<Walk::Handover> Walk::handovers() const {
  std::vector<Handover> arcs;
  for (int position = 0; position < positions_; ++position) {
    const int from = node_[static_cast<std::size_t>(position)];
    const int* next = faces_.of(position);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const int to = node_[static_cast<std::size_t>(next[i])];
      if (next[i] == positions_ || to == from) continue;
      arcs.push_back({from, to, position, change(position, from, to)});
    }
  }
  std::sort(arcs.begin(), arcs.end(), [](const Handover& a, const Handover& b) {
    return std::tie(a.from, a.to, a.change, a.position) <
           std::tie(b.from, b.to, b.change, b.position);
  });
  const auto same_pair = [](const Handover& a, const Handover& b) {
    return a.from == b.from && a.to == b.to;
  };
  arcs.erase(std::unique(arcs.begin(), arcs.end(), same_pair), arcs.end());
  return arcs;
}

/// The way from node to node that costs least, from one with a surplus to one that lacks a
/// position, last handover first (Bellman and Ford). Empty if there is none.
std::vector<Walk::Handover> Walk::cheapest_way() const {
  constexpr float far = std::numeric_limits<float>::max();
  const auto arcs = handovers();
  const std::size_t nodes = surplus_.size() - 1;
  std::vector<float> length(nodes, far);
  std::vector<int> by(nodes, -1);
  for (std::size_t node = 0; node < nodes; ++node) {
    if (surplus_[node] > 0) length[node] = 0.0F;
  }
  // Every handover is made to cost something, so that no way goes in circles.
  float least = 0.0F;
  for (const Handover& arc : arcs) least = std::min(least, arc.change);
  bool changed = true;
  for (std::size_t round = 0; changed && round < nodes; ++round) {
    changed = false;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const float before = length[static_cast<std::size_t>(arcs[i].from)];
      float& there = length[static_cast<std::size_t>(arcs[i].to)];
      if (before == far || before + arcs[i].change - least + 0.125F * mean_weight_ >= there) {
        continue;
      }
      there = before + arcs[i].change - least + 0.125F * mean_weight_;
      by[static_cast<std::size_t>(arcs[i].to)] = static_cast<int>(i);
      changed = true;
    }
  }
  std::size_t end = nodes;
  for (std::size_t node = 0; node < nodes; ++node) {
    const bool is_end = surplus_[node] < 0 && length[node] < far;
    if (is_end && (end == nodes || length[node] < length[end])) end = node;
  }
  std::vector<Handover> way;
  while (end < nodes && by[end] >= 0) {
    way.push_back(arcs[static_cast<std::size_t>(by[end])]);
    end = static_cast<std::size_t>(way.back().from);
  }
  return way;
}

bool Walk::balance() {
  while (std::any_of(surplus_.begin(), surplus_.end(), [](int n) { return n != 0; })) {
    const auto way = cheapest_way();
    if (way.empty()) return false;
    for (const Handover& step : way) move(step.position, step.to);
  }
  return true;
}

/// From the hottest to the coldest in `steps`: by bisection, without library functions.
double cooling(const Annealing& how, int steps) {
  double ratio = 1.0;
  for (double low = 0.0, high = 1.0; high - low > 1e-12;) {
    ratio = 0.5 * (low + high);
    double power = how.hottest;
    for (int i = 1; i < steps; ++i) power *= ratio;
    (power < how.coldest ? low : high) = ratio;
  }
  return ratio;
}

}  // namespace

std::vector<int> anneal(const FaceTable& faces, std::vector<int> start, int node_count,
                        const Annealing& how) {
  constexpr int steps = 64;
  constexpr double price = 0.6;  // of a position too many, in faces
  Walk walk(faces, start, node_count, how.slowest);
  std::vector<int> best = std::move(start);
  const auto worth_of = [&](const Walk& of) {
    return how.slowest ? std::pair(of.busiest(), of.cost()) : std::pair(of.cost(), 0.0);
  };
  auto least = worth_of(walk);
  Random random(how.seed);
  const double ratio = cooling(how, steps);
  const int look_every = how.slowest ? 2 : 4;
  double temperature = how.hottest;
  for (int step = 0; step < steps && least.first > how.bound; ++step, temperature *= ratio) {
    if (how.slowest) walk.aim(least.first);
    walk.heat(how.proposals / steps, static_cast<float>(temperature) * walk.mean_weight(),
              static_cast<float>(price) * walk.mean_weight(), random);
    const bool is_cold = step >= steps / 2 && step % look_every == 0;
    if (!is_cold && step + 1 < steps) continue;
    Walk balanced = walk;
    if (!balanced.balance()) continue;
    const auto worth = worth_of(balanced);
    if (worth >= least || (how.slowest && worth.second > how.slowest->most_faces)) continue;
    least = worth;
    best = balanced.nodes();
  }
  return best;
}

}  // namespace cartwright::mapping
