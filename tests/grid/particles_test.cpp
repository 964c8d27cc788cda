// SPDX-License-Identifier: Apache-2.0
// Particles come to their owners with all they have, ghosts are all that is near, and lists of
// cells find all neighbours: compared with what every rank finds by itself from all identities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "../failing_allocation.hpp"
#include "anywhere.hpp"
#include "sample_run.hpp"

namespace cartwright::grid::test {
namespace {

const char* const box = R"(
grid: {extent: [11, 9, 8], length: [5.5, 3.0, 4.0], origin: [-1, 0.5, 2], periodic: [true, false, true]}
)";
const char* const plane = R"(
grid: {extent: [16, 12], length: [2.0, 1.5], periodic: [true, true]}
)";
const char* const rod = R"(
grid: {extent: [40], length: [4.0], periodic: [true]}
)";

double random(std::uint64_t seed, long long identity, int axis) {
  return random_number(seed, static_cast<std::uint64_t>(3 * identity + axis));
}

bool is_mine(const GridBase& grid, const Place& place) {
  const Block block = grid.block(Centring::cell);
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const bool first = block.start[a] == 0,
               last = block.start[a] + block.count[a] == grid.extent(axis);
    if (!first && place[a] < grid.edge(axis, block.start[a])) return false;
    if (!last && place[a] >= grid.edge(axis, block.start[a] + block.count[a])) return false;
  }
  return true;
}

/// From the cells of this rank; 0 inside.
double distance_from_block(const GridBase& grid, const Place& place) {
  const Block block = grid.block(Centring::cell);
  double farthest = 0.0;
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double low = grid.edge(axis, block.start[a]),
                 high = grid.edge(axis, block.start[a] + block.count[a]);
    farthest = std::max({farthest, low - place[a], place[a] - high});
  }
  return farthest;
}

void expect_all_at_home(Particles& particles) {
  const GridBase& grid = particles.grid();
  std::vector<int> found(static_cast<std::size_t>(particles.count()));
  for (std::size_t p = 0; p < particles.size(); ++p) {
    ++found[static_cast<std::size_t>(particles.identities()[p])];
    Place place{};
    for (int axis = 0; axis < grid.dimensions(); ++axis)
      place[static_cast<std::size_t>(axis)] = particles.position().at(p, axis);
    EXPECT_TRUE(is_mine(grid, place)) << particles.identities()[p];
  }
  EXPECT_TRUE(std::ranges::is_sorted(particles.identities().first(particles.size())));
  if (!found.empty()) particles.ranks().allreduce(found, comm::Operator::sum);
  EXPECT_TRUE(std::ranges::all_of(found, [](int times) { return times == 1; }));
}

template <int D>
void travel(const char* deck, long long count) {
  SampleRun run(deck);
  Grid<D> grid(*run);
  Particles particles(grid, "dust", count, {{"velocity", "m/s", D}, {"mark", ""}});
  particles.place([&](long long identity) { return anywhere(grid, 1, identity); });
  expect_all_at_home(particles);
  auto& mark = particles["mark"];
  for (std::size_t p = 0; p < particles.size(); ++p)
    mark.at(p) = 0.5 * static_cast<double>(particles.identities()[p]);
  for (std::uint64_t step = 2; step < 6; ++step) {
    for (std::size_t p = 0; p < particles.size(); ++p)
      for (int axis = 0; axis < D; ++axis)
        particles.position().at(p, axis) +=
            grid.length(axis) * (2.2 * random(step, particles.identities()[p], axis) - 1.1);
    particles.migrate();
    expect_all_at_home(particles);
    for (std::size_t p = 0; p < particles.size(); ++p)
      EXPECT_EQ(mark.at(p), 0.5 * static_cast<double>(particles.identities()[p]));
    for (int axis = 0; axis < D; ++axis)
      if (grid.periodic(axis))
        for (const double x : particles.position().along(axis)) {
          EXPECT_GE(x, grid.origin(axis));
          EXPECT_LT(x, grid.origin(axis) + grid.length(axis));
        }
  }
}

TEST(Particles, TravelWithAllTheyHave) {
  travel<3>(box, 500);
  travel<2>(plane, 333);
  travel<1>(rod, 97);
}

TEST(Particles, FewOrNone) {
  travel<3>(box, 0);
  travel<2>(plane, 1);
  travel<2>(plane, 3);
}

