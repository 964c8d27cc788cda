// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/run_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/run/slice_plane.hpp>
#include <cartwright/rt/deck.hpp>
#include <cmath>

namespace cartwright::grid {
namespace {

using rt::key;

rt::Schema<GridOptions> grid_schema() {
  return {key("extent", &GridOptions::extent)
              .required()
              .minimum(1)
              .length(1, 3)
              .example("[64, 64]")
              .about("number of cells along x, y, z; their number is the dimension"),
          key("length", &GridOptions::length)
              .above(0.0)
              .unit("m")
              .about("length of the domain along each axis; default: cubic cells, longest axis 1"),
          key("origin", &GridOptions::origin).unit("m").about("lower corner; default: zeros"),
          key("periodic", &GridOptions::periodic)
              .about("which axes are periodic; default: none")
              .example("[false, true]")};
}

rt::Schema<TimeOptions> time_schema() {
  return {
      key("steps", &TimeOptions::steps).minimum(0).about("number of steps; `end` may come first"),
      key("step", &TimeOptions::step)
          .above(0.0)
          .unit("s")
          .about("time step; default: `safety` times the largest stable one, where the solver "
                 "knows it"),
      key("end", &TimeOptions::end)
          .above(0.0)
          .unit("s")
          .about("simulated time to reach; the step is "
                 "reduced a little to meet it"),
      key("safety", &TimeOptions::safety)
          .above(0.0)
          .maximum(1.0)
          .about("fraction of the largest stable time step that is chosen"),
      key("stability", &TimeOptions::stability)
          .choices({"enforce", "warn"})
          .about("`warn`: make steps larger than the largest stable one, where `step` says so"),
      key("finite_every", &TimeOptions::finite_every)
          .minimum(0)
          .about("steps between searches for values that are not numbers; 0: only before output")};
}

rt::Schema<IterationOptions> iteration_schema() {
  return {key("tolerance", &IterationOptions::tolerance)
              .above(0.0)
              .maximum(1.0)
              .about("iterate until the residual is so small a part of the first one"),
          key("limit", &IterationOptions::limit)
              .minimum(1)
              .about("iterations after which the run ends as not converged (exit code 2)"),
          key("stagnation", &IterationOptions::stagnation)
              .minimum(0)
              .about("iterations without a residual 1 % lower than before, after which the run "
                     "gives up; 0: it doesn't"),
          key("divergence", &IterationOptions::divergence)
              .above(1.0)
              .about("give up where the residual is so many times the first one")};
}

rt::Schema<PictureOptions> picture_schema() {
  return {key("every", &PictureOptions::every).minimum(0).about("steps between pictures; 0: none"),
          key("interval", &PictureOptions::interval)
              .above(0.0)
              .unit("s")
              .about("simulated time between pictures; adaptive steps end exactly there"),
          key("fields", &PictureOptions::fields).about("default: all that are output"),
          key("slice", &PictureOptions::slice)
              .about("plane that is shown of a 3-D grid; default: the middle of z")
              .example("z=0.5"),
          key("range", &PictureOptions::range)
              .about("values at the ends of the colour bar; default: what all frames span")
              .example("[0, 1]")};
}

rt::Schema<OutputOptions> output_schema() {
  return rt::Schema<OutputOptions>{
      key("directory", &OutputOptions::directory).about("default: out/ and the deck's name"),
      key("every", &OutputOptions::every)
          .minimum(0)
          .about("steps between outputs of fields; 0: none; default: first and last step"),
      key("interval", &OutputOptions::interval)
          .above(0.0)
          .unit("s")
          .about("simulated time between outputs; adaptive steps end exactly there, fixed ones "
                 "are output when they have reached it"),
      key("diagnostics", &OutputOptions::diagnostics)
          .minimum(0)
          .about("steps between rows of diagnostics.csv; 0: none; default: as `every`"),
      key("fields", &OutputOptions::fields).about("default: all that the solver declares"),
      key("precision", &OutputOptions::precision)
          .choices({"float64", "float32"})
          .about("of fields in output; checkpoints are always exact")}
      .section("pictures", &OutputOptions::pictures, picture_schema(), "PNG pictures");
}

rt::Schema<CheckpointOptions> checkpoint_schema() {
  return {key("every", &CheckpointOptions::every)
              .minimum(0)
              .about("steps between checkpoints; 0: only when a run is stopped early"),
          key("keep", &CheckpointOptions::keep)
              .minimum(1)
              .about("checkpoints that stay; older ones are removed"),
          key("changes", &CheckpointOptions::changes)
              .choices({"refuse", "accept"})
              .about("whether a restart may have other parameters of the solver, or another "
                     "time step, than its checkpoint; the run lists them")};
}

rt::Schema<RunOptions> top_schema() {
  return rt::Schema<RunOptions>{
      key("checks", &RunOptions::checks)
          .choices({"none", "halos"})
          .about("`halos`: stop where a kernel would read stale ghosts (slower)")}
      .section("grid", &RunOptions::grid, grid_schema(), "the domain")
      .section("time", &RunOptions::time, time_schema(),
               "time stepping; `steps` or `end` is needed")
      .section("iteration", &RunOptions::iteration, iteration_schema(),
               "for solvers that iterate towards a solution instead of making time steps")
      .section("output", &RunOptions::output, output_schema(), "results")
      .section("checkpoint", &RunOptions::checkpoint, checkpoint_schema(), "for restarts");
}

rt::Schema<RunOptions> exchange_schema() {
  return {
      key("overlap", &RunOptions::overlap).about("compute while halo messages fly"),
      key("stage_messages", &RunOptions::stage_messages)
          .about(
              "copy halo messages to host memory first, for an MPI that can't take device memory")};
}

template <class T>
void fill(const rt::Deck& deck, const std::string& path, std::vector<T>& values, std::size_t count,
          T standard) {
  if (values.empty()) values.assign(count, standard);
  if (values.size() != count)
    throw deck.error(path, fmt::format("'{}' has {} element{}, but 'grid.extent' has {}", path,
                                       values.size(), values.size() == 1 ? "" : "s", count));
}

void refuse_too_many_cells(const rt::Deck& deck, const std::vector<long long>& extents) {
  constexpr double most = 9007199254740992.0;  // 2^53: counts stay exact everywhere
  double cells = 1.0;
  for (const long long extent : extents) cells *= static_cast<double>(extent);
  if (cells > most)
    throw deck.error(
        "grid.extent",
        fmt::format("'grid.extent' asks for {:.3g} cells, but a grid has at most {:.3g}", cells,
                    most));
}

/// Neighbouring cells, and the edges of the domain, must have places that differ as numbers.
void refuse_cells_in_one_place(const rt::Deck& deck, const GridOptions& grid) {
  for (std::size_t axis = 0; axis < grid.extent.size(); ++axis) {
    const double lower = grid.origin[axis], upper = lower + grid.length[axis];
    const double half = 0.5 * grid.length[axis] / static_cast<double>(grid.extent[axis]);
    if (std::isfinite(upper) && lower + half > lower && upper - half < upper) continue;
    // The one that is out of proportion, if the deck gives both.
    const bool origin_is_far = std::abs(lower) > grid.length[axis];
    throw deck.error(
        origin_is_far ? "grid.origin" : "grid.length",
        fmt::format("along {}, '{}' is {:g}: double precision can't tell places half a cell "
                    "({:g} m) apart there",
                    "xyz"[axis], origin_is_far ? "grid.origin" : "grid.length",
                    origin_is_far ? lower : grid.length[axis], half),
        "Lay the origin nearer to the domain, choose other units, or use fewer cells.");
  }
}

void refuse_repeated(const rt::Deck& deck, const std::string& path,
                     const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      throw deck.error(path, fmt::format("'{}' names the field '{}' twice", path, names[i]));
}

}  // namespace

GridDescription description_of(const GridOptions& options) {
  GridDescription grid;
  grid.dimensions = static_cast<int>(options.extent.size());
  std::ranges::copy(options.extent, grid.extent.begin());
  std::ranges::copy(options.length, grid.length.begin());
  std::ranges::copy(options.origin, grid.origin.begin());
  std::ranges::copy(options.periodic, grid.periodic.begin());
  return grid;
}

void bind_run_options(rt::SectionNode& root, RunOptions& options) {
  top_schema().bind(root, options);
  exchange_schema().bind(root.add_section("comm"), options);
}

void complete_run_options(const rt::Deck& deck, RunOptions& options) {
  auto& grid = options.grid;
  const auto dimensions = grid.extent.size();
  refuse_too_many_cells(deck, grid.extent);
  if (grid.length.empty()) {
    const long long longest = *std::max_element(grid.extent.begin(), grid.extent.end());
    for (const long long cells : grid.extent)
      grid.length.push_back(static_cast<double>(cells) / static_cast<double>(longest));
  }
  fill(deck, "grid.length", grid.length, dimensions, 1.0);
  fill(deck, "grid.origin", grid.origin, dimensions, 0.0);
  fill(deck, "grid.periodic", grid.periodic, dimensions, false);
  refuse_cells_in_one_place(deck, grid);
  refuse_repeated(deck, "output.fields", options.output.fields);
  refuse_repeated(deck, "output.pictures.fields", options.output.pictures.fields);
  (void)parse_slice_plane(deck, options.output.pictures.slice, description_of(grid));
  const auto& range = options.output.pictures.range;
  if (range && !((*range)[0] < (*range)[1]))
    throw deck.error("output.pictures.range", "'output.pictures.range' must rise");
}

std::vector<double> RunOptions::intervals() const {
  std::vector<double> found;
  for (const auto& interval : {output.interval, output.pictures.interval})
    if (interval) found.push_back(*interval);
  return found;
}

}  // namespace cartwright::grid
