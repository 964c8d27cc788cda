// SPDX-License-Identifier: Apache-2.0
#include "render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collective_report.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/output/output_directory.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/grid/output/run_output.hpp>
#include <cartwright/grid/output/volume/volume_series.hpp>
#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/grid/space/vector.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "options.hpp"

namespace render {

namespace fs = std::filesystem;
namespace grid = cartwright::grid;
namespace rt = cartwright::rt;

namespace {

constexpr const char* declared_name = "field";

/// What is drawn, and what pictures say of it.
struct Source {
  fs::path file;  ///< empty: the deck's `initial.field`
  grid::OutputDataset dataset;
  grid::PictureText words;
};

/// Each rank looks for itself: results lie where all ranks see them.
Source source_of(const grid::Run& run, const Options& options) {
  Source source;
  source.words.field = options.volume.field.empty() ? declared_name : options.volume.field;
  source.words.unit = options.unit;
  source.words.length_unit = "m";
  source.words.time_unit.clear();
  if (options.file.empty()) return source;
  try {
    source.file = grid::output_file(options.file, options.step);
    source.dataset = grid::describe_output(source.file, options.volume.field);
  } catch (const rt::Error& error) {
    throw run.runtime().deck().error("render.file", error.what(), error.advice());
  }
  if (options.unit.empty()) source.words.unit = source.dataset.unit;
  source.words.time_unit = "s";
  return source;
}

std::string grid_in_words(const grid::OutputDataset& found) {
  const auto& n = found.points;
  std::string text = fmt::format("extent: [{}, {}, {}]", n[0], n[1], n[2]);
  if (found.length)
    text += fmt::format(", length: [{:g}, {:g}, {:g}]", (*found.length)[0], (*found.length)[1],
                        (*found.length)[2]);
  if (found.origin)
    text += fmt::format(", origin: [{:g}, {:g}, {:g}]", (*found.origin)[0], (*found.origin)[1],
                        (*found.origin)[2]);
  return text;
}

bool is_near(const std::array<double, 3>& a, const std::array<double, 3>& b,
             const std::array<double, 3>& scale) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-9 * scale[i])) return false;
  return true;
}

/// The deck's grid must be the one that the numbers were computed on.
void require_fit(const grid::Run& run, const Options& options, const Source& source) {
  const grid::OutputDataset& found = source.dataset;
  const rt::Deck& deck = run.runtime().deck();
  if (found.dimensions != 3)
    throw deck.error(
        "render.field",
        fmt::format("'{}' of '{}' has {} dimension{}; volumes have three", options.volume.field,
                    source.file.string(), found.dimensions, found.dimensions == 1 ? "" : "s"),
        "Lines and maps are drawn by output.pictures of the run itself.");
  if (found.components != 1 && found.components != 3)
    throw deck.error("render.field",
                     fmt::format("'{}' of '{}' has {} components; numbers and vectors of three are "
                                 "drawn",
                                 options.volume.field, source.file.string(), found.components));
  const grid::GridDescription described = grid::description_of(run.options().grid);
  bool fits = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool closing =
        grid::is_nodal(found.centring, static_cast<int>(axis)) && !described.periodic[axis];
    fits = fits && found.points[axis] == described.extent[axis] + (closing ? 1 : 0);
  }
  if (found.length) fits = fits && is_near(*found.length, described.length, described.length);
  if (found.origin) fits = fits && is_near(*found.origin, described.origin, described.length);
  if (fits) return;
  throw deck.error("grid.extent",
                   fmt::format("the grid isn't that of '{}' in '{}'", options.volume.field,
                               source.file.string()),
                   fmt::format("That one is, in points:  grid: {{{}}}", grid_in_words(found)));
}

/// One run of the app.
template <class T>
class Rendering {
 public:
  Rendering(grid::Run& run, const Options& options, Source source)
      : run_(run),
        options_(options),
        source_(std::move(source)),
        grid_(run),
        field_(grid_, declared_name, {.centring = source_.dataset.centring, .halo = 0}) {}

  void draw() {
    if (run_.sample() != nullptr) return describe();
    fill();
    say_what_runs();
    const bool goes_on = run_.is_restart();
    grid::OutputDirectory directory =
        grid::OutputDirectory::prepare(grid_.comm().all(), run_.results(), goes_on);
    run_.runtime().set_output_directory(directory.path().string());
    grid::VolumeSeries series(field_, options_.volume, directory.path() / "render", source_.words);
    series.load();
    draw_frames(series, goes_on ? frames_there(series.directory()) : 0);
    series.report(run_.runtime().report());
    if (run_.work() != nullptr) run_.work()->report(run_.runtime().report(), grid_.comm());
    cartwright::comm::report_collectives(run_.runtime().report(), grid_.comm());
    auto& results = run_.outcome().results;
    results.emplace_back("results", directory.path().string());
    results.emplace_back("pictures", series.directory().string());
  }

