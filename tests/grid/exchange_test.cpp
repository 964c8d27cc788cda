// SPDX-License-Identifier: Apache-2.0
// Ghosts after an exchange, against what they must be by global coordinates.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

struct Case {
  std::vector<long long> extent;
  std::vector<bool> periodic;
  std::string comm = "backend: auto";  ///< the deck's section
};

/// Ghosts by all ways: from field to field and packed; by epochs; by messages; as for devices,
/// through the host and past it.
const std::vector<std::string> all_ways{"backend: auto",        "direct_ghosts: true",
                                        "backend: rma",         "backend: p2p",
                                        "stage_messages: true", "device_memory: direct"};

std::string deck_of(const Case& c) {
  std::string extent;
  std::string periodic;
  for (std::size_t axis = 0; axis < c.extent.size(); ++axis) {
    extent += fmt::format("{}{}", axis > 0 ? ", " : "", c.extent[axis]);
    periodic += fmt::format("{}{}", axis > 0 ? ", " : "", static_cast<bool>(c.periodic[axis]));
  }
  return fmt::format("grid: {{extent: [{}], periodic: [{}]}}\ncomm: {{{}}}\n", extent, periodic,
                     c.comm);
}

/// A value that tells where its point is, in any type.
template <class T>
T signature(const std::array<long long, 3>& at, int component) {
  const long long number = at[0] * 7 + at[1] * 131 + at[2] * 1733 + component * 29LL;
  return static_cast<T>(sizeof(T) == 1 ? number % 101 : number);
}

template <class T, int D>
T element_at(const std::array<long long, 3>& at) {
  T element{};
  for (int c = 0; c < ElementTraits<T>::components; ++c)
    component_of(element, c) = signature<typename ElementTraits<T>::Scalar>(at, c);
  return element;
}

/// Conditions that leave owned points alone (a nodal Dirichlet face sets its nodes).
template <class T, int D>
void use_neumann(Field<T, D>& field) {
  for (int face = 0; face < 2 * D; ++face)
    field.set_boundary(Face::from_number(face), BoundaryCondition::neumann(0.0));
}

template <class T, int D>
void fill(Field<T, D>& field) {
  const auto view = field.view();
  const auto where = field.coordinates();
  for_each_row<D>(field.owned(), [=](Index<D> i, int end) {
    for (; i[0] < end; ++i[0]) {
      std::array<long long, 3> at{};
      for (int axis = 0; axis < D; ++axis)
        at[static_cast<std::size_t>(axis)] = where.global(i, axis);
      view(i) = element_at<ElementOf<T>, D>(at);
    }
  });
}

/// Where a point of a block lies.
template <int D>
struct PlaceOfPoint {
  std::array<long long, 3> at{};  ///< in the whole grid; beyond the end of a periodic axis: wrapped
  Index<D> direction{};           ///< to the owned points: -1, 0 or 1 along each axis
  int faces = 0;                  ///< of the block that lie between
  bool beyond_boundary = false;
};

template <class T, int D>
PlaceOfPoint<D> place_of(const Field<T, D>& field, const Index<D>& i) {
  const auto where = field.coordinates();
  const Block block = field.block();
  PlaceOfPoint<D> place;
  for (int axis = 0; axis < D; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    place.direction[axis] = i[axis] < 0 ? -1 : i[axis] >= field.owned().upper[axis] ? 1 : 0;
    place.faces += place.direction[axis] != 0 ? 1 : 0;
    const long long global = where.global(i, axis);
    const bool wraps = global < 0 || global >= block.global[a];
    place.beyond_boundary = place.beyond_boundary || (wraps && !field.grid().periodic(axis));
    place.at[a] = (global + block.global[a]) % block.global[a];
  }
  return place;
}