/// Every image of every particle, as one rank alone would count them.
template <int D, class Visit>
void for_all_images(const Grid<D>& grid, long long count, std::uint64_t seed, int reach,
                    const Visit& visit) {
  std::array<int, 3> images{};
  for (int axis = 0; axis < D; ++axis)
    images[static_cast<std::size_t>(axis)] = grid.periodic(axis) ? reach : 0;
  for (long long identity = 0; identity < count; ++identity) {
    const Place place = anywhere(grid, seed, identity);
    for (int i = -images[0]; i <= images[0]; ++i)
      for (int j = -images[1]; j <= images[1]; ++j)
        for (int k = -images[2]; k <= images[2]; ++k) {
          Place image = place;
          const std::array<int, 3> shift{i, j, k};
          for (int axis = 0; axis < D; ++axis)
            image[static_cast<std::size_t>(axis)] +=
                shift[static_cast<std::size_t>(axis)] * grid.length(axis);
          visit(identity, image, shift == std::array{0, 0, 0});
        }
  }
}

template <int D>
void ghosts(const char* deck, double radius) {
  constexpr long long count = 120;
  SampleRun run(deck);
  Grid<D> grid(*run);
  Particles particles(grid, "dust", count, {{"mark", ""}});
  particles.place([&](long long identity) { return anywhere(grid, 7, identity); });
  for (std::size_t p = 0; p < particles.size(); ++p)
    particles["mark"].at(p) = static_cast<double>(particles.identities()[p]);
  particles.ghosts(radius, {"mark"});
  std::multiset<std::pair<long long, Place>> expected, found;
  for_all_images(grid, count, 7, 3, [&](long long identity, const Place& image, bool is_itself) {
    if (distance_from_block(grid, image) <= radius && !(is_itself && is_mine(grid, image)))
      expected.emplace(identity, image);
  });
  for (std::size_t p = particles.size(); p < particles.identities().size(); ++p) {
    Place place{};
    for (int axis = 0; axis < D; ++axis)
      place[static_cast<std::size_t>(axis)] = particles.position().at(p, axis);
    found.emplace(particles.identities()[p], place);
    EXPECT_EQ(particles["mark"].at(p), static_cast<double>(particles.identities()[p]));
  }
  EXPECT_EQ(found.size(), particles.ghost_count());
  EXPECT_EQ(found, expected);
  particles.migrate();
  EXPECT_EQ(particles.ghost_count(), 0U);
}

TEST(Particles, GhostsAreAllThatIsNear) {
  for (const double radius : {0.1, 0.7, 1.6}) ghosts<3>(box, radius);
  for (const double radius : {0.05, 0.4, 2.3}) ghosts<2>(plane, radius);  // beyond the whole grid
  for (const double radius : {0.3, 4.5}) ghosts<1>(rod, radius);
}

template <int D>
void neighbours(const char* deck, double radius) {
  constexpr long long count = 150;
  SampleRun run(deck);
  Grid<D> grid(*run);
  Particles particles(grid, "dust", count);
  particles.place([&](long long identity) { return anywhere(grid, 9, identity); });
  particles.ghosts(radius);
  CellList cells(radius);
  cells.sort(particles);
  const auto is_near = [&](const Place& a, const Place& b) {
    double square = 0.0;
    for (std::size_t axis = 0; axis < D; ++axis)
      square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return square < radius * radius;
  };
  std::size_t targets = 0;
  for (std::size_t bin = 0; bin < cells.bins(); ++bin) {
    const CellList::Around around = cells.around(bin);
    const auto [begin, end] = cells.in(bin);
    for (std::size_t slot = begin; slot < end; ++slot) {
      if (cells.particle(slot) >= particles.size()) continue;
      ++targets;
      Place here{};
      for (int axis = 0; axis < D; ++axis)
        here[static_cast<std::size_t>(axis)] = cells.along(axis)[slot];
      std::multiset<Place> expected, found;
      for_all_images(grid, count, 9, 2, [&](long long, const Place& image, bool) {
        if (is_near(here, image)) expected.insert(image);
      });
      for (const auto& piece : around)
        for (std::size_t other = piece.begin; other < piece.end; ++other) {
          Place there{};
          for (int axis = 0; axis < D; ++axis)
            there[static_cast<std::size_t>(axis)] = cells.along(axis)[other];
          if (is_near(here, there)) found.insert(there);
        }
      EXPECT_EQ(found, expected);
    }
  }
  EXPECT_EQ(targets, particles.size());
}

TEST(Particles, ListsOfCellsFindAllNeighbours) {
  neighbours<3>(box, 0.6);
  neighbours<3>(box, 2.9);
  neighbours<2>(plane, 0.2);
  neighbours<2>(plane, 1.1);
  neighbours<1>(rod, 0.5);
}

