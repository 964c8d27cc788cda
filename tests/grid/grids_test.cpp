// SPDX-License-Identifier: Apache-2.0
// Grids that a program describes: several at once, coarser ones, cuts, whole on every rank.
#include <gtest/gtest.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/grid/run/app_options.hpp>
#include <cstdint>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

double number_at(const std::array<double, 3>& x) {
  return std::sin(3 * x[0]) + std::cos(5 * x[1]);
}

/// The sum of all neighbours' values, which needs right ghosts.
double sum_of_neighbours(Grid<2>& grid) {
  Field<double, 2> u(grid, "u");
  u.set_from([](const auto& x, int) { return number_at(x); });
  const auto in = u.view();
  double sum = 0.0;
  exchange(u).overlap(
      KOKKOS_LAMBDA(const Index<2>& i, double& s) {
        s += in(i.shifted(0, 1)) + 2 * in(i.shifted(0, -1)) + 3 * in(i.shifted(1, 1)) +
             4 * in(i.shifted(1, -1));
      },
      Sum(sum));
  return sum;
}

/// Loads a page behind a store wait for it: fields of one grid keep away from each other in a page,
/// whosever memory it is, and their rows begin with cache lines.
TEST(Grids, FieldsBeginInOtherPlacesOfAPage) {
  SampleRun run("grid: {extent: [96, 80]}");
  Grid<2> grid(*run);
  Field<double, 2> u(grid, "u");
  Field<double, 2> v = u.like(), w = u.like();
  constexpr std::uintptr_t page = 4096, line = 64;
  const auto place = [](const Field<double, 2>& field) {
    return reinterpret_cast<std::uintptr_t>(&field.view()(Index<2>{})) % page;
  };
  for (const auto* one : {&u, &v, &w}) {
    EXPECT_EQ(place(*one) % line, 0U);
    for (const auto* other : {&u, &v, &w}) {
      if (one == other) continue;
      const std::uintptr_t apart = (place(*one) - place(*other)) % page;
      EXPECT_TRUE(apart >= 512 && apart <= page - 512) << apart;
    }
  }
}

TEST(Grids, SeveralInOneProgram) {
  SampleRun run("grid: {extent: [40, 32], periodic: [true, false]}");
  Grid<2> of_deck(*run);
  const GridSpec spec{.extent = {40, 32}, .periodic = {true, false}};
  Grid<2> own(*run, spec);
  GridSpec whole = spec;
  whole.on_every_rank = true;
  Grid<2> everywhere(*run, whole);
  Grid<2> shared(of_deck, spec);
  const double expected = sum_of_neighbours(of_deck);
  EXPECT_EQ(sum_of_neighbours(own), expected);
  EXPECT_EQ(sum_of_neighbours(everywhere), expected);
  EXPECT_EQ(sum_of_neighbours(shared), expected);
  EXPECT_EQ(everywhere.block(Centring::cell).count, everywhere.block(Centring::cell).global);
  EXPECT_EQ(&shared.comm(), &of_deck.comm());
}

/// An App is enough for grids, fields and exchanges: no deck, no steps.
TEST(Grids, WithoutARun) {
  SampleRun run("grid: {extent: [8]}");
  AppOptions options;
  App app(run->runtime(), options);
  const GridSpec spec{.extent = {40, 32}, .periodic = {true, false}};
  Grid<2> with_run(*run, spec), without(app, spec);
  EXPECT_EQ(sum_of_neighbours(without), sum_of_neighbours(with_run));
  EXPECT_GT(app.halo_statistics().exchanges, 0);
  EXPECT_EQ(without.time(), 0.0);
  EXPECT_THROW((void)without.run(), rt::Error);
  EXPECT_THROW(Grid<2>(app, {.extent = {8, 8}, .boundaries_of_deck = true}), rt::Error);
  Grid<2> coarser(without, without.coarser({2, 2}));
  GridSpec whole = spec;
  whole.on_every_rank = true;
  Grid<2> everywhere(without, whole);
  EXPECT_EQ(sum_of_neighbours(everywhere), sum_of_neighbours(with_run));
  Field<double, 2> u(coarser, "u");
  EXPECT_EQ(u.unit(), "");
}