/// Checks every ghost that an exchange must have brought; returns how many there were.
template <class T, int D>
long long check(Field<T, D>& field, bool corners) {
  const auto& grid = field.grid();
  const auto view = field.view();
  const Box<D> all = field.layout().with_ghosts();
  long long checked = 0;
  for (long long number = 0; number < all.size(); ++number) {
    const Index<D> i = point_of(all, number);
    const PlaceOfPoint<D> place = place_of(field, i);
    if (place.beyond_boundary || (place.faces > 1 && !corners)) continue;
    EXPECT_EQ(view(i), (element_at<T, D>(place.at)))
        << "point " << number << " on rank " << grid.comm().rank().value;
    if (testing::Test::HasFailure()) return checked;
    checked += place.faces > 0 ? 1 : 0;
  }
  return checked;
}

template <class T, int D>
void exchange_one(Grid<D>& grid, const FieldOptions& options) {
  Field<T, D> field(grid, "u", options);
  use_neumann(field);
  fill(field);
  exchange(field).wait();
  check(field, options.corners);
}

template <int D>
void exchange_all_kinds(const Case& c) {
  SCOPED_TRACE(deck_of(c));
  SampleRun run(deck_of(c));
  Grid<D> grid(*run);
  for (const Centring centring : {Centring::cell, Centring::node})
    for (const int halo : {1, 2})
      for (const bool corners : {false, true}) {
        SCOPED_TRACE(
            fmt::format("halo {}, corners {}, node {}", halo, corners, centring == Centring::node));
        exchange_one<double, D>(grid, {centring, halo, corners});
        exchange_one<float, D>(grid, {centring, halo, corners});
        exchange_one<signed char, D>(grid, {centring, halo, corners});
        exchange_one<Vector<double, 3>, D>(grid, {centring, halo, corners});
        if (testing::Test::HasFailure()) return;
      }
}

/// Does `component` come in from where a ghost lies? Said otherwise than the library does.
template <int D>
bool comes_from(const PlaceOfPoint<D>& ghost, const Index<3>& component, bool corners) {
  for (int axis = 0; axis < D; ++axis)
    if (ghost.direction[axis] != 0 && ghost.direction[axis] * component[axis] >= 0) return false;
  return ghost.faces == 1 || corners;
}

/// Ghosts hold the components that come in where they lie; no others come from elsewhere.
template <class T, int D>
void exchange_what_comes_in(Grid<D>& grid, FieldOptions options, std::mt19937& random) {
  constexpr int components = ElementTraits<T>::components;
  options.directions.resize(components);
  for (Index<3>& direction : options.directions)
    for (int axis = 0; axis < D; ++axis) direction[axis] = static_cast<int>(random() % 3) - 1;
  Field<T, D> field(grid, "u", options);
  use_neumann(field);
  ElementOf<T> untouched{};
  for (int c = 0; c < components; ++c) untouched[c] = -5;
  set_all(field.view(), field.layout().with_ghosts(), untouched);
  fill(field);
  exchange(field).wait();
  const auto view = field.view();
  const Box<D> all = field.layout().with_ghosts();
  for (long long number = 0; number < all.size(); ++number) {
    const Index<D> i = point_of(all, number);
    const PlaceOfPoint<D> place = place_of(field, i);
    if (place.beyond_boundary) continue;
    for (int c = 0; c < components; ++c) {
      const bool is_held =
          place.faces == 0 ||
          comes_from(place, options.directions[static_cast<std::size_t>(c)], options.corners);
      const auto there = element_at<ElementOf<T>, D>(place.at)[c];
      // Ends of rows that this rank owns whole are wrapped whole.
      const bool is_row_end =
          place.direction[0] != 0 && !options.corners && !grid.is_remote({0, Side::low});
      const auto wanted = is_held || (is_row_end && view(i)[c] == there) ? there : untouched[c];
      ASSERT_EQ(view(i)[c], wanted)
          << "component " << c << " of point " << number << " on rank " << grid.comm().rank().value;
    }
  }
}

