// SPDX-License-Identifier: Apache-2.0
#include "pair_forces.hpp"

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstring>
#include <numeric>
#include <utility>

namespace nbody {

namespace comm = cartwright::comm;
namespace grid = cartwright::grid;
namespace rt = cartwright::rt;

namespace {

long long bodies_of(const grid::Particles& bodies, int rank) {
  return bodies.home_begin(rank + 1) - bodies.home_begin(rank);
}

comm::Blocks blocks_of(const grid::Particles& bodies, std::span<const int> ranks) {
  std::vector<long long> counts;
  for (const int rank : ranks) counts.push_back(bodies_of(bodies, rank));
  return comm::Blocks(counts);
}

std::vector<int> all_ranks(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// Those of my line along an axis of a 2-D process grid.
std::vector<int> line_of(const comm::CartComm& cart, int axis) {
  const int columns = cart.dims()[0];
  const int x = cart.coordinates()[0], y = cart.coordinates()[1];
  std::vector<int> ranks;
  for (int i = 0; i < cart.dims()[static_cast<std::size_t>(axis)]; ++i)
    ranks.push_back(axis == 0 ? i + columns * y : x + columns * i);
  return ranks;
}

/// The sum is the same whoever adds: so is what follows from it.
double sum_of(std::span<const double> masses) {
  comm::BinnedSum sum;
  sum.add(masses);
  return sum.value();
}

/// Adds its lifetime to a number of seconds.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), begun_(rt::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += rt::seconds_between(begun_, rt::now()); }

 private:
  double& seconds_;
  rt::Ticks begun_;
};

std::vector<double> masses_of_all(grid::Particles& bodies) {
  const comm::CartComm& ranks = bodies.ranks();
  std::vector<double> all(static_cast<std::size_t>(bodies.count()));
  ranks.all().allgather(bodies["mass"].along(0), all, blocks_of(bodies, all_ranks(ranks.size())));
  return all;
}

}  // namespace

std::vector<int> process_grid(int ranks) {
  const auto dims = cartwright::mapping::squarest_process_grid(ranks);
  return {dims.begin(), dims.end()};
}

PairForces::PairForces(grid::Particles& bodies, Way way, double constant, double softening)
    : PairForces(bodies, way, constant, softening, masses_of_all(bodies)) {}

PairForces::PairForces(grid::Particles& bodies, Way way, double constant, double softening,
                       std::vector<double> masses)
    : law_(constant, softening, sum_of(masses)),
      sums_(bodies, way,
            {[law = law_](const Bodies& targets, const Bodies& sources, bool with_potential,
                          Sums& added) {
              add_gravity(targets, sources, law, with_potential, added);
            }},
            std::move(masses)) {}

PairSums::PairSums(grid::Particles& bodies, Way way, PairLaw law, std::vector<double> masses)
    : bodies_(bodies),
      ranks_(bodies.ranks()),
      way_(way),
      law_(std::move(law)),
      masses_(std::move(masses)),
      mine_(bodies.size()) {
  targets_.resize(bodies.size());
  bodies.note_traffic(
      {.way = way, .position_bytes = sizeof(Position), .sum_bytes = 3 * sizeof(std::int64_t)});
  const int size = ranks_.size(), me = ranks_.rank().value;
  if (way == Way::allgather) {
    everybody_ = all_ranks(size);
    blocks_of_all_ = blocks_of(bodies, everybody_);
    all_.resize(static_cast<std::size_t>(bodies.count()));
  }
  if (way == Way::ring) {
    std::size_t longest = 0;
    for (int rank = 0; rank < size; ++rank)
      longest = std::max(longest, static_cast<std::size_t>(bodies_of(bodies, rank)));
    const std::size_t bytes = longest * sizeof(Position);
    const rt::Rank before{(me + size - 1) % size}, behind{(me + 1) % size};
    std::vector<comm::NeighbourBytes> neighbours{{before, 0, bytes}, {behind, bytes, 0}};
    if (before == behind) neighbours = {{before, bytes, bytes}};
    rt::Trace& trace = bodies.grid().trace();
    visitors_.resize(longest);
    next_visitors_.resize(longest);
    if (size == 1) return;
    ring_ = std::make_unique<comm::NeighbourExchange>(
        ranks_, neighbours, 0, trace,
        comm::NeighbourRegions{trace.region("pack"), trace.region("wait"), trace.region("unpack")},
        rt::WaitSite{"bodies that go round"});
  }
  if (way == Way::rows_and_columns) prepare_rows_and_columns();
}

void PairSums::prepare_rows_and_columns() {
  column_ranks_ = line_of(ranks_, 0);  // their bodies act
  row_ranks_ = line_of(ranks_, 1);     // on these
  const comm::Blocks sources = blocks_of(bodies_, column_ranks_);
  const comm::Blocks targets = blocks_of(bodies_, row_ranks_);
  column_.resize(static_cast<std::size_t>(sources.total()));
  row_.resize(static_cast<std::size_t>(targets.total()));
  targets_.resize(row_.size());
  std::vector<long long> three, all;
  for (const int rank : row_ranks_) {
    three.push_back(3 * bodies_of(bodies_, rank));
    all.push_back(static_cast<long long>(law_.sums) * bodies_of(bodies_, rank));
  }
  blocks_of_three_ = comm::Blocks(three);
  blocks_of_all_sums_ = comm::Blocks(all);
  positions_ = std::make_unique<comm::AxisCollectives>(
      ranks_, comm::AxisOrder::automatic, static_cast<double>(mine_.size() * sizeof(Position)));
  positions_->add(ranks_.along(0).prepare_allgather(mine_, column_, sources));
  positions_->add(ranks_.along(1).prepare_allgather(mine_, row_, targets));
}

void PairSums::pack() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::span<const double> along = bodies_.position().along(static_cast<int>(axis));
    for (std::size_t i = 0; i < mine_.size(); ++i) mine_[i][axis] = along[i];
    if (way_ != Way::rows_and_columns) std::ranges::copy(along, targets_.x[axis].begin());
  }
}

