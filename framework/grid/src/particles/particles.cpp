// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/particles/particles.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace cartwright::grid {
namespace {

/// Where the blocks of ranks begin and end along each axis.
std::vector<std::vector<double>> edges_between_ranks(const GridBase& grid) {
  std::vector<std::vector<double>> edges;
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    edges.emplace_back();
    for (const long long cell : grid.cuts()[static_cast<std::size_t>(axis)])
      edges.back().push_back(grid.edge(axis, cell));
  }
  return edges;
}

/// From origin up to, not including, origin + length. No number where that can't be told: so far
/// away nothing is left of the place.
double wrapped(double x, double origin, double length) {
  if (x >= origin && x < origin + length) return x;
  const double lengths = std::floor((x - origin) / length);
  if (!(std::abs(lengths) < 0x1p40)) return std::numeric_limits<double>::quiet_NaN();
  const double inside = x - length * lengths;
  return inside < origin + length ? std::max(inside, origin) : origin;  // rounding
}

/// The cell that holds x, by its edges: as owners are found. The first or the last one beyond the
/// grid, and the first of what is no number.
long long cell_along(const GridBase& grid, int axis, double x) {
  long long cell = 0;
  for (long long above = std::max(1LL, grid.extent(axis)); above - cell > 1;) {
    const long long middle = (cell + above) / 2;
    (grid.edge(axis, middle) <= x ? cell : above) = middle;
  }
  return cell;
}

/// While --dry-run measures: as dense as in the run; or, where all pairs are looked at, as many as
/// take some tenths of a second at the most. --check has them all.
long long count_of_sample(const GridBase& grid, long long count, bool stay) {
  constexpr long long many = 4096;
  Sample* const sample = grid.sample();
  if (sample == nullptr || sample->only_checks || count < 1) return count;
  const double dense = std::round(sample->share * static_cast<double>(count));
  const long long used = stay ? std::min(count, many) : std::max(1LL, std::llround(dense));
  sample->particles_scale = static_cast<double>(count) / static_cast<double>(used);
  sample->all_pairs = sample->all_pairs || stay;
  return used;
}

}  // namespace

Particles::Particles(const GridBase& grid, std::string name, long long count,
                     const std::vector<Attribute>& attributes)
    : Particles(grid, std::move(name), count, attributes, grid.comm(), false) {}

Particles::Particles(const GridBase& grid, std::string name, long long count,
                     const std::vector<Attribute>& attributes, const comm::CartComm& ranks)
    : Particles(grid, std::move(name), count, attributes, ranks, true) {}

Particles::Particles(const GridBase& grid, std::string name, long long count,
                     const std::vector<Attribute>& attributes, const comm::CartComm& ranks,
                     bool stay)
    : grid_(grid),
      ranks_(ranks),
      name_(std::move(name)),
      dimensions_(grid.dimensions()),
      count_(count_of_sample(grid, count, stay)),
      stay_(stay),
      edges_(edges_between_ranks(grid)),
      migrate_region_(grid.trace().region("particles migrate")),
      ghosts_region_(grid.trace().region("ghosts of particles")) {
  if (count < 0)
    throw rt::internal_failure(fmt::format("{} particles '{}'", count, name_), "Give 0 or more.",
                               rt::Reach::all_ranks);
  attributes_.emplace_back(*this, "position", grid.description().length_unit, dimensions_);
  for (const Attribute& each : attributes) {
    for (const ParticleAttribute& other : attributes_)
      if (other.name() == name_ + "." + each.name)
        throw rt::internal_failure(
            fmt::format("particles '{}' have two attributes called '{}'", name_, each.name),
            "Each has a position already; give every other one a name of its own.",
            rt::Reach::all_ranks);
    attributes_.emplace_back(*this, each.name, each.unit, each.components);
  }
  const int rank = ranks.rank().value;
  owned_ = static_cast<std::size_t>(home_begin(rank + 1) - home_begin(rank));
  reserve(owned_);
  identities_.resize(owned_);
  std::iota(identities_.begin(), identities_.end(), home_begin(rank));
  if (WorkBalance* const work = grid.work(); work != nullptr && !stay)
    work->count_by(this, [this](const WorkMap& map, std::vector<double>& bins) {
      for (std::size_t p = 0; p < owned_; ++p) bins[map.bin_of(cell_of(p))] += 1.0;
    });
}

