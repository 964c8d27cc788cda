// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

namespace cartwright::grid {

/// What is known of numbers that were read.
struct ReadNumbers {
  std::uint64_t checksum = 0;  ///< of the numbers and their places; the same on any number of ranks
  bool were_guarded = false;   ///< the file has a checksum of them, and it is right
};

/// Collective. Fills the owned points of `field` from a dataset of exactly the field's shape,
/// (nz, ny, nx[, components]), of any numeric type. Throws `rt::Error` (input error, all ranks)
/// that tells the expected and the found shape, or the datasets that the file does have,
/// or where the numbers aren't those that the file's own checksum belongs to.
ReadNumbers read_dataset(const comm::Collectives& comm, const std::filesystem::path& file,
                         const std::string& dataset, FieldBase& field);

/// The same checks without reading; no communication. For checking a deck before it runs.
void check_dataset(const std::filesystem::path& file, const std::string& dataset,
                   const Block& global, int components);

}  // namespace cartwright::grid
