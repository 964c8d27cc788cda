// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/thread_binding.hpp>
#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/error.hpp>
#include <limits>

namespace cartwright::grid {

namespace {

std::unique_ptr<comm::CartComm> make_communicator(Run& run, const GridOptions& options) {
  rt::Runtime& runtime = run.runtime();
  const mapping::Topology topology = mapping::discover(
      runtime.comm(), run.mapping_options().topology, ThreadBinding::of_this_rank().cpus);
  mapping::ProcessGridRequest request;
  request.ranks = runtime.comm().size();
  request.extents = options.extent;
  request.periodic = options.periodic;
  request.fixed = run.mapping_options().process_grid;
  if (topology.is_uniform()) request.node_size = topology.largest_node;
  comm::CartOptions cart;
  cart.settings = run.comm_settings().as_resolved();
  cart.dims = mapping::choose_process_grid(request);
  cart.periodic = options.periodic;
  cart.arena = runtime.arena();
  cart.weights = mapping::face_cells(request, cart.dims);
  cart.strategy = mapping::strategy_from_name(run.mapping_options().strategy);
  return std::make_unique<comm::CartComm>(runtime.comm(), runtime.progress(), cart, topology);
}

}  // namespace

GridBase::GridBase(Run& run, int dimensions)
    : run_(run), kernel_regions_(run.runtime().trace()), dimensions_(dimensions) {
  const rt::Timed timed(trace(), trace().region("grid and mapping"));
  const GridOptions& options = run.options().grid;
  if (static_cast<int>(options.extent.size()) != dimensions)
    throw run.runtime().deck().error(
        "grid.extent",
        fmt::format("'grid.extent' has {} number{}, but the solver '{}' makes a grid of {} "
                    "dimension{}",
                    options.extent.size(), options.extent.size() == 1 ? "" : "s", run.solver().name,
                    dimensions, dimensions == 1 ? "" : "s"),
        "Give one number for each. If the solver is yours: .function takes its forms in 1, 2 and 3 "
        "dimensions in this order, nullptr where there is none.");
  double longest = 0.0;
  for (int axis = 0; axis < dimensions; ++axis) {
    extent_[at(axis)] = options.extent[at(axis)];
    longest = std::max(longest, static_cast<double>(extent_[at(axis)]));
    if (!options.origin.empty()) origin_[at(axis)] = options.origin[at(axis)];
    if (!options.periodic.empty()) periodic_[at(axis)] = options.periodic[at(axis)];
  }
  for (int axis = 0; axis < dimensions; ++axis)
    length_[at(axis)] = options.length.empty() ? static_cast<double>(extent_[at(axis)]) / longest
                                               : options.length[at(axis)];
  comm_ = make_communicator(run, options);
  halo_comm_ = comm_->communicator().duplicate();
  if (run.options().check_halos()) checks_ = std::make_unique<HaloChecks>(run);
}

GridBase::~GridBase() = default;

rt::Trace& GridBase::trace() const noexcept {
  return run_.runtime().trace();
}

GridDescription GridBase::description() const {
  GridDescription result;
  result.dimensions = dimensions_;
  result.extent = extent_;
  result.length = length_;
  result.origin = origin_;
  result.periodic = periodic_;
  return result;
}

double GridBase::inverse_spacing_squared() const noexcept {
  double sum = 0.0;
  for (int axis = 0; axis < dimensions_; ++axis) sum += 1.0 / (spacing(axis) * spacing(axis));
  return sum;
}

bool GridBase::is_boundary(Face face) const {
  return !comm_->neighbour(face.axis, face.is_low() ? -1 : 1).has_value();
}

bool GridBase::is_remote(Face face) const {
  const auto neighbour = comm_->neighbour(face.axis, face.is_low() ? -1 : 1);
  return neighbour && *neighbour != comm_->rank();
}

Block GridBase::block(Centring centring) const noexcept {
  Block result;
  result.dimensions = dimensions_;
  for (int axis = 0; axis < dimensions_; ++axis) {
    const int parts = comm_->dims()[at(axis)];
    const int mine = comm_->coordinates()[at(axis)];
    const bool has_closing_node = centring == Centring::node && !periodic_[at(axis)];
    result.global[at(axis)] = extent_[at(axis)] + (has_closing_node ? 1 : 0);
    result.start[at(axis)] = part_begin(extent_[at(axis)], parts, mine);
    const long long end = part_begin(extent_[at(axis)], parts, mine + 1);
    result.count[at(axis)] =
        end - result.start[at(axis)] + (has_closing_node && mine == parts - 1 ? 1 : 0);
  }
  return result;
}

void GridBase::require_room_for(int halo, Centring centring, const std::string& field) const {
  for (int axis = 0; axis < dimensions_; ++axis) {
    const int parts = comm_->dims()[at(axis)];
    // The smallest block along the axis is the last one. Mirroring nodes needs one point more.
    const bool bounded_nodes = centring == Centring::node && !periodic_[at(axis)];
    constexpr long long most = std::numeric_limits<int>::max() / 2;  // points are counted by int
    if (part_begin(extent_[at(axis)], parts, 1) > most)
      throw rt::input_error(
          fmt::format("grid.extent: {} cells along {} on {} ranks are more than {} on one",
                      extent_[at(axis)], static_cast<char>('x' + axis), parts, most),
          "Use more ranks along this axis, or fewer cells.", rt::Reach::all_ranks);
    const long long smallest = part_begin(extent_[at(axis)], parts, parts) -
                               part_begin(extent_[at(axis)], parts, parts - 1);
    if (smallest >= halo && (!bounded_nodes || parts > 1 || smallest + 1 > halo)) continue;
    throw rt::input_error(
        fmt::format("grid.extent: {} cells along {} on {} ranks leave a rank {} of them, but field "
                    "'{}' has a halo of {}",
                    extent_[at(axis)], static_cast<char>('x' + axis), parts, smallest, field, halo),
        "Use fewer ranks, more cells, or another mapping.process_grid.", rt::Reach::all_ranks);
  }
}

}  // namespace cartwright::grid
