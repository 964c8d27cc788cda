// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cartwright/grid/output/checkpoint.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/unfinished_file.hpp>

#include <algorithm>
#include <new>
#include <optional>

#include "checkpoint_record.hpp"
#include "field_dataset.hpp"
#include "saved_numbers.hpp"
#include "seal.hpp"
#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "step";
constexpr const char* extension = ".h5";

/// Newest first.
std::vector<fs::path> list_checkpoints(const fs::path& directory) {
  std::vector<std::pair<long long, fs::path>> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory))
    if (const long long step = step_of_file(entry.path(), file_name, extension);
        step >= 0 && entry.is_regular_file(ignored))
      found.emplace_back(step, entry.path());
  std::ranges::sort(found, std::greater{});
  std::vector<fs::path> files;
  files.reserve(found.size());
  for (auto& [step, file] : found) files.push_back(std::move(file));
  return files;
}

/// Where HDF5 put the numbers, so that a restart can tell damaged metadata before HDF5 meets it.
void note_offsets(const fs::path& file, std::vector<CheckpointRecord::Dataset>& datasets) {
  const QuietHdf5 quiet;
  Hdf5Handle opened = open_serial(file);
  for (auto& dataset : datasets) {
    const Hdf5Handle handle(H5Dopen2(opened.get(), dataset.name.c_str(), H5P_DEFAULT), H5Dclose,
                            "open dataset '" + dataset.name + "'");
    dataset.offset = static_cast<long long>(H5Dget_offset(handle.get()));
  }
  opened.close("read '" + file.string() + "'");
}

/// A whole checkpoint's record, or why the file isn't one. One that can't be read at present is an
/// error: it may be whole.
struct Inspection {
  std::string record;
  std::string fault;
};

Inspection inspect(const fs::path& file) {
  const std::optional<Seal> seal = read_seal(file);
  if (!seal) return {{}, "it is truncated or not a checkpoint"};
  CheckpointRecord record;
  try {
    record = CheckpointRecord::parse(seal->text);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
  if (file_hash(file, seal->sealed_size, record.data_ranges()) != record.metadata_hash)
    return {{}, "its structure is damaged"};
  return {seal->text, {}};
}

/// Reads all fields; the name of the first whose numbers are not those that were written.
std::optional<std::string> read_fields(const comm::Collectives& comm, const fs::path& file,
                                       const CheckpointRecord& record,
                                       const std::vector<FieldBase*>& fields) {
  std::optional<std::string> damaged;
  ParallelFile parallel(comm, file, ParallelFile::Access::read);
  for (FieldBase* field : fields) {
    const DatasetPlan plan = plan_dataset(*field);
    std::vector<std::byte> bytes(static_cast<std::size_t>(plan.block.points()) *
                                 plan.element.bytes());
    parallel.read(plan, bytes);
    const auto expected =
        std::ranges::find(record.datasets, plan.name, &CheckpointRecord::Dataset::name);
    if (field_hash(comm, plan, bytes) != expected->hash) {
      damaged = plan.name;
      break;
    }
    field->copy_owned_from(bytes);
  }
  parallel.close();
  return damaged;
}

std::vector<DatasetPlan> plan_all(const auto& fields) {
  std::vector<DatasetPlan> plan;
  plan.reserve(fields.size());
  for (const FieldBase* field : fields) plan.push_back(plan_dataset(*field));
  return plan;
}

}  // namespace

std::vector<double> work_of_checkpoint(const comm::Collectives& comm, const fs::path& directory) {
  std::vector<double> work;
  on_root(comm, [&] {
    std::error_code ignored;
    if (!fs::is_directory(directory, ignored)) return;
    for (const fs::path& file : list_checkpoints(directory)) {
      const Inspection found = inspect(file);
      if (!found.fault.empty()) continue;
      work = CheckpointRecord::parse(found.record).state.work;
      return;
    }
  });
  const int count = comm.broadcast(static_cast<int>(work.size()), rt::Rank{0});
  work.resize(static_cast<std::size_t>(count));
  if (count > 0) comm.broadcast(work, rt::Rank{0});
  return work;
}

CheckpointStore::CheckpointStore(const comm::Collectives& comm, GridDescription grid,
                                 fs::path directory, Options options)
    : comm_(comm),
      grid_(std::move(grid)),
      directory_(std::move(directory)),
      options_(std::move(options)) {
  on_root(comm_, [this] {
    make_directory(directory_);
    rt::remove_unfinished(directory_);
  });
}

