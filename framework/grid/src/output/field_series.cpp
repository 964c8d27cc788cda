// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/output/field_series.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/unfinished_file.hpp>

#include "content_hash.hpp"
#include "field_dataset.hpp"
#include "hdf5_text.hpp"
#include "whole_file.hpp"
#include "xdmf.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

std::vector<DatasetPlan> plan_all(const std::vector<const FieldBase*>& fields,
                                  Precision precision) {
  std::vector<DatasetPlan> plan;
  plan.reserve(fields.size());
  for (const FieldBase* field : fields) plan.push_back(plan_dataset(*field, precision));
  return plan;
}

/// Nothing if the file is damaged: the series then goes on without it. One that can't be read at
/// present is an error: it may be whole.
std::optional<double> time_of(const fs::path& file) {
  const QuietHdf5 quiet;
  try {
    Hdf5Handle opened = open_serial(file);
    const double time = read_number_attribute(opened.get(), "time");
    opened.close("read '" + file.string() + "'");
    return time;
  } catch (const rt::Error& error) {
    if (is_of_the_system(error)) throw;
    return std::nullopt;
  }
}

}  // namespace

FieldSeries::FieldSeries(const comm::Collectives& comm, GridDescription grid, fs::path directory,
                         std::string name, std::vector<const FieldBase*> fields, Options options)
    : comm_(comm),
      grid_(std::move(grid)),
      directory_(std::move(directory)),
      name_(std::move(name)),
      fields_(std::move(fields)),
      options_(std::move(options)) {
  on_root(comm_, [this] {
    make_directory(directory_ / "fields");
    rt::remove_unfinished(directory_ / "fields");
    if (options_.restart_step) recover(*options_.restart_step);
  });
}

void FieldSeries::write(long long step, double time) {
  std::vector<DatasetPlan> plan = plan_all(fields_, options_.precision);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    require_fit(comm_, grid_, *fields_[i], plan[i], step);
    plan[i].checksum = field_hash(comm_, plan[i], stored_bytes(*fields_[i], plan[i]));
  }
  const fs::path file = data_file(step);
  const fs::path temporary = begin_result(comm_, file);
  on_root(comm_, [&] { create_file(temporary, {grid_, options_.info, step, time}, plan); });
  ParallelFile parallel(comm_, temporary, ParallelFile::Access::write);
  for (std::size_t i = 0; i < fields_.size(); ++i)
    parallel.write(plan[i], stored_bytes(*fields_[i], plan[i]));
  parallel.close();
  on_root(comm_, [&] {
    finish_result(temporary, file);
    std::erase_if(outputs_, [step](const Output& output) { return output.step >= step; });
    outputs_.push_back({step, time});
    write_index();
  });
}

fs::path FieldSeries::index_file() const {
  return directory_ / (name_ + ".xdmf");
}

fs::path FieldSeries::data_file(long long step) const {
  return directory_ / "fields" / step_file_name(name_, step, ".h5");
}

void FieldSeries::recover(long long restart_step) {
  std::vector<fs::path> later;
  for (const auto& entry : fs::directory_iterator(directory_ / "fields")) {
    const long long step = step_of_file(entry.path(), name_, ".h5");
    if (step < 0) continue;
    if (step > restart_step)
      later.push_back(entry.path());
    else if (const std::optional<double> time = time_of(entry.path()))
      outputs_.push_back({step, *time});
  }
  std::ranges::sort(outputs_, {}, &Output::step);
  // The index first, so that it never names a file that is gone.
  write_index();
  for (const fs::path& file : later) fs::remove(file);
}

void FieldSeries::write_index() const {
  std::vector<XdmfStep> steps;
  steps.reserve(outputs_.size());
  for (const Output& output : outputs_)
    steps.push_back({output.time, "fields/" + step_file_name(name_, output.step, ".h5")});
  write_whole_file(index_file(), xdmf_text(grid_, plan_all(fields_, options_.precision), steps));
}

}  // namespace cartwright::grid