void PairSums::set_sources(std::span<const Position> positions, std::span<const int> ranks) {
  sources_.resize(positions.size());
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < positions.size(); ++i) sources_.x[axis][i] = positions[i][axis];
  if (masses_.empty()) return;
  auto to = sources_.mass.begin();
  for (const int rank : ranks)
    to = std::copy_n(masses_.begin() + bodies_.home_begin(rank), bodies_of(bodies_, rank), to);
}

void PairSums::compute(bool with_all) {
  pack();
  sums_.clear(mine_.size());
  if (way_ == Way::allgather) return by_allgather(with_all);
  if (way_ == Way::ring) return by_ring(with_all);
  by_rows_and_columns(with_all);
}

void PairSums::by_allgather(bool with_all) {
  {
    const Stopwatch communicating(seconds_);
    ranks_.all().allgather(mine_, all_, blocks_of_all_);
  }
  set_sources(all_, everybody_);
  law_.add(targets_, sources_, with_all, sums_);
}

void PairSums::by_ring(bool with_all) {
  const int size = ranks_.size(), me = ranks_.rank().value;
  std::ranges::copy(mine_, visitors_.begin());
  const std::size_t bytes = visitors_.size() * sizeof(Position);
  for (int step = 0; step < size; ++step) {
    const int from = (me + size - step) % size;  // whose bodies are here
    const bool go_on = step + 1 < size;
    if (go_on) {
      const Stopwatch communicating(seconds_);
      ring_->begin([&](std::size_t, std::byte* to) { std::memcpy(to, visitors_.data(), bytes); });
    }
    set_sources(std::span(visitors_).first(static_cast<std::size_t>(bodies_of(bodies_, from))),
                std::array{from});
    law_.add(targets_, sources_, with_all, sums_);
    if (!go_on) continue;
    const Stopwatch communicating(seconds_);
    ring_->complete([&](std::size_t, const std::byte* came) {
      std::memcpy(next_visitors_.data(), came, bytes);
    });
    std::swap(visitors_, next_visitors_);
  }
}

void PairSums::by_rows_and_columns(bool with_all) {
  {
    const Stopwatch communicating(seconds_);
    positions_->run();
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < row_.size(); ++i) targets_.x[axis][i] = row_[i][axis];
  set_sources(column_, column_ranks_);
  partial_.clear(row_.size());
  law_.add(targets_, sources_, with_all, partial_);
  // All sums of a body side by side, so that they are one message.
  const std::size_t width = with_all ? law_.sums : 3;
  flat_.resize(width * row_.size());
  own_.resize(width * mine_.size());
  for (std::size_t k = 0; k < width; ++k)
    for (std::size_t i = 0; i < row_.size(); ++i) flat_[i * width + k] = partial_.of[k][i];
  {
    const Stopwatch communicating(seconds_);
    ranks_.along(1).reduce_scatter(flat_, own_, comm::Operator::sum,
                                   with_all ? blocks_of_all_sums_ : blocks_of_three_);
  }
  for (std::size_t k = 0; k < width; ++k)
    for (std::size_t i = 0; i < mine_.size(); ++i) sums_.of[k][i] = own_[i * width + k];
}

}  // namespace nbody
