// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/block_matrix_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cartwright/grid/field/block_matrix_copy.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <type_traits>

#include "content_hash.hpp"
#include "hdf5_file.hpp"
#include "users_file.hpp"
#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

MatrixExtents extents_of(const fs::path& file, const std::string& name) {
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_users_file(file);
  const Hdf5Handle dataset = open_users_dataset(opened.get(), file, name);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose, "read a dataset's type");
  const H5T_class_t kind = H5Tget_class(type.get());
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose, "read a dataset's shape");
  const int axes = H5Sget_simple_extent_ndims(space.get());
  if (axes != 2 || (kind != H5T_INTEGER && kind != H5T_FLOAT))
    throw rt::input_error(fmt::format("dataset '{}' of '{}' is not a matrix of numbers: it has {} "
                                      "axes",
                                      name, file.string(), axes),
                          "A matrix has the shape (rows, columns).");
  std::array<hsize_t, 2> shape{};
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  if (shape[0] < 1 || shape[1] < 1)
    throw rt::input_error(fmt::format("dataset '{}' of '{}' is empty", name, file.string()));
  return {static_cast<long long>(shape[0]), static_cast<long long>(shape[1])};
}

/// One block a rank, as files see it.
template <class T>
DatasetPlan plan_of(const BlockMatrix<T>& plain, const std::string& name) {
  DatasetPlan plan;
  plan.name = name;
  plan.element = {std::is_same_v<T, float> ? ScalarType::float32 : ScalarType::float64, 1};
  plan.block.dimensions = 2;
  plan.block.global = {plain.columns().extent(), plain.rows().extent(), 1};
  plan.block.count = {plain.local_columns(), plain.local_rows(), 1};
  plan.block.start = {plain.local_columns() > 0 ? plain.global_column(0) : 0,
                      plain.local_rows() > 0 ? plain.global_row(0) : 0, 0};
  return plan;
}

template <class T>
bool is_plain(const BlockMatrix<T>& matrix) {
  return matrix.rows().block() == 0 && matrix.columns().block() == 0;
}

template <class T>
BlockMatrix<T> plain_like(const BlockMatrix<T>& matrix) {
  return BlockMatrix<T>::plain(matrix.cart(), matrix.rows().extent(), matrix.columns().extent());
}

}  // namespace

MatrixExtents matrix_extents(const comm::Collectives& comm, const fs::path& file,
                             const std::string& dataset) {
  MatrixExtents extents;
  on_root(comm, [&] { extents = extents_of(file, dataset); });
  return comm.broadcast(extents, rt::Rank{0});
}

template <class T>
void read_matrix(BlockMatrix<T>& matrix, const fs::path& file, const std::string& dataset) {
  if (!is_plain(matrix)) {
    BlockMatrix<T> plain = plain_like(matrix);
    read_matrix(plain, file, dataset);
    return redistribute(plain, matrix);
  }
  const comm::Collectives& comm = matrix.cart().all();
  const MatrixExtents found = matrix_extents(comm, file, dataset);
  if (found.rows != matrix.rows().extent() || found.columns != matrix.columns().extent())
    throw rt::input_error(
        fmt::format("dataset '{}' of '{}' has shape ({}, {}), but the matrix has ({}, {})", dataset,
                    file.string(), found.rows, found.columns, matrix.rows().extent(),
                    matrix.columns().extent()),
        "A matrix has the shape (rows, columns).", rt::Reach::all_ranks);
  const DatasetPlan plan = plan_of(matrix, dataset);
  // Without MPI-IO: a damaged file of unknown origin must not stop ranks inside a collective.
  on_all_ranks(comm, [&] {
    read_users_block(file, plan.name, plan, std::as_writable_bytes(matrix.values()));
  });
  (void)verify_users_data(comm, file, plan, std::as_bytes(matrix.values()));
}

template <class T>
void write_matrix(const BlockMatrix<T>& matrix, const fs::path& file, const std::string& dataset,
                  const RunInfo& info) {
  if (!is_plain(matrix)) {
    BlockMatrix<T> plain = plain_like(matrix);
    redistribute(matrix, plain);
    return write_matrix(plain, file, dataset, info);
  }
  const comm::Collectives& comm = matrix.cart().all();
  DatasetPlan plan = plan_of(matrix, dataset);
  plan.checksum = field_hash(comm, plan, std::as_bytes(matrix.values()));
  FileHeader header;
  header.info = info;
  header.grid.dimensions = 2;
  header.grid.extent = plan.block.global;
  header.grid.length = {static_cast<double>(plan.block.global[0]),
                        static_cast<double>(plan.block.global[1]), 1.0};
  header.grid.length_unit = "";
  const fs::path temporary = begin_result(comm, file);
  on_root(comm, [&] { create_file(temporary, header, {plan}); });
  ParallelFile parallel(comm, temporary, ParallelFile::Access::write);
  parallel.write(plan, std::as_bytes(matrix.values()));
  parallel.close();
  on_root(comm, [&] { finish_result(temporary, file); });
}

template void read_matrix(BlockMatrix<float>&, const fs::path&, const std::string&);
template void read_matrix(BlockMatrix<double>&, const fs::path&, const std::string&);
template void write_matrix(const BlockMatrix<float>&, const fs::path&, const std::string&,
                           const RunInfo&);
template void write_matrix(const BlockMatrix<double>&, const fs::path&, const std::string&,
                           const RunInfo&);

}  // namespace cartwright::grid
