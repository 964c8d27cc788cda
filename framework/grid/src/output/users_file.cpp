// SPDX-License-Identifier: Apache-2.0
#include "users_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <array>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <vector>

#include "content_hash.hpp"
#include "field_dataset.hpp"
#include "hdf5_text.hpp"

namespace cartwright::grid {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> datasets_of(hid_t file) {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    if (info->type == H5O_TYPE_DATASET)
      static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note, &names, H5O_INFO_BASIC);
  return names;
}

/// What a dataset says about its numbers.
struct Guard {
  std::string checksum;  ///< our own; empty: none
  int has_fletcher = 0;
  int is_narrow = 0;  ///< stored as float32
  int is_same = 0;    ///< stored as it was read
};

Guard guard_of(const fs::path& file, const DatasetPlan& plan) {
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_users_file(file);
  const Hdf5Handle dataset = open_users_dataset(opened.get(), file, plan.name);
  const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose, "read how it was stored");
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose, "read a dataset's type");
  Guard guard;
  for (int i = 0; i < H5Pget_nfilters(creation.get()); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const auto filter = H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &values,
                                       nullptr, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_FLETCHER32) guard.has_fletcher = 1;
  }
  guard.checksum = read_text_attribute(dataset.get(), checksum_attribute).value_or("");
  guard.is_narrow = H5Tequal(type.get(), file_type(ScalarType::float32)) > 0 ? 1 : 0;
  guard.is_same = H5Tequal(type.get(), file_type(plan.element.scalar)) > 0 ? 1 : 0;
  return guard;
}

Guard guard_on_all_ranks(const comm::Collectives& comm, const fs::path& file,
                         const DatasetPlan& plan) {
  Guard guard;
  on_root(comm, [&] { guard = guard_of(file, plan); });
  std::array<int, 3> kinds{guard.has_fletcher, guard.is_narrow, guard.is_same};
  comm.broadcast(kinds, rt::Rank{0});
  return {from_root(comm, guard.checksum), kinds[0], kinds[1], kinds[2]};
}

/// Of doubles as they were stored: rounding them to float again changes nothing.
std::uint64_t hash_as_floats(const comm::Collectives& comm, DatasetPlan plan,
                             std::span<const std::byte> bytes) {
  plan.element.scalar = ScalarType::float32;
  return field_hash(comm, plan, narrowed(bytes));
}

}  // namespace

Hdf5Handle open_users_file(const fs::path& file) {
  if (!fs::exists(file))
    throw rt::input_error(fmt::format("there is no file '{}'", file.string()),
                          "Relative names start from the directory where the run was started.");
  (void)rt::open_input(file, "Initial data are HDF5 files.");  // HDF5 would wait for a pipe
  try {
    return open_serial(file);
  } catch (const rt::Error&) {
    throw rt::input_error(fmt::format("'{}' is not a readable HDF5 file", file.string()),
                          "It may be truncated, of another format, or not yours to read.");
  }
}

Hdf5Handle open_users_dataset(hid_t opened, const fs::path& file, const std::string& name) {
  const hid_t id = H5Dopen2(opened, name.c_str(), H5P_DEFAULT);
  if (id < 0)
    throw rt::input_error(fmt::format("'{}' has no dataset '{}'", file.string(), name),
                          fmt::format("It has: {}.", fmt::join(datasets_of(opened), ", ")));
  return {id, H5Dclose, "open a dataset"};
}

void read_users_block(const fs::path& file, const std::string& name, const DatasetPlan& plan,
                      std::span<std::byte> bytes) {
  if (bytes.empty()) return;
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_users_file(file);
  const Hdf5Handle dataset = open_users_dataset(opened.get(), file, name);
  const Hdf5Handle in_file(H5Dget_space(dataset.get()), H5Sclose, "read a dataset's shape");
  select_block(in_file.get(), plan, plan.block);
  const auto numbers = static_cast<hsize_t>(plan.block.points() * plan.element.components);
  const Hdf5Handle in_memory(H5Screate_simple(1, &numbers, nullptr), H5Sclose, "describe memory");
  const rt::WaitScope busy({"H5Dread"}, rt::WaitKind::files);
  if (H5Dread(dataset.get(), memory_type(plan.element.scalar), in_memory.get(), in_file.get(),
              H5P_DEFAULT, bytes.data()) < 0)
    throw rt::input_error(
        fmt::format("dataset '{}' of '{}' cannot be read to its end", name, file.string()),
        "The file may be damaged: take another copy of it.");
}

ReadNumbers verify_users_data(const comm::Collectives& comm, const fs::path& file,
                              const DatasetPlan& plan, std::span<const std::byte> bytes) {
  const Guard guard = guard_on_all_ranks(comm, file, plan);
  ReadNumbers result{field_hash(comm, plan, bytes), guard.has_fletcher != 0};
  const bool narrow = guard.is_narrow != 0 && plan.element.scalar == ScalarType::float64;
  if (guard.checksum.empty() || (guard.is_same == 0 && !narrow)) return result;
  const std::string found =
      checksum_text(narrow ? hash_as_floats(comm, plan, bytes) : result.checksum);
  if (found != guard.checksum)
    throw rt::input_error(
        fmt::format(
            "dataset '{}' of '{}' is damaged: its numbers have the checksum {}, but {} when "
            "they were written",
            plan.name, file.string(), found, guard.checksum),
        "Take another copy of the file.", rt::Reach::all_ranks);
  result.were_guarded = true;
  return result;
}

}  // namespace cartwright::grid
