// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include <cartwright/grid/output/dataset_reader.hpp>

#include "hdf5_file.hpp"

/// HDF5 files that users name: of unknown origin, so that what is wrong with them is told in their
/// terms. Opened on this rank alone: a damaged file must not stop ranks inside a collective.
namespace cartwright::grid {

/// Throws an input error when there is no such file, or it isn't readable HDF5.
[[nodiscard]] Hdf5Handle open_users_file(const std::filesystem::path& file);
/// Throws an input error that lists the datasets there are.
[[nodiscard]] Hdf5Handle open_users_dataset(hid_t opened, const std::filesystem::path& file,
                                            const std::string& name);
/// The points of the plan's block from a dataset of the plan's shape. Throws an input error when
/// they can't be read.
void read_users_block(const std::filesystem::path& file, const std::string& name,
                      const DatasetPlan& plan, std::span<std::byte> bytes);

/// Collective. Compares the numbers that all ranks have read from the dataset plan.name with the
/// checksum that our own files have; files with HDF5's (fletcher32) were compared when they were
/// read. Throws an input error on all ranks where they differ.
[[nodiscard]] ReadNumbers verify_users_data(const comm::Collectives& comm,
                                            const std::filesystem::path& file,
                                            const DatasetPlan& plan,
                                            std::span<const std::byte> bytes);

}  // namespace cartwright::grid