void Particles::note_traffic(mapping::PairTraffic traffic) const {
  Sample* const sample = grid_.sample();
  if (sample == nullptr) return;
  traffic.particles = static_cast<double>(count_) * sample->particles_scale;
  sample->pairs = traffic;
}

std::array<long long, 3> Particles::cell_of(std::size_t particle) const {
  std::array<long long, 3> cell{};
  for (int axis = 0; axis < dimensions_; ++axis)
    cell[static_cast<std::size_t>(axis)] = cell_along(grid_, axis, position().at(particle, axis));
  return cell;
}

ParticleAttribute& Particles::operator[](const std::string& attribute) {
  const auto is_called = [&](const ParticleAttribute& each) {  // without making a name
    return each.name().size() == name_.size() + 1 + attribute.size() &&
           each.name().ends_with(attribute);
  };
  const auto found = std::ranges::find_if(attributes_, is_called);
  if (found != attributes_.end()) return *found;
  throw rt::internal_failure(fmt::format("particles '{}' have no '{}'", name_, attribute),
                             "Name it where they are made.", rt::Reach::all_ranks);
}

double Particles::suspect() const {
  for (const ParticleAttribute& each : attributes_)
    for (int c = 0; c < each.components(); ++c)
      for (const double number : each.along(c))
        if (std::isnan(number)) return number;
  return 0.0;
}

long long Particles::home_begin(int rank) const noexcept {
  const long long blocks = (count_ + identity_block - 1) / identity_block;
  return std::min(count_, identity_block * part_begin(blocks, ranks_.size(), rank));
}

int Particles::home_of(long long identity) const noexcept {
  int low = 0;
  int high = ranks_.size();
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (home_begin(middle) <= identity ? low : high) = middle;
  }
  return low;
}

int Particles::owner_of(std::size_t particle) const {
  int rank = 0;
  int stride = 1;
  for (int axis = 0; axis < dimensions_; ++axis) {
    const std::vector<double>& edges = edges_[static_cast<std::size_t>(axis)];
    double x = attributes_.front().at(particle, axis);
    if (grid_.periodic(axis)) x = wrapped(x, grid_.origin(axis), grid_.length(axis));
    // What is no number is below all of them.
    const auto above = std::partition_point(edges.begin() + 1, edges.end() - 1,
                                            [x](double edge) { return x >= edge; });
    rank += stride * static_cast<int>(above - edges.begin() - 1);
    stride *= static_cast<int>(edges.size()) - 1;
  }
  return rank;
}

void Particles::wrap() {
  for (int axis = 0; axis < dimensions_; ++axis)
    if (grid_.periodic(axis))
      for (double& x : position().along(axis))
        x = wrapped(x, grid_.origin(axis), grid_.length(axis));
}

void Particles::reserve(std::size_t particles) {
  for (ParticleAttribute& each : attributes_) each.reserve(particles, identities_.size());
}

void Particles::place(const std::function<std::array<double, 3>(long long identity)>& position) {
  for (std::size_t p = 0; p < owned_; ++p) {
    const std::array<double, 3> place = position(identities_[p]);
    for (int axis = 0; axis < dimensions_; ++axis)
      attributes_.front().at(p, axis) = place[static_cast<std::size_t>(axis)];
  }
  migrate();
}

void Particles::reflect(ParticleAttribute& velocity) {
  for (int axis = 0; axis < dimensions_; ++axis) {
    if (grid_.periodic(axis)) continue;
    const double low = grid_.origin(axis), high = low + grid_.length(axis);
    const std::span<double> x = position().along(axis);
    const std::span<double> v = velocity.along(axis);
    for (std::size_t p = 0; p < owned_; ++p) {
      if (x[p] >= low && x[p] <= high) continue;
      const double wall = x[p] < low ? low : high;
      x[p] = 2.0 * wall - x[p];
      // Also where it is behind the other wall by now: it will come back from there.
      v[p] = wall == low ? std::abs(v[p]) : -std::abs(v[p]);
    }
  }
}

void Particles::sort_by_identity() {
  if (std::ranges::is_sorted(identities_)) return;
  order_.resize(owned_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, {}, [this](std::size_t p) { return identities_[p]; });
  sorted_.resize(owned_);
  for (ParticleAttribute& each : attributes_)
    for (int c = 0; c < each.components(); ++c) {
      for (std::size_t p = 0; p < owned_; ++p) sorted_[p] = each.at(order_[p], c);
      std::ranges::copy(sorted_, each.along(c).begin());
    }
  std::ranges::sort(identities_);
}

}  // namespace cartwright::grid
