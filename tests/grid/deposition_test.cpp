// SPDX-License-Identifier: Apache-2.0
// What particles give to points, and what is added up over particles: compared, to the last bit,
// with what every rank finds by itself from all identities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "anywhere.hpp"
#include "sample_run.hpp"

namespace cartwright::grid::test {
namespace {

using Point = std::array<long long, 3>;

const char* const box = R"(
grid: {extent: [11, 9, 8], length: [5.5, 3.0, 4.0], origin: [-1, 0.5, 2], periodic: [true, false, true]}
)";
const char* const closed_box = R"(
grid: {extent: [8, 9, 10], length: [0.8, 0.9, 1.0], periodic: [false, false, false]}
)";
const char* const plane = R"(
grid: {extent: [17, 13], length: [2.0, 1.5], periodic: [true, true]}
)";
const char* const rod = R"(
grid: {extent: [40], length: [4.0], origin: [-2.0], periodic: [false]}
)";
const char* const ring = R"(
grid: {extent: [16], length: [1.0], periodic: [true]}
)";

constexpr std::uint64_t seed = 7;
double carried(long long identity, int number = 0) {
  return random_number(8, static_cast<std::uint64_t>(4 * identity + number)) - 0.4;
}

/// The formula of linear weights, particle by particle: all that a point gets, added up in slices
/// of each number, whose units the greatest value decides. `number`: of a Vector.
template <int D>
class Expected {
 public:
  Expected(const GridBase& grid, Centring centring, long long count, int number)
      : grid_(grid), centring_(centring) {
    double greatest = 0.0;
    for (long long identity = 0; identity < count; ++identity)
      greatest = std::max(greatest, std::abs(carried(identity, number)));
    (void)std::frexp(greatest, &exponent_);
    for (long long identity = 0; identity < count; ++identity)
      give(anywhere(grid, seed, identity), carried(identity, number));
  }
  double at(const Point& point) const {
    const auto found = given_.find(point);
    if (found == given_.end()) return 0.0;
    std::array<double, 3> sums{};
    for (double rest : found->second)
      for (std::size_t slice = 0; slice < sums.size(); ++slice) {
        const double unit = std::ldexp(1.0, exponent_ - std::array{28, 57, 86}[slice]);
        const double cut = std::nearbyint(rest / unit) * unit;
        sums[slice] += cut;
        rest -= cut;
      }
    return sums[0] + (sums[1] + sums[2]);
  }
  /// The sum of the same numbers as another accumulator has it.
  double exactly_at(const Point& point) const {
    comm::BinnedSum sum;
    if (const auto found = given_.find(point); found != given_.end())
      for (const double each : found->second) sum.add(each);
    return sum.value();
  }

 private:
  void give(const Place& place, double value) {
    Point low{};
    std::array<double, D> upper{};
    for (std::size_t a = 0; a < D; ++a) {
      const int axis = static_cast<int>(a);
      long long cell = 0;
      while (cell + 1 < grid_.extent(axis) && place[a] >= grid_.edge(axis, cell + 1)) ++cell;
      const double shift = is_nodal(centring_, axis) ? 0.0 : 0.5;
      const double at = (place[a] - grid_.origin(axis)) / grid_.spacing(axis) - shift;
      low[a] = shift > 0.0 && at < static_cast<double>(cell) ? cell - 1 : cell;
      upper[a] = std::clamp(at - static_cast<double>(low[a]), 0.0, 1.0);
      const bool is_bounded = !grid_.periodic(axis) && shift > 0.0;
      if (is_bounded && low[a] < 0) upper[a] = 1.0;
      if (is_bounded && low[a] == grid_.extent(axis) - 1) upper[a] = 0.0;
    }
    for (int corner = 0; corner < 1 << D; ++corner) {
      double given = value;
      Point point = low;
      for (std::size_t a = D; a-- > 0;) {
        const bool is_upper = (corner >> a & 1) != 0;
        given *= is_upper ? upper[a] : 1.0 - upper[a];
        point[a] += is_upper ? 1 : 0;
        const long long extent = grid_.extent(static_cast<int>(a));
        if (grid_.periodic(static_cast<int>(a))) point[a] = (point[a] + extent) % extent;
      }
      given_[point].push_back(given);
    }
  }

