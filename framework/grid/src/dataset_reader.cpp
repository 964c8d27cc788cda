// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cartwright/grid/dataset_reader.hpp>
#include <cartwright/grid/root_only.hpp>
#include <cartwright/rt/error.hpp>

#include "field_dataset.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

using Shape = std::vector<hsize_t>;

std::string in_words(const Shape& shape) {
  return shape.empty() ? "a single number" : fmt::format("({})", fmt::join(shape, ", "));
}

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

Hdf5Handle open_file(const fs::path& file) {
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

Hdf5Handle open_dataset(hid_t opened, const fs::path& file, const std::string& name) {
  const hid_t id = H5Dopen2(opened, name.c_str(), H5P_DEFAULT);
  if (id < 0)
    throw rt::input_error(fmt::format("'{}' has no dataset '{}'", file.string(), name),
                          fmt::format("It has: {}.", fmt::join(datasets_of(opened), ", ")));
  return {id, H5Dclose, "open a dataset"};
}

Shape shape_of(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "read a dataset's shape");
  Shape shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  return shape;
}

void check(hid_t dataset, const fs::path& file, const std::string& name, const Shape& expected) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, "read a dataset's type");
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT)
    throw rt::input_error(
        fmt::format("dataset '{}' of '{}' does not hold numbers", name, file.string()));
  const Shape found = shape_of(dataset);
  if (found != expected)
    throw rt::input_error(
        fmt::format("dataset '{}' of '{}' has shape {}, but the field has {}", name, file.string(),
                    in_words(found), in_words(expected)),
        "Datasets list the slowest axis first: (nz, ny, nx), then the components of a vector.");
}

void read_own_block(const fs::path& file, const std::string& name, const DatasetPlan& plan,
                    std::span<std::byte> bytes) {
  if (bytes.empty()) return;
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_file(file);
  const Hdf5Handle dataset = open_dataset(opened.get(), file, name);
  const Hdf5Handle in_file(H5Dget_space(dataset.get()), H5Sclose, "read a dataset's shape");
  select_block(in_file.get(), plan, plan.block);
  const auto numbers = static_cast<hsize_t>(plan.block.points() * plan.element.components);
  const Hdf5Handle in_memory(H5Screate_simple(1, &numbers, nullptr), H5Sclose, "describe memory");
  if (H5Dread(dataset.get(), memory_type(plan.element.scalar), in_memory.get(), in_file.get(),
              H5P_DEFAULT, bytes.data()) < 0)
    throw rt::input_error(
        fmt::format("dataset '{}' of '{}' cannot be read to its end", name, file.string()),
        "The file may be damaged.");
}

}  // namespace

void check_dataset(const fs::path& file, const std::string& dataset, const Block& global,
                   int components) {
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_file(file);
  const DatasetPlan plan{dataset, "", Centring::cell, {ScalarType::float64, components}, global};
  check(open_dataset(opened.get(), file, dataset).get(), file, dataset, plan.shape());
}

void read_dataset(const rt::Communicator& comm, const fs::path& file, const std::string& dataset,
                  FieldBase& field) {
  const DatasetPlan plan = plan_dataset(field);
  on_root(comm, [&] { check_dataset(file, dataset, plan.block, plan.element.components); });
  std::vector<std::byte> bytes(static_cast<std::size_t>(plan.block.points()) *
                               plan.element.bytes());
  // Without MPI-IO: a damaged file of unknown origin must not stop ranks inside a collective.
  on_all_ranks(comm, [&] { read_own_block(file, dataset, plan, bytes); });
  field.copy_owned_from(bytes);
}

}  // namespace cartwright::grid
