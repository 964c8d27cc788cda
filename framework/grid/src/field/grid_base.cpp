// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/cell_tables.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/field/message_memory.hpp>
#include <cartwright/grid/kernels/execution.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/mapping/placement/options.hpp>
#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/program.hpp>
#include <limits>

namespace cartwright::grid {

namespace {

template <class T>
std::vector<T> axes_of(const std::array<T, 3>& values, int dimensions) {
  return std::vector<T>(values.begin(), values.begin() + dimensions);
}

std::unique_ptr<comm::CartComm> make_communicator(App& app, const GridDescription& grid,
                                                  const Cuts& cuts) {
  mapping::ProcessGridRequest request;
  request.ranks = app.runtime().comm().size();
  request.extents = axes_of(grid.extent, grid.dimensions);
  request.periodic = axes_of(grid.periodic, grid.dimensions);
  request.fixed = cuts.empty() ? app.mapping_options().process_grid : ranks_of(cuts);
  if (app.topology().is_uniform()) request.node_size = app.topology().largest_node;
  const std::vector<int> dims = mapping::choose_process_grid(request);
  return app.make_cart({dims, request.periodic, mapping::face_cells(request, dims)});
}

std::unique_ptr<comm::CartComm> make_communicator_of_one(App& app, const GridDescription& grid) {
  rt::Runtime& runtime = app.runtime();
  const auto axes = static_cast<std::size_t>(grid.dimensions);
  comm::CartOptions cart;
  cart.settings.is_resolved = true;  // there is nobody to talk to: nothing that a deck says matters
  cart.settings.backend = comm::BackendId::native;
  cart.dims.assign(axes, 1);
  cart.periodic = axes_of(grid.periodic, grid.dimensions);
  cart.strategy = mapping::Strategy::identity;
  const rt::Communicator alone =
      rt::Communicator::duplicate(MPI_COMM_SELF);  // nobody else is asked
  return std::make_unique<comm::CartComm>(alone, runtime.progress(), cart);
}

GridDescription description_of_deck(Run& run, int dimensions) {
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
  return description_of(options);
}

GridDescription description_of(const GridSpec& spec, int dimensions) {
  if (static_cast<int>(spec.extent.size()) == dimensions) return description_of(spec);
  throw rt::internal_failure(fmt::format("a GridSpec with {} extents for a grid of {} dimensions",
                                         spec.extent.size(), dimensions));
}

std::unique_ptr<HaloChecks> checks_of(Run* run) {
  if (run == nullptr || !run->options().check_halos()) return nullptr;
#ifdef KOKKOS_ENABLE_CUDA
  throw rt::input_error("'checks: halos' looks at what kernels have captured, which nvcc hides",
                        "Leave 'checks' out, or run a program that was built without --device.",
                        rt::Reach::all_ranks);
#else
  return std::make_unique<HaloChecks>(*run);
#endif
}

std::shared_ptr<SharedFields> shared_fields_on(const App& app, const comm::CartComm& comm) {
  if (!app.exchange_options().direct_ghosts || message_memory_of(app, comm) != MessageMemory::host)
    return nullptr;
  return std::make_shared<SharedFields>(comm);
}

}  // namespace

GridRanks::GridRanks(App& app, Run* run, const GridDescription& grid, const Cuts& cuts)
    : comm_(make_communicator(app, grid, cuts)),
      checks_(checks_of(run)),
      shared_fields_(shared_fields_on(app, *comm_)) {}

GridRanks::GridRanks(App& app, Run* run, const GridDescription& grid)
    : comm_(make_communicator_of_one(app, grid)), checks_(checks_of(run)) {}

GridRanks::GridRanks(Run* run, std::unique_ptr<comm::CartComm> comm)
    : comm_(std::move(comm)), checks_(checks_of(run)) {}

GridRanks::~GridRanks() = default;

std::shared_ptr<comm::NeighbourExchange> GridRanks::make_exchange(
    const std::vector<comm::NeighbourBytes>& neighbours, rt::Trace& trace,
    const comm::NeighbourRegions& regions, std::size_t described,
    const comm::NeighbourMemory& memory) {
  auto made = std::make_shared<comm::NeighbourExchange>(
      *comm_, neighbours, static_cast<int>(exchanges_.size()), trace, regions,
      rt::WaitSite{"the exchange of ghosts"}, described, memory);
  exchanges_.push_back(made);
  return made;
}

FieldRoom GridBase::room_for(std::size_t bytes) const {
  SharedFields* const shared = ranks_->shared_fields();
  return shared != nullptr ? shared->acquire(bytes) : FieldRoom();
}

bool GridRanks::has_unexpected_ghosts() const {
  return std::ranges::any_of(exchanges_, [](const auto& known) {
    const auto exchange = known.lock();
    return exchange != nullptr && exchange->is_behind();
  });
}

GridBase::GridBase(App& app, Run* run, GridDescription grid, bool boundaries_of_deck)
    : app_(app),
      run_(run),
      kernel_regions_(app.runtime().trace()),
      grid_(std::move(grid)),
      tables_(grid_.is_stretched() ? std::make_shared<const CellTables>(grid_) : nullptr),
      boundaries_of_deck_(boundaries_of_deck) {}

GridBase::GridBase(Run& run, int dimensions)
    : GridBase(run, &run, description_of_deck(run, dimensions), true) {
  const rt::Timed timed(trace(), trace().region("grid and mapping"));
  ranks_ = std::make_shared<GridRanks>(run, &run, grid_, Cuts{});
  set_cuts(run.cuts(grid_, comm()));
}

GridBase::GridBase(Run& run, const GridSpec& spec, int dimensions)
    : GridBase(run, &run, spec, dimensions) {}

GridBase::GridBase(App& app, const GridSpec& spec, int dimensions)
    : GridBase(app, nullptr, spec, dimensions) {
  if (spec.boundaries_of_deck)
    throw rt::internal_failure("boundary conditions of a deck belong to a run's grids",
                               "Make the grid with Grid(run, spec), or set them in the program.");
}

GridBase::GridBase(App& app, Run* run, const GridSpec& spec, int dimensions)
    : GridBase(app, run, description_of(spec, dimensions), spec.boundaries_of_deck) {
  const rt::Timed timed(trace(), trace().region("grid and mapping"));
  ranks_ = spec.on_every_rank ? std::make_shared<GridRanks>(app, run, grid_)
                              : std::make_shared<GridRanks>(app, run, grid_, spec.cuts);
  set_cuts(spec);
}

GridBase::GridBase(const GridBase& other, const GridSpec& spec)
    : GridBase(other, spec, spec.on_every_rank ? nullptr : other.ranks_) {}

GridBase::GridBase(const GridBase& other, const GridSpec& spec, std::shared_ptr<GridRanks> ranks)
    : GridBase(other.app_, other.run_, description_of(spec, other.dimensions()),
               spec.boundaries_of_deck) {
  if (grid_.periodic != other.grid_.periodic)
    throw rt::internal_failure("a grid on another one's ranks has the same periodic axes",
                               "Make it with Grid(app, spec) instead.");
  ranks_ = ranks != nullptr ? std::move(ranks) : std::make_shared<GridRanks>(app_, run_, grid_);
  set_cuts(spec);
}

GridBase::~GridBase() = default;

void GridBase::set_cuts(const GridSpec& spec) {
  if (!spec.cuts.empty() || spec.weights.empty()) return set_cuts(spec.cuts);
  const std::vector<int> ranks(comm().dims().begin(), comm().dims().end());
  bool fits = spec.weights.size() == ranks.size();
  for (std::size_t axis = 0; fits && axis < ranks.size(); ++axis)
    fits = spec.weights[axis].size() == static_cast<std::size_t>(grid_.extent[axis]);
  if (!fits)
    throw rt::internal_failure("a GridSpec's weights are not as many as planes of cells",
                               "Give a number for each plane across each axis.");
  const long long least = (run_ != nullptr ? run_->options().grid : GridOptions{}).weights.least;
  set_cuts(weighted_cuts(spec.weights, ranks, least));
}

void GridBase::set_cuts(const Cuts& cuts) {
  const std::vector<int> ranks(comm().dims().begin(), comm().dims().end());
  cuts_ = cuts.empty() ? even_cuts(grid_, ranks) : cuts;
  bool fits = cuts_.size() == ranks.size();
  for (std::size_t axis = 0; fits && axis < ranks.size(); ++axis)
    fits = cuts_[axis].size() == static_cast<std::size_t>(ranks[axis]) + 1 &&
           cuts_[axis].front() == 0 && cuts_[axis].back() == grid_.extent[axis] &&
           std::is_sorted(cuts_[axis].begin(), cuts_[axis].end());
  if (!fits)
    throw rt::internal_failure(
        "the cuts of a grid don't rise from 0 to its extent, or there aren't as many as ranks",
        "Give the begin of each rank's block along each axis, and the end.");
}

rt::Trace& GridBase::trace() const noexcept {
  return app_.runtime().trace();
}

Run& GridBase::run() const {
  if (run_ != nullptr) return *run_;
  throw rt::internal_failure("a grid that was made without a run is asked for it",
                             "Make it with Grid(run, spec), or do without steps and output.",
                             rt::Reach::all_ranks);
}

Sample* GridBase::sample() const noexcept {
  return run_ != nullptr ? run_->sample() : nullptr;
}

WorkBalance* GridBase::work() const noexcept {
  return run_ != nullptr ? run_->work() : nullptr;
}

double GridBase::time() const noexcept {
  return run_ != nullptr ? run_->time() : 0.0;
}

std::string GridBase::unit_of(const std::string& field) const {
  return run_ != nullptr ? run_->unit_of(field) : std::string{};
}

BoundaryConditions GridBase::boundary_conditions(const std::string& field, int components) const {
  return boundaries_of_deck_ ? run().boundary_deck(field, components) : BoundaryConditions{};
}

void GridBase::note_storage(std::size_t bytes_per_point, int halo, int reach) const {
  if (run_ != nullptr) run_->note_storage(bytes_per_point, halo, reach);
}

double GridBase::spacing(int axis) const {
  if (!grid_.is_stretched(axis)) return grid_.spacing(axis);
  throw rt::input_error(
      fmt::format("grid.coordinates: cells along {} have widths of their own, but what runs here "
                  "('{}') wants them all equal",
                  "xyz"[axis],
                  run_ != nullptr ? run_->solver().name : app_.runtime().program().name),
      "Leave grid.coordinates out, or choose what can do with it: docs/deck.md.",
      rt::Reach::all_ranks);
}

double GridBase::inverse_spacing_squared() const noexcept {
  double sum = 0.0;
  for (int axis = 0; axis < dimensions(); ++axis) {
    const double least = grid_.least_spacing(axis);
    sum += 1.0 / (least * least);
  }
  return sum;
}

bool GridBase::is_boundary(Face face) const {
  return !comm().neighbour(face.axis, face.is_low() ? -1 : 1).has_value();
}

bool GridBase::is_remote(Face face) const {
  const auto neighbour = comm().neighbour(face.axis, face.is_low() ? -1 : 1);
  return neighbour && *neighbour != comm().rank();
}

Block GridBase::block(Centring centring) const noexcept {
  Block result;
  result.dimensions = dimensions();
  for (int axis = 0; axis < dimensions(); ++axis) {
    const std::vector<long long>& cuts = cuts_[at(axis)];
    const auto mine = static_cast<std::size_t>(comm().coordinates()[at(axis)]);
    const bool has_closing_node = is_nodal(centring, axis) && !periodic(axis);
    const bool is_last = mine + 2 == cuts.size();
    result.global[at(axis)] = extent(axis) + (has_closing_node ? 1 : 0);
    result.start[at(axis)] = cuts[mine];
    result.count[at(axis)] = cuts[mine + 1] - cuts[mine] + (has_closing_node && is_last ? 1 : 0);
  }
  return result;
}

void GridBase::require_room_for(int halo, Centring centring, const std::string& field) const {
  if (is_stretched() && halo > CellTables::margin)
    throw rt::input_error(fmt::format("field '{}' has a halo of {}, but cells that are stretched "
                                      "(grid.coordinates) bear at most {}",
                                      field, halo, CellTables::margin),
                          {}, rt::Reach::all_ranks);
  for (int axis = 0; axis < dimensions(); ++axis) {
    const std::vector<long long>& cuts = cuts_[at(axis)];
    const std::size_t parts = cuts.size() - 1;
    // Mirroring nodes needs one point more.
    const bool bounded_nodes = is_nodal(centring, axis) && !periodic(axis);
    constexpr long long most = std::numeric_limits<int>::max() / 2;  // points are counted by int
    long long smallest = extent(axis), largest = 0;
    for (std::size_t part = 0; part < parts; ++part) {
      smallest = std::min(smallest, cuts[part + 1] - cuts[part]);
      largest = std::max(largest, cuts[part + 1] - cuts[part]);
    }
    if (largest > most)
      throw rt::input_error(
          fmt::format("grid.extent: {} cells along {} on {} ranks are more than {} on one",
                      extent(axis), static_cast<char>('x' + axis), parts, most),
          "Use more ranks along this axis, or fewer cells.", rt::Reach::all_ranks);
    if (smallest >= halo && (!bounded_nodes || parts > 1 || smallest + 1 > halo)) continue;
    throw rt::input_error(
        fmt::format("grid.extent: {} cells along {} on {} ranks leave a rank {} of them, but field "
                    "'{}' has a halo of {}",
                    extent(axis), static_cast<char>('x' + axis), parts, smallest, field, halo),
        "Use fewer ranks, more cells, or another mapping.process_grid.", rt::Reach::all_ranks);
  }
}

}  // namespace cartwright::grid