  const GridBase& grid_;
  Centring centring_;
  int exponent_ = 0;
  std::map<Point, std::vector<double>> given_;
};

template <class T>
double part_of(const T& value, int number) {
  return BinnedParts<T>::part(value, number);
}

template <class T, int D>
void expect_deposited(const char* deck, long long count, Centring centring = Centring::cell) {
  SampleRun run(deck);
  Grid<D> grid(*run);
  Field<T, D> field(grid, "u", {.centring = centring});
  Particles particles(grid, "dust", count);
  particles.place([&](long long identity) { return anywhere(grid, seed, identity); });
  Deposition onto(field);
  const std::span<const long long> identities = particles.identities();
  const auto value = [=](std::ptrdiff_t p) {
    const long long identity = identities[static_cast<std::size_t>(p)];
    ElementOf<T> result{};
    if constexpr (ElementTraits<T>::components == 1)
      result = carried(identity);
    else
      for (int c = 0; c < ElementTraits<T>::components; ++c) result[c] = carried(identity, c);
    return result;
  };
  onto(particles, value);
  onto(particles, value);  // sets: nothing of before remains
  const Block block = field.block();
  for (int number = 0; number < ElementTraits<T>::components; ++number) {
    const Expected<D> expected(grid, centring, count, number);
    double given = 0.0, arrived = 0.0;
    for (long long identity = 0; identity < count; ++identity) given += carried(identity, number);
    const auto view = field.view();
    for (long long z = 0; z < block.count[2]; ++z)
      for (long long y = 0; y < block.count[1]; ++y)
        for (long long x = 0; x < block.count[0]; ++x) {
          const std::array local{static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
          Index<D> i{};
          for (int axis = 0; axis < D; ++axis) i[axis] = local[static_cast<std::size_t>(axis)];
          const Point point{block.start[0] + x, block.start[1] + y, block.start[2] + z};
          const ElementOf<T> found = view(i);
          ASSERT_EQ(part_of(found, number), expected.at(point)) << point[0] << ' ' << point[1];
          ASSERT_DOUBLE_EQ(part_of(found, number), expected.exactly_at(point));
        }
    reduce(
        field, [=](Index<D> i, double& sum) { sum += part_of(ElementOf<T>(view(i)), number); },
        Sum(arrived));
    EXPECT_NEAR(arrived, given, 1e-12 * (1.0 + static_cast<double>(count)));
  }
}

TEST(Deposition, GivesToThePointsAroundAParticle) {
  expect_deposited<double, 1>(rod, 97);
  expect_deposited<double, 1>(ring, 9000);
  expect_deposited<double, 2>(plane, 333);
  expect_deposited<double, 3>(box, 6000);
  expect_deposited<double, 3>(closed_box, 400);
}

TEST(Deposition, OfVectors) {
  expect_deposited<Vector<double, 2>, 1>(rod, 50);
  expect_deposited<Vector<double, 3>, 2>(plane, 5000);
  expect_deposited<Vector<double, 3>, 3>(box, 300);
  expect_deposited<Arrays<Vector<double, 2>>, 2>(plane, 200);
}

TEST(Deposition, OntoEndsOfCells) {
  for (const Centring centring : {Centring::node, Centring::face_x, Centring::face_y}) {
    expect_deposited<double, 2>(plane, 300, centring);
    expect_deposited<double, 3>(box, 300, centring);
    expect_deposited<double, 3>(closed_box, 300, centring);
  }
  expect_deposited<double, 1>(rod, 100, Centring::node);
}

TEST(Deposition, OfFewOrNone) {
  expect_deposited<double, 2>(plane, 0);
  expect_deposited<double, 3>(box, 1);
}

/// The other way round as interpolation: what particles see of u, by what they carry, is what
/// points have of it.
TEST(Deposition, IsTheTransposeOfInterpolation) {
  SampleRun run(plane);
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u", {.corners = true}), given(grid, "v");
  Particles particles(grid, "dust", 500);
  particles.place([&](long long identity) { return anywhere(grid, seed, identity); });
  const auto at = grid.coordinates(Centring::cell);
  const auto wave = u.view();
  for_each(u, [=](Index<2> i) { wave(i) = std::sin(3.0 * at(i)[0]) + at(i)[1]; });
  exchange(u).wait();
  const std::span<const long long> identities = particles.identities();
  const auto value = [=](std::ptrdiff_t p) {
    return carried(identities[static_cast<std::size_t>(p)]);
  };
  Deposition onto(given);
  onto(particles, value);
  const Interpolation seen(u);
  const auto x = particles.position().view();
  double of_particles = 0.0, of_points = 0.0;
  reduce(
      particles, [=](std::ptrdiff_t p, double& sum) { sum += value(p) * seen(x, p); },
      Sum(of_particles));
  const auto out = given.view();
  reduce(
      u, [=](Index<2> i, double& sum) { sum += out(i) * wave(i); }, Sum(of_points));
  EXPECT_NEAR(of_particles, of_points, 1e-11);
}

TEST(Deposition, WantsParticlesThatHaveMigrated) {
  SampleRun run(ring);
  Grid<1> grid(*run);
  Field<double, 1> u(grid, "u");
  Particles particles(grid, "dust", 64);
  particles.place([&](long long identity) { return anywhere(grid, seed, identity); });
  const auto x = particles.position().view();
  for_each(particles, [=](std::ptrdiff_t p) { x(p) += 1.0; });
  const auto give = [&] {
    PointSums<1> sums(grid, Centring::cell, 1, "u");
    sums.begin(particles, std::array{1.0});
    PointSums<1>::Part all(sums, 0);
    while (all.next()) continue;
    sums.require_all_at_home();
  };
  if (particles.size() > 0) {
    EXPECT_THROW(give(), rt::Error);
  } else {
    give();
  }
  particles.migrate();
  EXPECT_NO_THROW(give());
}

TEST(Particles, KnowTheirCells) {
  for (const char* deck : {box, "grid: {extent: [3, 24], coordinates: {x: [0, 1, 3, 7]}}"}) {
    SampleRun run(deck);
    const auto check = [&](const GridBase& grid) {
      Particles particles(grid, "dust", 500);
      for (std::size_t p = 0; p < particles.size(); ++p) {
        const Place place = anywhere(grid, seed, particles.identities()[p]);
        for (int axis = 0; axis < grid.dimensions(); ++axis)
          particles.position().at(p, axis) = place[static_cast<std::size_t>(axis)];
        const auto cell = particles.cell_of(p);
        for (int axis = 0; axis < grid.dimensions(); ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          EXPECT_LE(grid.edge(axis, cell[a]), place[a]);
          EXPECT_GT(grid.edge(axis, cell[a] + 1), place[a]);
        }
      }
    };
    if (deck == box) {
      check(Grid<3>(*run));
    } else {
      check(Grid<2>(*run));
    }
  }
}

TEST(Interpolation, WantsGhostsAtCorners) {
  SampleRun run(plane);
  Grid<2> grid(*run);
  const Field<double, 2> u(grid, "u");
  EXPECT_THROW(Interpolation{u}, rt::Error);
}

TEST(Interpolation, OfStaleGhostsIsFoundInCheckedMode) {
  SampleRun run("grid: {extent: [16, 16], periodic: [true, true]}\nchecks: halos");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u", {.corners = true});
  Particles particles(grid, "dust", 4000, {{"seen", ""}});
  particles.place([&](long long identity) { return anywhere(grid, seed, identity); });
  const auto x = particles.position().view(), seen = particles["seen"].view();
  const auto look = [&] {
    const Interpolation at(u);
    for_each(particles, [=](std::ptrdiff_t p) { seen(p) = at(x, p); });
  };
  const auto add = [&] {
    const Interpolation at(u);
    double sum = 0.0;
    (void)reduce_locally(
        particles, [=](std::ptrdiff_t p, double& s) { s += at(x, p); }, Sum(sum));
  };
  EXPECT_THROW(add(), rt::Error);
  EXPECT_THROW(look(), rt::Error);
  exchange(u).wait();
  for_each(particles, [=](std::ptrdiff_t p) { seen(p) = 0.0; });
  EXPECT_NO_THROW(look());
  EXPECT_NO_THROW(add());
}

TEST(ReduceParticles, SumsHaveTheBitsOfASumRoundedOnce) {
  SampleRun run(box);
  Grid<3> grid(*run);
  constexpr long long count = 10000;
  Particles particles(grid, "dust", count);
  particles.place([&](long long identity) { return anywhere(grid, seed, identity); });
  const std::span<const long long> identities = particles.identities();
  comm::BinnedSum wanted;
  for (long long identity = 0; identity < count; ++identity) wanted.add(carried(identity));
  double sum = 0.0;
  const auto add = [=](std::ptrdiff_t p, double& total) {
    total += carried(identities[static_cast<std::size_t>(p)]);
  };
  reduce(particles, add, Sum(sum));
  EXPECT_EQ(sum, wanted.value());
  double later = 0.0;
  auto pending = start_reduce(particles, add, Sum(later));
  pending.wait();
  EXPECT_EQ(later, wanted.value());
  Vector<double, 2> both{};
  reduce(
      particles,
      [=](std::ptrdiff_t p, Vector<double, 2>& total) {
        total[0] += carried(identities[static_cast<std::size_t>(p)]);
        total[1] += 1.0;
      },
      Sum(both));
  EXPECT_EQ(both[0], wanted.value());
  EXPECT_EQ(both[1], static_cast<double>(count));
}

TEST(ReduceParticles, ExtremesAndCounts) {
  SampleRun run(plane);
  Grid<2> grid(*run);
  for (const long long count : {0LL, 1LL, 5000LL}) {
    Particles particles(grid, "dust of " + std::to_string(count), count);
    particles.place([&](long long identity) { return anywhere(grid, seed, identity); });
    const std::span<const long long> identities = particles.identities();
    double most = 0.0;
    long long all = -1;
    reduce(
        particles,
        [=](std::ptrdiff_t p, double& value) {
          value = std::max(value, carried(identities[static_cast<std::size_t>(p)]));
        },
        Max(most));
    reduce(
        particles, [](std::ptrdiff_t, long long& n) { ++n; }, Sum(all));
    double wanted = -std::numeric_limits<double>::infinity();
    for (long long identity = 0; identity < count; ++identity)
      wanted = std::max(wanted, carried(identity));
    EXPECT_EQ(most, wanted);
    EXPECT_EQ(all, count);
  }
}

TEST(RandomNumber, IsEvenAndTheSameForEverybody) {
  constexpr int bins = 16, draws = 16000;
  std::vector<int> found(bins);
  for (std::uint64_t number = 0; number < draws; ++number) {
    const double drawn = random_number(3, number);
    ASSERT_TRUE(drawn >= 0.0 && drawn < 1.0);
    ++found[static_cast<std::size_t>(bins * drawn)];
  }
  for (const int times : found) EXPECT_NEAR(times, draws / bins, 150);
  EXPECT_EQ(random_number(1, 2), random_number(1, 2));
  EXPECT_NE(random_number(1, 2), random_number(2, 2));
}

}  // namespace
}  // namespace cartwright::grid::test