TEST(Particles, AreFiledInTheOrderOfIdentities) {
  SampleRun run(box);
  Grid<3> grid(*run);
  Particles particles(grid, "dust", 200, {{"mark", ""}});
  particles.place([&](long long identity) { return anywhere(grid, 3, identity); });
  auto& mark = particles["mark"];
  for (std::size_t p = 0; p < particles.size(); ++p)
    mark.at(p) = 2.0 * static_cast<double>(particles.identities()[p]);
  const Block block = mark.block();
  std::vector<double> numbers(static_cast<std::size_t>(block.points()));
  mark.copy_owned_to(std::as_writable_bytes(std::span(numbers)));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(numbers[i], 2.0 * static_cast<double>(block.start[0] + static_cast<long long>(i)));
    numbers[i] += 1.0;
  }
  mark.copy_owned_from(std::as_bytes(std::span(numbers)));
  for (std::size_t p = 0; p < particles.size(); ++p)
    EXPECT_EQ(mark.at(p), 2.0 * static_cast<double>(particles.identities()[p]) + 1.0);
}

TEST(Particles, ComeBackFromWalls) {
  SampleRun run(box);
  Grid<3> grid(*run);
  Particles particles(grid, "dust", 40, {{"velocity", "m/s", 3}});
  auto& x = particles.position();
  auto& v = particles["velocity"];
  for (std::size_t p = 0; p < particles.size(); ++p) {
    const bool below = particles.identities()[p] % 2 == 0;
    x.at(p, 1) = below ? 0.25 : 3.75;  // the walls are at 0.5 and 3.5
    v.at(p, 1) = below ? -1.0 : 1.0;
  }
  particles.reflect(v);
  for (std::size_t p = 0; p < particles.size(); ++p) {
    const bool below = particles.identities()[p] % 2 == 0;
    EXPECT_EQ(x.at(p, 1), below ? 0.75 : 3.25);
    EXPECT_EQ(v.at(p, 1), below ? 1.0 : -1.0);
    EXPECT_EQ(x.at(p, 0), 0.0);  // a periodic axis has no walls
  }
}

TEST(Particles, TellWhatIsNoNumber) {
  SampleRun run(box);
  Grid<3> grid(*run);
  Particles particles(grid, "dust", 100, {{"mark", ""}});
  for (std::size_t p = 0; p < particles.size(); ++p)
    if (particles.identities()[p] == 70)
      particles["mark"].at(p) = std::numeric_limits<double>::quiet_NaN();
  const auto found = particles["mark"].first_not_finite();
  const bool is_here = std::ranges::count(particles.identities(), 70) == 1;
  ASSERT_EQ(found.has_value(), is_here);
  EXPECT_TRUE(!is_here || (*found)[0] == 70);
  // A place that is no number belongs to somebody all the same.
  for (std::size_t p = 0; p < particles.size(); ++p)
    if (particles.identities()[p] == 71)
      particles.position().at(p, 0) = std::numeric_limits<double>::quiet_NaN();
  particles.migrate();
  EXPECT_EQ(grid.comm().allreduce(static_cast<long long>(particles.size()), comm::Operator::sum),
            100);
}

TEST(Particles, AllocateNothingInASteadyFlow) {
  SampleRun run(box);
  Grid<3> grid(*run);
  Particles particles(grid, "dust", 400, {{"velocity", "m/s", 3}, {"mark", ""}});
  particles.place([&](long long identity) { return anywhere(grid, 5, identity); });
  const std::vector<std::string> with{"velocity"};
  CellList cells(0.4);
  const auto step = [&](int number) {  // to and fro
    const double way = number % 8 < 4 ? 0.15 : -0.15;
    for (std::size_t p = 0; p < particles.size(); ++p)
      for (int axis = 0; axis < 3; ++axis) particles.position().at(p, axis) += way;
    particles.migrate();
    particles.ghosts(0.4, with);
    cells.sort(particles);
  };
  int number = 0;
  while (number < 160) step(number++);
  const cartwright::test::CountedAllocations allocations;
  while (number < 176) step(number++);
  EXPECT_EQ(allocations.count(), 0);
}

TEST(Particles, RefuseNamesThatAreTaken) {
  SampleRun run(box);
  Grid<3> grid(*run);
  EXPECT_THROW(Particles(grid, "dust", 3, {{"position", "m", 3}}), rt::Error);
  EXPECT_THROW(Particles(grid, "dust", 3, {{"a", ""}, {"a", ""}}), rt::Error);
  EXPECT_THROW(Particles(grid, "dust", -1), rt::Error);
  Particles particles(grid, "dust", 3);
  EXPECT_THROW((void)particles["velocity"], rt::Error);
}

}  // namespace
}  // namespace cartwright::grid::test