 private:
  [[nodiscard]] int frames() const { return options_.volume.orbit.frames; }

  /// For --check and --dry-run.
  void describe() {
    grid::OutputDirectory::require_usable(grid_.comm().all(), run_.results(),
                                          run_.runtime().command_line().restart.has_value());
    run_.note_storage(sizeof(float), 1, 1);  // what rays see
    run_.sample()->course = {
        "frames", fmt::format("{}, {} x {} pixels each", frames(), options_.volume.size[0],
                              options_.volume.size[1])};
  }

  void fill() {
    if (source_.file.empty()) return run_.initialize(field_);
    const grid::ReadNumbers numbers =
        grid::read_dataset(grid_.comm().all(), source_.file, options_.volume.field, field_);
    run_.runtime().log().entry(
        "field", fmt::format("{}:{}, step {}, checksum {:016x}{}", source_.file.string(),
                             options_.volume.field, source_.dataset.step, numbers.checksum,
                             numbers.were_guarded ? " (is right)" : ""));
  }

  void say_what_runs() {
    rt::Log& log = run_.runtime().log();
    log.entry("grid",
              fmt::format("{} x {} x {} cells", grid_.extent(0), grid_.extent(1), grid_.extent(2)));
    for (const auto& [name, value] : grid_.comm().description()) log.entry(name, value);
    log.entry("frames", fmt::format("{}", frames()));
  }

  /// Frames depend on their number only: an orbit that was stopped goes on where one is missing.
  [[nodiscard]] int frames_there(const fs::path& directory) const {
    int count = 0;
    grid::on_root(grid_.comm().all(), [&] {
      while (count < frames() && fs::exists(directory / file_name(count))) ++count;
    });
    return grid_.comm().all().broadcast(count, rt::Rank{0});
  }
  [[nodiscard]] std::string file_name(int frame) const {
    return fmt::format("{}_{:010d}.png", source_.words.field, frame);
  }

  void draw_frames(grid::VolumeSeries& series, int first) {
    rt::Runtime& runtime = run_.runtime();
    rt::ProgressPlan plan;
    plan.first_step = first;
    plan.last_step = frames();
    plan.step_name = "frame";
    runtime.progress_line().begin(plan);
    for (int frame = first; frame < frames(); ++frame) {
      series.draw(frame, frame, source_.dataset.step, source_.dataset.time, run_.work());
      runtime.progress_line().update(frame + 1, 0);
      if (frame + 1 < frames() && runtime.stop().should_stop()) {
        stop_early(frame + 1);
        break;
      }
      move_work(frame + 1, first);
    }
    runtime.progress_line().end();
  }

  /// Frames are their own checkpoints. After 2, 4, 8… of them it is looked who was late.
  void move_work(int done, int first) {
    const int made = done - first;
    if (run_.work() == nullptr || done == frames() || made < 2 || (made & (made - 1)) != 0) return;
    run_.work()->learn(grid_.comm());
    if (!run_.work()->is_worth_moving()) return;
    run_.runtime().progress_line().end();
    run_.runtime().log().entry("work moves",
                               fmt::format("after frame {}: ranks that were late get less", done));
    throw grid::WorkMoves();
  }

  void stop_early(int done) {
    rt::Runtime& runtime = run_.runtime();
    runtime.set_exit_code(rt::ExitCode::stopped_early);
    runtime.log().entry("stopped", fmt::format("after frame {} of {}: {}", done, frames(),
                                               runtime.stop().reason_text()));
    run_.outcome().results.emplace_back("go on with", "the same command and --restart");
  }

  grid::Run& run_;
  const Options& options_;
  Source source_;
  grid::Grid<3> grid_;
  grid::Field<T, 3> field_;
};

void draw(grid::Run& run, const Options& options) {
  const auto given = run.field_data().of.find(declared_name);
  const bool has_formula = given != run.field_data().of.end() && given->second.initial.has_value();
  check(run.runtime().deck(), grid::description_of(run.options().grid), options, has_formula);
  Source source = source_of(run, options);
  if (!source.file.empty() && run.sample() == nullptr) require_fit(run, options, source);
  if (source.dataset.components == 3)
    Rendering<grid::Vector<double, 3>>(run, options, std::move(source)).draw();
  else
    Rendering<double>(run, options, std::move(source)).draw();
}

}  // namespace

grid::SolverEntry entry() {
  const auto options = std::make_shared<Options>();
  grid::SolverEntry entry;
  entry.name = "render";
  entry.about = "pictures of a 3-D field: rays through a volume, cast by all ranks";
  entry.fields = {{declared_name, ""}};
  entry.bind = [options](rt::SectionNode& section) { bind(section, *options); };
  entry.functions[2] = [options](grid::Run& run) { draw(run, *options); };
  return entry;
}

}  // namespace render
