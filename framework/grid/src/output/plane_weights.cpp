// SPDX-License-Identifier: Apache-2.0
// What the cells of a grid cost, summed over the planes across each axis.
#include <fmt/format.h>

#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/output/plane_weights.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cmath>

#include "../space/place_text.hpp"
#include "field_dataset.hpp"
#include "users_file.hpp"

namespace cartwright::grid {
namespace {

PlaneWeights no_weights(const GridDescription& grid) {
  PlaneWeights weights;
  for (int axis = 0; axis < grid.dimensions; ++axis)
    weights.emplace_back(static_cast<std::size_t>(grid.extent[static_cast<std::size_t>(axis)]),
                         0.0);
  return weights;
}

/// The share of part `index` of `parts`: planes across the last axis.
Block share_of(const GridDescription& grid, int parts, int index) {
  Block block{grid.dimensions, grid.extent, {0, 0, 0}, grid.extent};
  const auto last = static_cast<std::size_t>(grid.dimensions) - 1;
  const PartRange planes = part_range(grid.extent[last], parts, index);
  block.start[last] = planes.begin;
  block.count[last] = planes.size();
  return block;
}

/// Adds `weight(point, number of the point)` of each `stride`-th cell of `block` along each axis.
/// `reach`: who meets the same cells.
template <class Weight>
void add_cells(const GridDescription& grid, const Block& block, long long stride, rt::Reach reach,
               const Weight& weight, PlaneWeights& sums) {
  std::array<long long, 3> point{};
  for (long long z = 0; z < block.count[2]; z += stride)
    for (long long y = 0; y < block.count[1]; y += stride)
      for (long long x = 0; x < block.count[0]; x += stride) {
        point = {block.start[0] + x, block.start[1] + y, block.start[2] + z};
        const double value = weight(point, (z * block.count[1] + y) * block.count[0] + x);
        if (!(value >= 0.0) || !std::isfinite(value))
          throw rt::input_error(fmt::format("grid.weights: the weight of {} is {}",
                                            place_text(grid, Centring::cell, point), value),
                                "Weights are numbers, 0 or greater.", reach);
        for (int axis = 0; axis < grid.dimensions; ++axis)
          sums[static_cast<std::size_t>(axis)]
              [static_cast<std::size_t>(point[static_cast<std::size_t>(axis)])] += value;
      }
}

auto weight_by(const Formula& formula, const GridDescription& grid) {
  return [formula, grid](const std::array<long long, 3>& point, long long) {
    std::array<double, 3> position{};
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      position[a] = grid.position(axis, Centring::cell, point[a]);
    }
    return formula(position, 0.0);
  };
}

/// The numbers of `block` in the deck's file.
std::vector<double> numbers_of_file(const WeightOptions& options, const Block& block) {
  const DatasetPlan plan{options.dataset, "", Centring::cell, {ScalarType::float64, 1}, block};
  std::vector<double> numbers(static_cast<std::size_t>(block.points()));
  read_users_block(options.file, options.dataset, plan, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

void require_weight(const PlaneWeights& weights) {
  double sum = 0.0;
  for (const double plane : weights.front()) sum += plane;
  if (sum > 0.0 && std::isfinite(sum)) return;
  throw rt::input_error(fmt::format("grid.weights: all cells together weigh {}", sum),
                        "Some must weigh more than 0, and their sum must be a number.",
                        rt::Reach::all_ranks);
}

}  // namespace

PlaneWeights Run::plane_weights(const GridDescription& grid, const comm::Collectives& comm) const {
  const WeightOptions& options = this->options().grid.weights;
  if (!options.are_given()) return {};
  PlaneWeights sums = no_weights(grid);
  const Block mine = share_of(grid, comm.communicator().size(), comm.communicator().rank().value);
  if (!options.file.empty())
    on_root(comm, [&] { check_dataset(options.file, options.dataset, mine, 1); });
  on_all_ranks(comm, [&] {
    if (options.file.empty())
      return add_cells(grid, mine, 1, rt::Reach::this_rank,
                       weight_by({options.formula, formula_constants()}, grid), sums);
    const std::vector<double> numbers = numbers_of_file(options, mine);
    add_cells(
        grid, mine, 1, rt::Reach::this_rank,
        [&](const auto&, long long number) { return numbers[static_cast<std::size_t>(number)]; },
        sums);
  });
  for (std::vector<double>& of_axis : sums) {
    comm.allreduce(of_axis, comm::commutative(std::plus<>{}));
    comm.broadcast(of_axis, rt::Rank{0});  // whoever added in which order: one grid has one cut
  }
  require_weight(sums);
  return sums;
}

PlaneWeights estimated_plane_weights(const GridDescription& grid, const WeightOptions& options,
                                     const FormulaConstants& constants) {
  if (!options.are_given()) return {};
  const Block all = share_of(grid, 1, 0);
  if (!options.file.empty()) check_dataset(options.file, options.dataset, all, 1);
  constexpr double enough = 1 << 22;  // cells: more would take longer than anybody waits
  const double surplus = static_cast<double>(all.global_points()) / enough;
  const auto stride =
      static_cast<long long>(std::ceil(std::pow(std::max(1.0, surplus), 1.0 / grid.dimensions)));
  PlaneWeights sums = no_weights(grid);
  if (!options.file.empty()) {
    if (stride > 1) return {};
    const std::vector<double> numbers = numbers_of_file(options, all);
    add_cells(
        grid, all, 1, rt::Reach::all_ranks,
        [&](const auto&, long long number) { return numbers[static_cast<std::size_t>(number)]; },
        sums);
  } else {
    add_cells(grid, all, stride, rt::Reach::all_ranks,
              weight_by({options.formula, constants}, grid), sums);
  }
  for (std::vector<double>& of_axis : sums)
    for (std::size_t plane = 0; plane < of_axis.size(); ++plane)
      of_axis[plane] = of_axis[plane - plane % static_cast<std::size_t>(stride)];
  require_weight(sums);
  return sums;
}

}  // namespace cartwright::grid
