// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>

#include "field_dataset.hpp"
#include "users_file.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

using Shape = std::vector<hsize_t>;

std::string in_words(const Shape& shape) {
  return shape.empty() ? "a single number" : fmt::format("({})", fmt::join(shape, ", "));
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

}  // namespace

void check_dataset(const fs::path& file, const std::string& dataset, const Block& global,
                   int components) {
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_users_file(file);
  const DatasetPlan plan{dataset, "", Centring::cell, {ScalarType::float64, components}, global};
  check(open_users_dataset(opened.get(), file, dataset).get(), file, dataset, plan.shape());
}

ReadNumbers read_dataset(const comm::Collectives& comm, const fs::path& file,
                         const std::string& dataset, FieldBase& field) {
  DatasetPlan plan = plan_dataset(field);
  plan.name = dataset;
  on_root(comm, [&] { check_dataset(file, dataset, plan.block, plan.element.components); });
  std::vector<std::byte> bytes(static_cast<std::size_t>(plan.block.points()) *
                               plan.element.bytes());
  // Without MPI-IO: a damaged file of unknown origin must not stop ranks inside a collective.
  on_all_ranks(comm, [&] { read_users_block(file, dataset, plan, bytes); });
  const ReadNumbers numbers = verify_users_data(comm, file, plan, bytes);
  field.copy_owned_from(bytes);
  return numbers;
}

}  // namespace cartwright::grid
