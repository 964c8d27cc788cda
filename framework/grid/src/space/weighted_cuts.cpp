// SPDX-License-Identifier: Apache-2.0
// Cuts a row of weighted planes into consecutive parts whose dearest one is as cheap as possible.
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/space/block.hpp>
#include <cartwright/grid/space/grid_spec.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <numeric>

namespace cartwright::grid {
namespace {

/// What the first planes cost together: as many numbers as planes, and one.
std::vector<double> sums_of(const std::vector<double>& weights, std::size_t axis) {
  std::vector<double> sums{0.0};
  for (std::size_t plane = 0; plane < weights.size(); ++plane) {
    if (!(weights[plane] >= 0.0) || !std::isfinite(weights[plane]))
      throw rt::input_error(fmt::format("the cells of plane {} along {} weigh {} together", plane,
                                        "xyz"[axis], weights[plane]),
                            "Weights are numbers, 0 or greater.", rt::Reach::all_ranks);
    sums.push_back(sums.back() + weights[plane]);
  }
  if (!(sums.back() > 0.0) || !std::isfinite(sums.back()))
    throw rt::input_error(
        fmt::format("the weights of all cells along {} are {} together", "xyz"[axis], sums.back()),
        "Some must be above 0, and their sum must be a number.", rt::Reach::all_ranks);
  return sums;
}

/// One axis, of one or more strips that are cut at the same places. Parts can't be found greedily,
/// because each has a least number of planes.
class Partition {
 public:
  /// `strips`: of each what the first planes cost together.
  Partition(std::vector<std::vector<double>> strips, int parts, long long least)
      : strips_(std::move(strips)),
        sums_(strips_.front()),
        planes_(static_cast<long long>(sums_.size()) - 1),
        parts_(parts),
        least_(std::max(1LL, std::min(least, planes_ / parts))) {
    for (std::size_t strip = 1; strip < strips_.size(); ++strip)
      for (std::size_t plane = 0; plane < sums_.size(); ++plane)
        sums_[plane] += strips_[strip][plane];
  }

  /// The best cuts, to within rounding.
  [[nodiscard]] std::vector<long long> best() {
    double too_cheap = 0.0, enough = cost(0, planes_);
    for (int halving = 0; halving < 60 && enough - too_cheap > 1e-12 * enough; ++halving) {
      const double middle = 0.5 * (too_cheap + enough);
      (reaches_the_end(middle) ? enough : too_cheap) = middle;
    }
    // A little more, which planes of equal weight don't notice, but rounding does.
    enough *= 1.0 + 1e-11;
    reaches_the_end(enough);
    return cuts_below(enough);
  }

 private:
  /// True if parts that cost `most` at the most reach the last plane; notes where each may end.
  bool reaches_the_end(double most) {
    ends_.assign(static_cast<std::size_t>(parts_) + 1,
                 std::vector<char>(static_cast<std::size_t>(planes_) + 1, 0));
    ends_[0][0] = 1;
    for (int part = 1; part <= parts_; ++part) {
      const std::vector<char>& before = ends_[static_cast<std::size_t>(part) - 1];
      std::vector<char>& after = ends_[static_cast<std::size_t>(part)];
      long long nearest = -1;  // the last begin that leaves planes enough
      for (long long end = least_; end <= planes_; ++end) {
        if (before[static_cast<std::size_t>(end - least_)] != 0) nearest = end - least_;
        after[static_cast<std::size_t>(end)] = nearest >= 0 && cost(nearest, end) <= most ? 1 : 0;
      }
    }
    return ends_.back().back() != 0;
  }

  /// From the last part back, each begin as near as possible to where an even share would end.
  [[nodiscard]] std::vector<long long> cuts_below(double most) const {
    std::vector<long long> cuts(static_cast<std::size_t>(parts_) + 1, planes_);
    cuts.front() = 0;
    for (int part = parts_ - 1; part > 0; --part) {
      const long long end = cuts[static_cast<std::size_t>(part) + 1];
      const double wanted = sums_.back() * part / parts_;
      const long long even = part_begin(planes_, parts_, part);
      long long best = -1;
      const auto is_better = [&](long long begin) {
        const double here = std::abs(sum(begin) - wanted), there = std::abs(sum(best) - wanted);
        return here < there || (here == there && std::abs(begin - even) < std::abs(best - even));
      };
      for (long long begin = end - least_; begin >= 0 && cost(begin, end) <= most; --begin)
        if (ends_[static_cast<std::size_t>(part)][static_cast<std::size_t>(begin)] != 0 &&
            (best < 0 || is_better(begin)))
          best = begin;
      cuts[static_cast<std::size_t>(part)] = best;
    }
    return cuts;
  }

  [[nodiscard]] double sum(long long planes) const {
    return sums_[static_cast<std::size_t>(planes)];
  }
  /// Of the dearest strip.
  [[nodiscard]] double cost(long long begin, long long end) const {
    double dearest = 0.0;
    for (const std::vector<double>& sums : strips_)
      dearest = std::max(
          dearest, sums[static_cast<std::size_t>(end)] - sums[static_cast<std::size_t>(begin)]);
    return dearest;
  }

  std::vector<std::vector<double>> strips_;
  std::vector<double> sums_;  ///< of all strips
  long long planes_;
  int parts_;
  long long least_;
  std::vector<std::vector<char>> ends_;  ///< [part][plane]
};

}  // namespace

Cuts weighted_cuts(const PlaneWeights& weights, const std::vector<int>& ranks, long long least) {
  Cuts cuts;
  for (std::size_t axis = 0; axis < ranks.size(); ++axis)
    cuts.push_back(Partition({sums_of(weights[axis], axis)}, ranks[axis], least).best());
  return cuts;
}

std::vector<long long> cuts_of_strips(const PlaneWeights& strips, int parts, long long least) {
  std::vector<std::vector<double>> sums;
  for (const std::vector<double>& strip : strips) {
    sums.emplace_back(strip.size() + 1, 0.0);
    std::inclusive_scan(strip.begin(), strip.end(), sums.back().begin() + 1);
  }
  return Partition(std::move(sums), parts, least).best();
}

double imbalance(const std::vector<double>& weights, const std::vector<long long>& cuts) {
  double all = 0.0, dearest = 0.0;
  for (std::size_t part = 0; part + 1 < cuts.size(); ++part) {
    double mine = 0.0;
    for (long long plane = cuts[part]; plane < cuts[part + 1]; ++plane)
      mine += weights[static_cast<std::size_t>(plane)];
    dearest = std::max(dearest, mine);
    all += mine;
  }
  return dearest * static_cast<double>(cuts.size() - 1) / all;
}

}  // namespace cartwright::grid
