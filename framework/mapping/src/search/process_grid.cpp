// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/mapping/search/tile.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <tuple>

namespace cartwright::mapping {

namespace {

using Request = ProcessGridRequest;

long long most_ranks_along(const Request& request, std::size_t axis) {
  return std::max(1LL, request.extents[axis] / std::max(1LL, request.smallest_block));
}

int fixed_at(const Request& request, std::size_t axis) {
  return request.fixed.empty() ? 0 : request.fixed[axis];
}

/// How many ranks the grid can take at most.
long long most_ranks(const Request& request) {
  constexpr long long enough = std::numeric_limits<int>::max();
  long long ranks = 1;
  for (std::size_t axis = 0; axis < request.extents.size(); ++axis) {
    const int fixed = fixed_at(request, axis);
    const long long along = fixed != 0 ? fixed : most_ranks_along(request, axis);
    ranks = std::min(ranks * std::min(along, enough), enough);
  }
  return ranks;
}

/// Cells of the largest block along `axis`.
double largest(const Request& request, const std::vector<int>& dims, std::size_t axis) {
  const long long cells = (request.extents[axis] + dims[axis] - 1) / dims[axis];
  return static_cast<double>(cells);
}

double largest_block(const Request& request, const std::vector<int>& dims) {
  double cells = 1.0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) cells *= largest(request, dims, axis);
  return cells;
}

double cells_of_face(const Request& request, const std::vector<int>& dims, std::size_t axis) {
  return largest_block(request, dims) / largest(request, dims, axis);
}

/// Halo cells of one face across `axis`, times their weight.
double face_cost(const Request& request, const std::vector<int>& dims, std::size_t axis) {
  const double weight = (request.weights.empty() ? 1.0 : request.weights[axis]) *
                        (axis == 0 && dims.size() > 1 ? unit_stride_penalty : 1.0);
  return weight * cells_of_face(request, dims, axis);
}

/// Calls `visit` for every allowed process grid of `left` ranks, from `axis` on.
void for_each_grid(const Request& request, std::vector<int>& dims, std::size_t axis, int left,
                   const std::function<void()>& visit) {
  if (axis == dims.size()) {
    if (left == 1) visit();
    return;
  }
  const int fixed = fixed_at(request, axis);
  const auto most = std::min<long long>(left, most_ranks_along(request, axis));
  const auto attempt = [&](int extent) {
    if (extent > most || left % extent != 0 || (fixed != 0 && extent != fixed)) return;
    dims[axis] = extent;
    for_each_grid(request, dims, axis + 1, left / extent, visit);
  };
  for (int divisor = 1; static_cast<long long>(divisor) * divisor <= left; ++divisor) {
    if (left % divisor != 0) continue;
    attempt(divisor);
    if (divisor != left / divisor) attempt(left / divisor);
  }
}

std::optional<std::vector<int>> best_grid(const Request& request) {
  std::optional<std::vector<int>> best;
  // Least halo of nodes and ranks, then least work of the busiest rank, then cuts across later
  // axes.
  const auto key_of = [&](const std::vector<int>& dims) {
    return std::tuple(halo_cost(request, dims) + node_halo_cost(request, dims),
                      largest_block(request, dims), dims);
  };
  decltype(key_of({})) least;
  std::vector<int> dims(request.extents.size());
  for_each_grid(request, dims, 0, request.ranks, [&] {
    auto key = key_of(dims);
    if (best && !(key < least)) return;
    best = dims;
    least = std::move(key);
  });
  return best;
}

/// Where no fewer ranks fit: fixed axes may want more than there are, and as few as they want
/// themselves fit if any number does.
std::string advice_of_more_ranks(Request request) {
  long long wanted = 1;
  for (const int extent : request.fixed)
    wanted = std::min<long long>(wanted * std::max(extent, 1), std::numeric_limits<int>::max());
  request.ranks = static_cast<int>(wanted);
  if (const auto fits = best_grid(request))
    return fmt::format("The smallest number of ranks that fits is {} ({}).", request.ranks,
                       fmt::join(*fits, " x "));
  return "No number of ranks fits: change mapping.process_grid or the extents.";
}

rt::Error nothing_fits(Request request) {
  const int asked = request.ranks;
  request.ranks = static_cast<int>(std::min(most_ranks(request), asked - 1LL) + 1);
  std::string advice;
  while (--request.ranks > 0 && advice.empty()) {
    if (const auto fits = best_grid(request)) {
      advice = fmt::format("The next smaller number of ranks that fits is {} ({}).", request.ranks,
                           fmt::join(*fits, " x "));
    }
  }
  if (advice.empty()) advice = advice_of_more_ranks(request);
  std::string limits;
  if (!request.fixed.empty()) {
    limits = fmt::format(" with mapping.process_grid: [{}]", fmt::join(request.fixed, ", "));
  }
  if (request.smallest_block > 1) {
    limits +=
        fmt::format(", where each rank needs {} cells along each axis", request.smallest_block);
  }
  return rt::input_error(
      fmt::format("{} rank{} can't share a grid of {} cells{}", asked, asked == 1 ? "" : "s",
                  fmt::join(request.extents, " x "), limits),
      advice, rt::Reach::all_ranks);
}

void check(const Request& request) {
  const std::size_t d = request.extents.size();
  const auto fits = [d](std::size_t size) { return size == 0 || size == d; };
  if (d == 0 || !fits(request.periodic.size()) || !fits(request.fixed.size()) ||
      !fits(request.weights.size())) {
    throw rt::input_error(
        fmt::format("a process grid for {} axes is described by {} entries of periodicity, {} of "
                    "mapping.process_grid and {} of weights",
                    d, request.periodic.size(), request.fixed.size(), request.weights.size()),
        "Give one entry an axis (0 in mapping.process_grid leaves an axis free).",
        rt::Reach::all_ranks);
  }
  const auto negative = [](auto number) { return number < 0; };
  if (request.ranks < 1 || std::any_of(request.fixed.begin(), request.fixed.end(), negative) ||
      std::any_of(request.extents.begin(), request.extents.end(), [](auto n) { return n < 1; })) {
    throw rt::input_error(
        "a process grid needs at least one rank and one cell along each axis, and "
        "no negative entry",
        "Check grid.extent and mapping.process_grid.", rt::Reach::all_ranks);
  }
}

}  // namespace

