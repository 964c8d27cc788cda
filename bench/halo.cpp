// SPDX-License-Identifier: Apache-2.0
// The exchange of one ghost layer of 1, 2 and 4 fields on periodic grids of 32³ to 256³ doubles
// (over all ranks): ours (as it is; one field also from field to field, and by one-sided epochs)
// against packing and MPI_Isend/Irecv written by hand, against MPI_Neighbor_alltoallw with subarray
// datatypes, and, on one node, against reading the neighbour's points by process_vm_readv.
// layouts: 2x1
#include <fmt/format.h>

#include <array>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/rt/error.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/deck_run.hpp"
#include "common/opponents.hpp"
#include "common/program.hpp"
#include "common/race.hpp"
#include "peer/exchange.hpp"
#include "peer/pulled_exchange.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;
namespace peer = cartwright::bench::peer;

namespace {

/// A value that tells field and global place, periodic.
double value_at(const cw::Grid<3>& grid, const std::array<long long, 3>& start, int field, int x,
                int y, int z) {
  const std::array<int, 3> local{x, y, z};
  double value = field;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const long long extent = grid.extent(axis);
    value = value * 1024.0 + static_cast<double>((start[a] + local[a] + extent) % extent);
  }
  return value;
}

/// Sets the owned points and spoils the ghosts (`check` false), or tells whether the ghosts beyond
/// all faces are right.
template <class At>
bool visit_points(const cw::Grid<3>& grid, int field, bool check, const At& at) {
  const auto start = grid.block(cw::Centring::cell).start;
  const auto [nx, ny, nz] = bench::extents_of(grid);
  bool right = true;
  for (int z = -1; z <= nz; ++z)
    for (int y = -1; y <= ny; ++y)
      for (int x = -1; x <= nx; ++x) {
        // Points that no neighbour gets don't matter.
        const bool is_deep = y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
        if (is_deep && x == 1) x = nx - 1;
        const int outside = (x < 0 || x == nx) + (y < 0 || y == ny) + (z < 0 || z == nz);
        const double expected = value_at(grid, start, field, x, y, z);
        if (!check) at(x, y, z) = outside == 0 ? expected : -1.0;
        if (check && outside == 1) right = right && at(x, y, z) == expected;
      }
  return right;
}

auto accessor(const cw::FieldView<double, 3>& view) {
  return [view](int x, int y, int z) -> double& { return view(cw::Index<3>{{x, y, z}}); };
}
auto accessor(const peer::Block& block) {
  return [&block](int x, int y, int z) -> double& { return block.row(y, z)[x]; };
}

/// Runs an exchange on spoiled ghosts; throws unless it fills all of them on all ranks, except when
/// it is only `tried`.
template <class Memory>
bool proves_right(const cw::Grid<3>& grid, std::deque<Memory>& memory, int count,
                  const std::function<void()>& exchange) {
  const auto at = [&memory](int f) {
    auto& one = memory[static_cast<std::size_t>(f)];
    if constexpr (std::is_same_v<Memory, peer::Block>)
      return accessor(one);
    else
      return accessor(one.view());
  };
  for (int f = 0; f < count; ++f) visit_points(grid, f, false, at(f));
  exchange();
  int right = 1;
  for (int f = 0; f < count; ++f) right = visit_points(grid, f, true, at(f)) ? right : 0;
  return grid.comm().allreduce(right, cartwright::comm::Operator::minimum) == 1;
}

void require(bool is_right, const char* who) {
  if (!is_right)
    throw cartwright::rt::internal_failure(
        fmt::format("the exchange by {} left wrong values in ghosts", who));
}

std::function<void()> our_exchange(std::deque<cw::Field<double, 3>>& f, int count) {
  switch (count) {
    case 1:
      return [&f] { cw::exchange(f[0]).wait(); };
    case 2:
      return [&f] { cw::exchange(f[0], f[1]).wait(); };
    default:
      return [&f] { cw::exchange(f[0], f[1], f[2], f[3]).wait(); };
  }
}

/// How ghosts travel, and in how many columns it is looked at.
struct Way {
  const char* name;  ///< what is added to a case's name
  const char* deck;
  bool in_full;
};