TEST(Exchange, OnlyWhatComesIn) {
  std::mt19937 random(20261129);
  for (const std::string& comm : all_ways)
    for (const bool corners : {false, true})
      for (const int halo : {1, 2}) {
        SCOPED_TRACE(fmt::format("{}, corners {}, halo {}", comm, corners, halo));
        SampleRun flat(deck_of({{41, 18}, {true, false}, comm}));
        Grid<2> plane(*flat);
        const FieldOptions options{.halo = halo, .corners = corners};
        exchange_what_comes_in<Vector<double, 9>>(plane, options, random);
        exchange_what_comes_in<Arrays<Vector<double, 9>>>(plane, options, random);
        SampleRun deep(deck_of({{17, 16, 19}, {true, true, true}, comm}));
        Grid<3> space(*deep);
        exchange_what_comes_in<Vector<float, 7>>(space, options, random);
        exchange_what_comes_in<Arrays<Vector<double, 19>>>(space, options, random);
        if (testing::Test::HasFailure()) return;
      }
}

TEST(Exchange, NothingElseTravels) {
  SampleRun run("grid: {extent: [24, 24, 24], periodic: [true, true, true]}");
  Grid<3> grid(*run);
  const auto bytes_of = [&](const FieldOptions& options) {
    Field<Arrays<Vector<double, 6>>, 3> field(grid, "u", options);
    exchange(field).wait();
    const auto before = run->halo_statistics().traffic;
    exchange(field).wait();
    const auto after = run->halo_statistics().traffic;
    return static_cast<double>(after.bytes_on_node + after.bytes_off_node - before.bytes_on_node -
                               before.bytes_off_node);
  };
  const std::vector<Index<3>> along_axes{{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                         {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  // One of six crosses each face, and none the edges.
  EXPECT_LE(bytes_of({.corners = true, .directions = along_axes}), bytes_of({}) / 5.0);
}

TEST(Exchange, ADirectionForEachComponent) {
  SampleRun run("grid: {extent: [24, 24]}");
  Grid<2> grid(*run);
  using Populations = Field<Vector<double, 3>, 2>;
  EXPECT_THROW(Populations(grid, "u", {.directions = {{1, 0, 0}, {0, 1, 0}}}), rt::Error);
}

TEST(Exchange, OneDimension) {
  for (const bool periodic : {false, true})
    for (const long long n : {16LL, 17LL, 31LL, 101LL}) exchange_all_kinds<1>({{n}, {periodic}});
  exchange_all_kinds<1>({{29}, {true}, "backend: rma"});
}

TEST(Exchange, TwoDimensions) {
  for (const bool x : {false, true})
    for (const bool y : {false, true}) {
      exchange_all_kinds<2>({{24, 17}, {x, y}});
      exchange_all_kinds<2>({{16, 31}, {x, y}, "stage_messages: true"});
      exchange_all_kinds<2>({{16, 31}, {x, y}, "device_memory: staged"});
      exchange_all_kinds<2>({{16, 31}, {x, y}, "device_memory: direct"});
    }
}

TEST(Exchange, ThreeDimensions) {
  for (const bool x : {false, true})
    for (const bool z : {false, true}) exchange_all_kinds<3>({{9, 16, 17}, {x, !x, z}});
  exchange_all_kinds<3>({{16, 7, 11}, {true, true, true}});
  // Whole rows: these go from field to field.
  exchange_all_kinds<3>({{37, 16, 19}, {true, false, true}});
}

TEST(Exchange, ByAllWays) {
  for (const std::string& comm : all_ways) {
    exchange_all_kinds<2>({{41, 33}, {true, true}, comm});
    exchange_all_kinds<3>({{33, 17, 16}, {false, true, true}, comm});
  }
}

// Whose memory a field has is a matter of its rank alone.
TEST(Exchange, RanksMaySwapDifferently) {
  for (const std::string& comm : all_ways) {
    SCOPED_TRACE(comm);
    SampleRun run("grid: {extent: [48, 40], periodic: [true, true]}\ncomm: {" + comm + "}");
    Grid<2> grid(*run);
    Field<double, 2> a(grid, "u");
    std::mt19937 random(static_cast<unsigned>(grid.comm().rank().value));
    for (int round = 0; round < 20; ++round) {
      Field<double, 2> b = a.like();
      if (random() % 2 == 0) swap(a, b);
      fill(a);
      exchange(a).wait();
      check(a, false);
      fill(b);
      exchange(a, b).wait();
      check(b, false);
    }
  }
}

// Who comes last finds what the others have, and brings them what it has.
TEST(Exchange, LateRanksAndThoseThatCompute) {
  for (const std::string& comm : all_ways) {
    SCOPED_TRACE(comm);
    SampleRun run("grid: {extent: [40, 44], periodic: [true, true]}\ncomm: {" + comm + "}");
    Grid<2> grid(*run);
    Field<Vector<double, 2>, 2> u(grid, "u", {.halo = 2, .corners = true});
    std::mt19937 random(7 + static_cast<unsigned>(grid.comm().rank().value));
    const auto pause = [&] {
      if (random() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    };
    for (int round = 0; round < 30; ++round) {
      fill(u);
      pause();
      auto under_way = exchange(u).start();
      pause();
      if (round % 2 == 0)
        while (!under_way.test()) std::this_thread::yield();
      under_way.wait();
      check(u, true);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Exchange, SeveralFieldsOfDifferentShapesInOneMessage) {
  SampleRun run("grid: {extent: [19, 23], periodic: [true, false]}");
  Grid<2> grid(*run);
  Field<double, 2> a(grid, "u");
  Field<Vector<float, 2>, 2> b(grid, "v", {Centring::node, 2, true});
  Field<int, 2> c(grid, "temperature", {.halo = 2});
  use_neumann(b);
  const auto exchange_and_check = [&] {
    fill(a);
    fill(b);
    fill(c);
    exchange(a, b, c).wait();
    check(a, false);
    check(b, true);
    check(c, false);
  };
  exchange_and_check();
  const auto before = run->halo_statistics();
  exchange_and_check();
  const auto after = run->halo_statistics();
  const auto messages = [](const HaloStatistics& s) {
    return s.traffic.messages_on_node + s.traffic.messages_off_node;
  };
  EXPECT_LE(messages(after) - messages(before), 8) << "one message per neighbour";
}

TEST(Exchange, PlansAreReusedAndSwapIsFree) {
  SampleRun run("grid: {extent: [32, 32], periodic: [true, true]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u");
  Field<double, 2> next = u.like();
  const auto& plan = plans_of(grid).find(std::array{u.shape()});
  for (int step = 0; step < 5; ++step) {
    fill(u);
    exchange(u).wait();
    check(u, false);
    swap(u, next);
    EXPECT_EQ(&plan, &plans_of(grid).find(std::array{u.shape()}));
  }
}

TEST(Exchange, SeveralMayBeInFlight) {
  SampleRun run("grid: {extent: [32, 24], periodic: [true, false]}");
  Grid<2> grid(*run);
  Field<double, 2> a(grid, "u");
  Field<double, 2> b(grid, "v");
  for (int round = 0; round < 3; ++round) {
    fill(a);
    fill(b);
    auto first = exchange(a).start();
    auto second = exchange(b).start();  // of the same shape: a plan of its own
    (void)second.test();
    second.wait();
    first.wait();
    check(a, false);
    check(b, false);
    swap(a, b);
  }
}

TEST(Exchange, RandomShapes) {
  std::mt19937 random(12345);
  for (int round = 0; round < 12; ++round) {
    std::uniform_int_distribution<long long> extent(16, 40);
    std::bernoulli_distribution coin;
    exchange_all_kinds<2>(
        {{extent(random), extent(random)}, {coin(random), coin(random)}, all_ways[random() % 5]});
  }
}

}  // namespace
}  // namespace cartwright::grid
