// SPDX-License-Identifier: Apache-2.0
#include "users_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cartwright/rt/error.hpp>
#include <vector>

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

}  // namespace

Hdf5Handle open_users_file(const fs::path& file) {
  if (!fs::exists(file))
    throw rt::input_error(fmt::format("there is no file '{}'", file.string()),
                          "Relative names start from the directory where the run was started.");
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
        "The file may be damaged.");
}

}  // namespace cartwright::grid