/// Exchanges of grids that share ranks may be under way at the same time.
TEST(Grids, MessagesOfSharedRanksDontMeet) {
  SampleRun run("grid: {extent: [48, 48], periodic: [true, true]}");
  Grid<2> fine(*run);
  Grid<2> coarse(fine, fine.coarser({2, 2}));
  Field<double, 2> u(fine, "u"), v(coarse, "v");
  u.set_from([](const auto&, int) { return 1.0; });
  v.set_from([](const auto&, int) { return 2.0; });
  auto first = exchange(u).start();
  auto second = exchange(v).start();
  second.wait();
  first.wait();
  const Layout<2> layout = u.layout();
  EXPECT_EQ(u.view()({-1, 0}), 1.0);
  EXPECT_EQ(u.view()({0, layout.extent[1]}), 1.0);
  EXPECT_EQ(v.view()({-1, 0}), 2.0);
  EXPECT_EQ(v.view()({0, v.layout().extent[1]}), 2.0);
}

TEST(Grids, CoarserOnesLieOnFinerOnes) {
  SampleRun run("grid: {extent: [37, 50], length: [37, 25]}");
  const Grid<2> fine(*run);
  const Grid<2> coarse(fine, fine.coarser({2, 1}));
  EXPECT_EQ(coarse.extent(0), 19);
  EXPECT_EQ(coarse.extent(1), 50);
  EXPECT_EQ(coarse.spacing(0), 2.0);
  EXPECT_EQ(coarse.spacing(1), 0.5);
  const Block mine = fine.block(Centring::cell), its = coarse.block(Centring::cell);
  EXPECT_EQ(its.start[0], (mine.start[0] + 1) / 2);
  EXPECT_EQ(its.start[1], mine.start[1]);
  EXPECT_EQ(its.count[1], mine.count[1]);
}

TEST(Grids, CutsSayWhereBlocksBegin) {
  SampleRun run("grid: {extent: [8]}");
  const int ranks = run->runtime().comm().size();
  std::vector<long long> cuts{0};
  for (int rank = 1; rank <= ranks; ++rank) cuts.push_back(cuts.back() + 2 + rank);
  GridSpec spec{.extent = {cuts.back(), 6}, .cuts = {cuts, {0, 6}}};
  Grid<2> grid(*run, spec);
  const auto place = static_cast<std::size_t>(grid.comm().coordinates()[0]);
  EXPECT_EQ(grid.block(Centring::cell).start[0], cuts[place]);
  EXPECT_EQ(grid.block(Centring::cell).count[0], static_cast<long long>(place) + 3);
  const GridSpec even{.extent = {cuts.back(), 6}};
  Grid<2> other(*run, even);
  EXPECT_EQ(sum_of_neighbours(grid), sum_of_neighbours(other));
  spec.cuts[0].back() += 1;
  EXPECT_THROW(Grid<2>(*run, spec), rt::Error);
}

TEST(Grids, FieldsAskTheDeckOnlyWhereWanted) {
  SampleRun run("grid: {extent: [24, 24]}\nboundary: {u: {all: {neumann: 3}}}");
  const GridSpec spec{.extent = {24, 24}};
  GridSpec asking = spec;
  asking.boundaries_of_deck = true;
  Grid<2> of_deck(*run), own(*run, spec), asks(*run, asking);
  const auto kind = [](Grid<2>& grid) {
    return Field<double, 2>(grid, "u").boundary({0, Side::low}).kind;
  };
  EXPECT_EQ(kind(of_deck), BoundaryCondition::Kind::neumann);
  EXPECT_EQ(kind(own), BoundaryCondition::Kind::dirichlet);
  EXPECT_EQ(kind(asks), BoundaryCondition::Kind::neumann);
}

TEST(Grids, ImpossibleOnesAreRefused) {
  SampleRun run("grid: {extent: [8]}");
  EXPECT_THROW(Grid<2>(*run, GridSpec{.extent = {8}}), rt::Error);
  EXPECT_THROW(Grid<1>(*run, GridSpec{.extent = {0}}), rt::Error);
  EXPECT_THROW(Grid<1>(*run, GridSpec{.extent = {8}, .length = {1, 1}}), rt::Error);
  EXPECT_THROW(Grid<1>(*run, GridSpec{.extent = {8}, .length = {-1}}), rt::Error);
  EXPECT_THROW(Grid<1>(*run, GridSpec{.extent = {8}, .cuts = {{0, 5, 4, 8}}}), rt::Error);
  const Grid<1> grid(*run, GridSpec{.extent = {64}});
  EXPECT_THROW(Grid<1>(grid, GridSpec{.extent = {32}, .periodic = {true}}), rt::Error);
}

}  // namespace
}  // namespace cartwright::grid