std::vector<double> face_cells(const Request& request, const std::vector<int>& dims) {
  std::vector<double> cells;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    cells.push_back(cells_of_face(request, dims, axis));
  return cells;
}

double halo_cost(const Request& request, const std::vector<int>& dims) {
  double cost = 0.0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] == 1) continue;
    const bool wraps = !request.periodic.empty() && request.periodic[axis];
    const int sides = wraps || dims[axis] > 2 ? 2 : 1;
    cost += sides * face_cost(request, dims, axis);
  }
  return cost;
}

double node_halo_cost(const Request& request, const std::vector<int>& dims) {
  const int node_size = request.node_size;
  if (node_size < 1 || node_size >= request.ranks || request.ranks % node_size != 0) return 0.0;
  GridShape shape{dims, request.periodic};
  shape.periodic.resize(dims.size(), false);
  std::vector<double> weights;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    weights.push_back(face_cost(request, dims, axis));
  const auto tile = choose_tile(shape, node_size, weights);
  // Both sides of a face send.
  return tile ? 2.0 * tile_faces(shape, *tile, weights) * node_size / request.ranks : 0.0;
}

std::array<int, 2> squarest_process_grid(int ranks) {
  int shorter = static_cast<int>(std::sqrt(static_cast<double>(ranks)));
  while (ranks % shorter != 0) --shorter;
  return {ranks / shorter, shorter};
}

std::vector<int> choose_process_grid(const ProcessGridRequest& request) {
  check(request);
  auto best = best_grid(request);
  if (!best) throw nothing_fits(request);
  return *std::move(best);
}

}  // namespace cartwright::mapping
