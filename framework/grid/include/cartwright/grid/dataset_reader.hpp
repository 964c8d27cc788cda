// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field_base.hpp>
#include <cartwright/rt/communicator.hpp>
#include <filesystem>
#include <string>

namespace cartwright::grid {

/// Collective. Fills the owned points of `field` from a dataset of exactly the field's shape,
/// (nz, ny, nx[, components]), of any numeric type. Throws `rt::Error` (input error, all ranks)
/// that tells the expected and the found shape, or the datasets that the file does have.
void read_dataset(const rt::Communicator& comm, const std::filesystem::path& file,
                  const std::string& dataset, FieldBase& field);

/// The same checks without reading; no communication. For checking a deck before it runs.
void check_dataset(const std::filesystem::path& file, const std::string& dataset,
                   const Block& global, int components);

}  // namespace cartwright::grid
