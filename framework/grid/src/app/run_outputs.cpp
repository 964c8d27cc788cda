// SPDX-License-Identifier: Apache-2.0
#include "run_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/app/time_plan.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/output/error_norm.hpp>
#include <cartwright/grid/output/field_statistics.hpp>
#include <cartwright/grid/run/field_data.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/slice_plane.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/program.hpp>

namespace cartwright::grid {
namespace {

/// What a checkpoint must have in common with the run that goes on from it: besides parameters,
/// what the deck says of faces, and of fields that aren't in `kept`.
std::map<std::string, std::string> identity_of(const Run& run,
                                               const std::vector<FieldBase*>& kept) {
  std::map<std::string, std::string> identity{{"solver", run.solver().name}};
  for (const auto& [name, value] : numbers_of(run.solver()))
    identity[run.solver().name + "." + name] = fmt::format("{}", value);
  for (const auto& [name, field] : run.field_data().of) {
    const bool is_kept = std::ranges::find(kept, name, &FieldBase::name) != kept.end();
    identity.merge(texts_of(name, field, !is_kept));
  }
  return identity;
}

const GridBase& grid_of(const std::vector<FieldBase*>& fields) {
  if (fields.empty())
    throw rt::internal_failure("run.steps() was called without a field",
                               "Pass the fields that a restart needs.", rt::Reach::all_ranks);
  return fields.front()->grid();
}

/// What files say of the run, and of what the components of its fields are.
RunInfo info_of(const Run& run, const std::vector<FieldBase*>& fields, bool iterates) {
  const GridBase& grid = grid_of(fields);
  RunInfo info = run.info(grid.comm());
  if (iterates) info.time_unit.clear();
  const int dimensions = grid.description().dimensions;
  for (const FieldInfo& field : run.solver().fields) {
    const std::vector<Component> all = components_of(field, dimensions);
    if (!all.empty()) info.components[field.name] = all;
    for (const ComponentRange& range : ranges_of(field, dimensions))
      if (range.count > 1)
        info.components[field.name + "." + range.name] = {all.begin() + range.first,
                                                          all.begin() + range.first + range.count};
  }
  return info;
}

}  // namespace

void require_output_directory(const Run& run, const GridBase& grid) {
  OutputDirectory::require_usable(grid.comm().all(), run.results(),
                                  run.runtime().command_line().restart.has_value());
}

RunOutputs::RunOutputs(Run& run, std::vector<FieldBase*> fields, ShownFields shown, bool iterates)
    : run_(run),
      fields_(std::move(fields)),
      shown_(std::move(shown)),
      directory_(
          OutputDirectory::prepare(grid_of(fields_).comm().all(), run.results(), run.is_restart())),
      checkpoints_(grid_of(fields_).comm().all(), grid_of(fields_).description(),
                   directory_.checkpoints(),
                   {run.options().checkpoint.keep, info_of(run, fields_, iterates),
                    identity_of(run, fields_), run.options().accepts_changes()}),
      iterates_(iterates) {
  const OutputOptions& output = run.options().output;
  const auto& pictures = output.pictures;
  output_due_ = {output.every.value_or(0), output.interval || !output.every || *output.every > 0,
                 output.interval};
  pictures_due_ = {pictures.every, pictures.every > 0 || pictures.interval, pictures.interval};
  volumes_due_ = {output.render.every, output.render.is_wanted()};
  const long long rows = output.diagnostics.value_or(output.every.value_or(0));
  diagnostics_due_ = {rows, !output.diagnostics || rows > 0,
                      output.diagnostics ? std::nullopt : output.interval};
  checkpoint_due_ = {run.options().checkpoint.every, run.options().checkpoint.every > 0};
  rt::Trace& trace = run.runtime().trace();
  output_region_ = trace.region("output");
  pictures_region_ = trace.region("pictures");
  volumes_region_ = trace.region("render");
  diagnostics_region_ = trace.region("diagnostics");
  checkpoint_region_ = trace.region("checkpoint");
  run.runtime().set_output_directory(directory_.path().string());
  if (directory_.set_aside())
    run.runtime().log().entry("set aside", fmt::format("{} is now {}", directory_.path().string(),
                                                       directory_.set_aside()->string()));
}

void RunOutputs::restore() {
  auto restored = checkpoints_.restore(fields_, run_.state().save());
  for (const std::string& sentence : restored.skipped) run_.runtime().log().warning(sentence);
  run_.runtime().log().entry(
      "restart", fmt::format("from step {} ({})", restored.state.step, restored.file.string()));
  for (const std::string& sentence : restored.changed)
    run_.runtime().log().entry("changed", sentence);
  last_checkpoint_ = restored.state.step;
  may_have_checkpoint_ = true;
  run_.state().restore(restored.state.numbers);
  restored_ = std::move(restored.state);
  for (FieldBase* field : fields_) field->restored();
}

void RunOutputs::restore_changed() {
  rt::Trace& trace = run_.runtime().trace();
  const rt::Timed timed(trace, trace.region("restart"));
  if (!checkpoints_.are_as_restored(fields_) &&
      checkpoints_.restore(fields_, restored_->numbers).state.step != restored_->step)
    throw rt::input_error(
        fmt::format("the checkpoint of step {} was damaged while the run began", restored_->step),
        "Give the same command once more.", rt::Reach::all_ranks);
  run_.state().restore(restored_->numbers);
}

void RunOutputs::open(std::optional<long long> restart_step) {
  const rt::Timed timed(run_.runtime().trace(), output_region_);
  const GridBase& grid = grid_of(fields_);
  const comm::Collectives& comm = grid.comm().all();
  const OutputOptions& output = run_.options().output;
  const rt::Deck& deck = run_.runtime().deck();
  if (output_due_.at_ends && !shown_.output.empty())
    series_.emplace(comm, grid.description(), directory_.path(), run_.solver().name, shown_.output,
                    FieldSeries::Options{
                        output.precision == "float32" ? Precision::float32 : Precision::float64,
                        info_of(run_, fields_, iterates_), restart_step});
  if (pictures_due_.at_ends && !shown_.pictures.empty()) {
    PictureSeries::Options options;
    options.plane = parse_slice_plane(deck, output.pictures.slice, grid.description());
    options.title = run_.solver().name;
    if (iterates_) options.time_unit.clear();
    options.restart_step = restart_step;
    if (const auto& range = output.pictures.range)
      options.range = ValueRange{(*range)[0], (*range)[1]};
    options.colours = output.pictures.colours;
    options.mask = shown_.mask;
    options.contours = output.pictures.contours;
    options.vectors = shown_.vectors;
    options.vectors_name = shown_.vectors_name;
    options.vector_components = shown_.vector_components;
    options.film = output.pictures.film;
    pictures_.emplace(comm, grid.description(), directory_.pictures(), shown_.pictures, options);
  }
  open_volumes(restart_step);
  make_columns();
  if (diagnostics_due_.at_ends && !shown_.output.empty())
    diagnostics_.emplace(comm, directory_.diagnostics(), columns_, restart_step);
  tables_.emplace(comm, run_, directory_.path(), restart_step);
  solutions_.emplace(comm, run_, directory_.path(), restart_step);
  if (iterates_) convergence_.emplace(comm, directory_.path(), run_.solver().name, restart_step);
  announce_results();
}

void RunOutputs::open_volumes(std::optional<long long> restart_step) {
  if (shown_.volume == nullptr) return;
  const rt::Timed timed(run_.runtime().trace(), volumes_region_);
  PictureText words;
  words.field = shown_.volume->name();
  words.unit = shown_.volume->unit();
  words.length_unit = shown_.volume->grid().description().length_unit;
  words.title = run_.solver().name;
  if (iterates_) words.time_unit.clear();
  volumes_.emplace(*shown_.volume, run_.options().output.render.volume,
                   directory_.path() / "render", words, restart_step);
}

/// The orbit goes on by a frame with each picture, the last one included.
void RunOutputs::draw_volume(const Moment& moment) {
  const long long every = std::max(1LL, volumes_due_.every);
  const long long frame =
      volumes_due_.every > 0 ? (moment.step + every - 1) / every : (moment.step > 0 ? 1 : 0);
  volumes_->load();
  volumes_->draw(moment.step, frame, moment.step, moment.time);
}

void RunOutputs::announce_results() {
  auto& results = run_.outcome().results;
  results.emplace_back("results", directory_.path().string());
  if (pictures_) results.emplace_back("pictures", pictures_->directory().string());
  if (volumes_) results.emplace_back("volume", volumes_->directory().string());
  if (convergence_) results.emplace_back("residuals", convergence_->file().string());
  if (series_) results.emplace_back("see them", "paraview " + series_->index_file().string());
}

void RunOutputs::make_columns() {
  columns_ = {"time", "dt"};
  for (const ShownFields::Column& column : shown_.columns) {
    const std::string& name = column.field->name();
    for (const char* what : {"min", "max", "mean", "l2"}) columns_.push_back(name + "_" + what);
    if (column.exact.empty()) continue;
    for (const char* what : {"error_max", "error_l2"}) columns_.push_back(name + "_" + what);
  }
}

void RunOutputs::fill_row(const Moment& moment) {
  row_ = {moment.time, moment.time_step};
  for (const ShownFields::Column& column : shown_.columns) {
    const FieldBase& field = *column.field;
    const auto numbers = statistics(field.grid().comm().all(), field.grid().description(), field);
    row_.insert(row_.end(), {numbers.minimum, numbers.maximum, numbers.mean, numbers.l2});
    if (column.exact.empty()) continue;
    const ErrorNorms norms = error_norms(field, column.exact, moment.time);
    row_.insert(row_.end(), {norms.maximum, norms.l2});
  }
}

void RunOutputs::fill_shown() {
  if (run_.shown().empty()) return;
  rt::Trace& trace = run_.runtime().trace();
  const rt::Timed timed(trace, trace.region("fields for output"));
  for (const auto& shown : run_.shown()) shown.fill();
}

bool RunOutputs::is_due(const Schedule& schedule, const Moment& moment) {
  if (schedule.at_ends && (moment.step == 0 || moment.is_last)) return true;
  if (schedule.every > 0 && moment.step % schedule.every == 0) return true;
  return schedule.interval && reaches_multiple(moment.time_before, moment.time, *schedule.interval);
}

bool RunOutputs::is_due(const Moment& moment) const {
  return is_due(output_due_, moment) || is_due(pictures_due_, moment) ||
         is_due(volumes_due_, moment) || is_due(diagnostics_due_, moment) ||
         is_due(checkpoint_due_, moment);
}

void RunOutputs::note_residual(long long iteration, double residual, double relative) {
  convergence_->add(iteration, residual, relative);
}

void RunOutputs::write(const Moment& moment) {
  const auto due = [&](const Schedule& schedule) { return is_due(schedule, moment); };
  rt::Trace& trace = run_.runtime().trace();
  if (due(output_due_) || due(pictures_due_) || due(volumes_due_) || due(diagnostics_due_))
    fill_shown();
  if (series_ && due(output_due_)) {
    const rt::Timed timed(trace, output_region_);
    series_->write(moment.step, moment.time);
  }
  if (pictures_ && due(pictures_due_)) {
    const rt::Timed timed(trace, pictures_region_);
    pictures_->write(moment.step, moment.time);
  }
  if (volumes_ && due(volumes_due_)) {
    const rt::Timed timed(trace, volumes_region_);
    draw_volume(moment);
  }
  if (diagnostics_ && due(diagnostics_due_)) {
    const rt::Timed timed(trace, diagnostics_region_);
    fill_row(moment);
    diagnostics_->append(moment.step, row_);
  }
  flush_tables();
  // After all output of this step: a restart from here must not find any missing.
  if (moment.step > 0 && moment.is_whole && due(checkpoint_due_)) write_checkpoint(moment);
}

void RunOutputs::write_checkpoint(const Moment& moment) {
  if (wrote_checkpoint_at(moment.step)) return;
  const rt::Timed timed(run_.runtime().trace(), checkpoint_region_);
  may_have_checkpoint_ = true;
  flush_tables();  // a restart needs the rows up to here
  WorkBalance* const work = run_.work();
  if (work != nullptr) work->learn(grid_of(fields_).comm());
  checkpoints_.write({moment.step, moment.time, moment.time_step, moment.ended_because,
                      run_.state().save(), moment.since_step, moment.since_time,
                      work != nullptr ? work->densities() : std::vector<double>{}},
                     {fields_.begin(), fields_.end()});
  last_checkpoint_ = moment.step;
}

void RunOutputs::note_solutions(long long step) {
  const rt::Timed timed(run_.runtime().trace(), diagnostics_region_);
  solutions_->note(step);
}

void RunOutputs::flush_tables() {
  const rt::Timed timed(run_.runtime().trace(), diagnostics_region_);
  tables_->flush();
  solutions_->flush();
  if (convergence_) convergence_->flush();
}

void RunOutputs::finish(bool is_complete) {
  flush_tables();
  solutions_->finish();
  if (convergence_) convergence_->finish(run_.options().iteration.tolerance);
  if (volumes_) volumes_->report(run_.runtime().report());
  if (!pictures_) return;
  const rt::Timed timed(run_.runtime().trace(), pictures_region_);
  for (const std::string& film : pictures_->finish(is_complete))
    run_.runtime().log().entry("film", film);
}

RunOutputs::~RunOutputs() {
  // After a failure without a checkpoint nothing will go on from here.
  if (pictures_ && !may_have_checkpoint_) pictures_->remove_slices();
}

}  // namespace cartwright::grid