void race_exchanges(const cw::Grid<3>& grid, std::deque<cw::Field<double, 3>>& fields, int count,
                    const Way& way, const bench::Setting& setting, bench::Results& results) {
  const peer::Extents extents = bench::extents_of(grid);
  const MPI_Comm comm = grid.comm().communicator().handle();
  // Everybody has memory of his own: nobody finds in the caches what another one has just moved.
  std::deque<peer::Block> packed_blocks;
  std::deque<peer::Block> datatype_blocks;
  std::deque<peer::Block> pulled_blocks;
  const auto make_blocks = [&](std::deque<peer::Block>& blocks) {
    std::vector<const peer::Block*> made;
    for (int f = 0; f < count; ++f) made.push_back(&blocks.emplace_back(extents));
    return made;
  };
  const auto dims = grid.comm().dims();
  peer::PackedExchange packed(comm, bench::neighbours_of(grid), make_blocks(packed_blocks));
  peer::DatatypeExchange datatypes(comm, {dims[0], dims[1], dims[2]}, make_blocks(datatype_blocks));
  std::optional<peer::PulledExchange> pulled;
  if (peer::PulledExchange::is_possible(grid.comm().communicator()))
    pulled.emplace(grid.comm().communicator(), bench::neighbours_of(grid),
                   make_blocks(pulled_blocks));
  const auto ours = our_exchange(fields, count);

  require(proves_right(grid, fields, count, ours), "cartwright");
  require(proves_right(grid, packed_blocks, count, [&] { packed.run(); }), "hand");
  if (!proves_right(grid, datatype_blocks, count, [&] { datatypes.run(); })) {
    datatypes.exchange_sides_of_short_axes();
    require(proves_right(grid, datatype_blocks, count, [&] { datatypes.run(); }),
            "MPI_Neighbor_alltoallw");
  }
  std::vector<std::function<void()>> contestants{ours, [&] { packed.run(); },
                                                 [&] { datatypes.run(); }};
  if (pulled) {
    contestants.emplace_back([&] { pulled->run(); });
    require(proves_right(grid, pulled_blocks, count, contestants.back()), "process_vm_readv");
  }

  const bench::Effort effort{
      .seconds = setting.options.quick ? 1.5 : 6.0, .most_rounds = 4001, .patience = 2.0};
  const auto times = bench::race(grid.comm().communicator(), contestants, effort);
  const long long n = grid.extent(0);
  const nlohmann::ordered_json parameters{
      {"cells", {n, n, n}}, {"fields", count}, {"layout", setting.layout}, {"process_grid", dims}};
  const std::string what =
      fmt::format("{}^3, {} field{}{}", n, count, count == 1 ? "" : "s", way.name);
  results.add(bench::Case::of_times(what + ", Isend/Irecv", parameters, times[0], times[1]));
  if (pulled)
    results.add(bench::Case::of_times(what + ", process_vm_readv", parameters, times[0], times[3]));
  if (!way.in_full) return;
  results.add(bench::Case::of_times(what + ", Neighbor_alltoallw", parameters, times[0], times[2]));
}

void measure_extent(int n, const Way& way, const bench::Setting& setting, bench::Results& results) {
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "halo";
  entry.about = "exchange of ghosts";
  entry.functions[2] = [&](cw::Run& run) {
    cw::Grid<3> grid(run);
    std::deque<cw::Field<double, 3>> fields;
    for (const char* name : {"a", "b", "c", "d"}) fields.emplace_back(grid, name);
    for (const int count : {1, 2, 4})
      if (way.in_full || count == 1) race_exchanges(grid, fields, count, way, setting, results);
  };
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0], "
                                     "periodic: [true, true, true]}}\n"
                                     "comm: {{{1}}}\ntime: {{steps: 1, step: 1.0}}\n",
                                     n, way.deck));
}

void measure(const bench::Setting& setting, bench::Results& results) {
  for (const int n : {32, 64, 128, 256})
    for (const Way& way :
         {Way{"", "backend: auto", true}, Way{", field to field", "direct_ghosts: true", false},
          Way{", by epochs", "backend: rma", false}})
      measure_extent(n, way, setting, results);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "halo", measure);
}
