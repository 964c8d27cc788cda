// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/block_matrix.hpp>
#include <cartwright/grid/run/run_info.hpp>
#include <filesystem>
#include <string>

namespace cartwright::grid {

struct MatrixExtents {
  long long rows = 0, columns = 0;
};

/// Collective. The shape of a dataset (rows, columns) of any numeric type in an HDF5 file. Throws
/// `rt::Error` (input error, all ranks) that tells what the file has instead.
[[nodiscard]] MatrixExtents matrix_extents(const comm::Collectives& comm,
                                           const std::filesystem::path& file,
                                           const std::string& dataset);

/// Collective. Every rank reads its own elements of a dataset of exactly the matrix's shape.
/// Errors as above. T: float or double.
template <class T>
void read_matrix(BlockMatrix<T>& matrix, const std::filesystem::path& file,
                 const std::string& dataset);

/// Collective. A new HDF5 file with the dataset (rows, columns), written by all ranks together
/// through MPI-IO; it takes its name when it is whole. Throws `rt::Error` (input error, all ranks)
/// when the disk is full or read-only.
template <class T>
void write_matrix(const BlockMatrix<T>& matrix, const std::filesystem::path& file,
                  const std::string& dataset, const RunInfo& info);

}  // namespace cartwright::grid