void CheckpointStore::write(const CheckpointState& state,
                            const std::vector<const FieldBase*>& fields) {
  require_same_on_all_ranks(comm_, state.numbers);
  const fs::path file = directory_ / step_file_name(file_name, state.step, extension);
  const fs::path temporary = begin_result(comm_, file);
  write_file(temporary, state, fields);
  on_root(comm_, [&] {
    flush_to_disk(temporary);
    finish_result(temporary, file);
    flush_to_disk(directory_);
    remove_old();
  });
}

void CheckpointStore::write_file(const fs::path& file, const CheckpointState& state,
                                 const std::vector<const FieldBase*>& fields) {
  const std::vector<DatasetPlan> plan = plan_all(fields);
  CheckpointRecord record{state, grid_sentences(grid_), options_.must_match, {}, 0};
  on_root(comm_, [&] { create_file(file, {grid_, options_.info, state.step, state.time}, plan); });
  ParallelFile parallel(comm_, file, ParallelFile::Access::write);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::vector<std::byte> bytes = owned_bytes(*fields[i]);
    parallel.write(plan[i], bytes);
    record.datasets.push_back(
        {plan[i].name, kind_of(plan[i]), field_hash(comm_, plan[i], bytes), 0, plan[i].bytes()});
  }
  parallel.flush();
  parallel.close();
  on_root(comm_, [&] {
    note_offsets(file, record.datasets);
    record.metadata_hash =
        file_hash(file, static_cast<long long>(fs::file_size(file)), record.data_ranges());
    append_seal(file, record.text());
  });
}

void CheckpointStore::remove_old() const {
  const std::vector<fs::path> files = list_checkpoints(directory_);
  const auto keep = static_cast<std::size_t>(std::max(1, options_.keep));
  for (std::size_t i = keep; i < files.size(); ++i) fs::remove(files[i]);
}

bool CheckpointStore::are_as_restored(const std::vector<FieldBase*>& fields) const {
  return std::ranges::all_of(fields, [&](const FieldBase* field) {
    const auto found = restored_.find(field->name());
    const std::uint64_t hash = field_hash(comm_, plan_dataset(*field), owned_bytes(*field));
    return found != restored_.end() && found->second == hash;
  });
}

std::map<std::string, std::string> CheckpointStore::required(const CheckpointRecord& record) const {
  if (!options_.accept_changes) return options_.must_match;
  auto settings = record.must_match;
  const auto solver = options_.must_match.find("solver");
  if (solver != options_.must_match.end()) settings["solver"] = solver->second;
  return settings;
}

CheckpointStore::Restored CheckpointStore::restore(const std::vector<FieldBase*>& fields,
                                                   const std::vector<SavedNumbers>& numbers) {
  Restored result;
  const auto pass_over = [&](const fs::path& file, const std::string& fault) {
    result.skipped.push_back(
        fmt::format("checkpoint '{}' is passed over: {}", file.string(), fault));
    on_root(comm_, [&] { rename_file(file, fs::path(file) += ".damaged"); });
  };
  while (true) {
    std::string name;
    Inspection found;
    on_root(comm_, [&] {
      const std::vector<fs::path> files = list_checkpoints(directory_);
      if (files.empty()) return;
      name = files.front().string();
      found = inspect(files.front());
    });
    name = from_root(comm_, name);
    found = {from_root(comm_, found.record), from_root(comm_, found.fault)};
    if (name.empty()) break;
    if (!found.fault.empty()) {
      pass_over(name, found.fault);
      continue;
    }
    const CheckpointRecord record = CheckpointRecord::parse(found.record);
    const auto differs = differences(record, grid_, required(record), plan_all(fields), numbers);
    if (!differs.empty())
      throw rt::input_error(
          fmt::format("checkpoint '{}' belongs to another run: {}", name, fmt::join(differs, "; ")),
          "Restart with the program and the deck of that run (the deck is in the file's dataset "
          "'run/deck'); or say checkpoint.changes: accept, for other parameters, faces or "
          "obstacles; or start anew without --restart.",
          rt::Reach::all_ranks);
    if (const auto damaged = read_fields(comm_, name, record, fields)) {
      pass_over(name, "the numbers of '" + *damaged + "' are damaged");
      continue;
    }
    restored_.clear();
    for (const auto& dataset : record.datasets) restored_[dataset.name] = dataset.hash;
    result.state = record.state;
    result.file = name;
    if (options_.accept_changes)
      result.changed = changed_settings(record.must_match, options_.must_match);
    return result;
  }
  throw rt::input_error(
      fmt::format("there is no whole checkpoint in '{}'{}{}", directory_.string(),
                  result.skipped.empty() ? "" : ": ", fmt::join(result.skipped, "; ")),
      "Start the run anew, without --restart.", rt::Reach::all_ranks);
}

}  // namespace cartwright::grid
