// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/run_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/run/slice_plane.hpp>
#include <cartwright/rt/deck.hpp>
#include <charconv>

namespace cartwright::grid {
namespace {

using rt::key;

constexpr long long most_steps_at_once = 64;

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
          .about("steps between searches for values that are not numbers; 0: only before output"),
      key("fuse", &TimeOptions::fuse)
          .about(
              "steps that are made at once, while their values are in cache, where the solver "
              "can do that: a number, or `auto`: what the first steps find to be the quickest; the "
              "same bits")};
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
              .example("[0, 1]"),
          key("colours", &PictureOptions::colours)
              .choices({"viridis", "fire", "ice", "cool_warm", "grey"})
              .about("of maps; cool_warm is for values of both signs: without a range its light "
                     "middle is 0"),
          key("mask", &PictureOptions::mask)
              .about("a field: where it isn't 0, maps stay white; default: the solver's obstacles, "
                     "if it has any; none: all is shown")
              .example("solid"),
          key("contours", &PictureOptions::contours)
              .minimum(0)
              .maximum(100)
              .about("lines of equal value over maps, evenly between the ends of the colour bar"),
          key("vectors", &PictureOptions::vectors)
              .about("a vector that is drawn as arrows over maps; the longest arrow is the largest "
                     "vector in the picture")
              .example("flow.velocity"),
          key("film", &PictureOptions::film)
              .minimum(0)
              .maximum(1000)
              .unit("1/s")
              .about("makes a film of each field at the end, of so many pictures a second, if the "
                     "program ffmpeg is there; 0: none")};
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
      .section("pictures", &OutputOptions::pictures, picture_schema(),
               "PNG pictures of 1-D and 2-D fields, and of slices through 3-D ones");
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
              .about("whether a restart may have other parameters of the solver, other conditions "
                     "at faces, other initial data of what checkpoints don't hold, or another time "
                     "step, than its checkpoint; the run lists them")};
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

rt::Schema<ExchangeOptions> exchange_schema() {
  return {
      key("overlap", &ExchangeOptions::overlap).about("compute while halo messages fly"),
      key("direct_ghosts", &ExchangeOptions::direct_ghosts)
          .about(
              "ranks of a node see each other's fields and copy ghosts straight from them, where "
              "rows are long; else all ghosts are packed, and fields are memory of their own"),
      key("stage_messages", &ExchangeOptions::stage_messages)
          .about(
              "copy halo messages to host memory first, for an MPI that can't take device memory")};
}

void refuse_repeated(const rt::Deck& deck, const std::string& path,
                     const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      throw deck.error(path, fmt::format("'{}' names the field '{}' twice", path, names[i]));
}

}  // namespace

void bind_exchange_options(rt::SectionNode& root, ExchangeOptions& options) {
  exchange_schema().bind(root.add_section("comm"), options);
}

void bind_run_options(rt::SectionNode& root, RunOptions& options) {
  top_schema().bind(root, options);
  bind_in_situ_options(
      root.add_section("output").add_section("render", "pictures of a whole 3-D field, as it runs"),
      options.output.render);
  bind_exchange_options(root, options.exchange);
}

void complete_run_options(const rt::Deck& deck, RunOptions& options) {
  complete_grid_options(deck, options.grid);
  refuse_repeated(deck, "output.fields", options.output.fields);
  refuse_repeated(deck, "output.pictures.fields", options.output.pictures.fields);
  (void)parse_slice_plane(deck, options.output.pictures.slice, description_of(options.grid));
  const InSituOptions& render = options.output.render;
  if (render.is_wanted())
    check_volume_options(deck, "output.render", description_of(options.grid), render.volume);
  else if (render.every > 0)
    throw deck.error("output.render.every",
                     "'output.render' doesn't say which field is to be drawn",
                     "Give 'output.render.field'.");
  const auto steps = options.time.steps_at_once();
  if (options.time.fuse != "auto" && !(steps && *steps >= 1 && *steps <= most_steps_at_once))
    throw deck.error(
        "time.fuse",
        fmt::format("'time.fuse' is '{}', not 'auto' or a number of steps from 1 to {}",
                    options.time.fuse, most_steps_at_once));
  const auto& range = options.output.pictures.range;
  if (range && !((*range)[0] < (*range)[1]))
    throw deck.error("output.pictures.range", "'output.pictures.range' must rise");
}

std::optional<long long> TimeOptions::steps_at_once() const {
  long long number = 0;
  const char* const behind = fuse.data() + fuse.size();
  const auto [stop, fault] = std::from_chars(fuse.data(), behind, number);
  if (fault != std::errc() || stop != behind) return std::nullopt;
  return number;
}

std::vector<double> RunOptions::intervals() const {
  std::vector<double> found;
  for (const auto& interval : {output.interval, output.pictures.interval})
    if (interval) found.push_back(*interval);
  return found;
}

}  // namespace cartwright::grid
