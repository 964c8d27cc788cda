// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hdf5_file.hpp"

namespace cartwright::grid {

/// Ranges of bytes of a file: offset and length.
using FileRanges = std::vector<std::pair<long long, long long>>;

/// A checksum of a field's numbers that doesn't depend on how they are spread over ranks: the sum
/// over all points of a mix of place and bits. Collective.
[[nodiscard]] std::uint64_t field_hash(const comm::Collectives& comm, const DatasetPlan& plan,
                                       std::span<const std::byte> bytes);

/// 16 digits, as files and decks have it.
[[nodiscard]] std::string checksum_text(std::uint64_t checksum);
/// Where a dataset of ours has the field_hash() of its numbers.
inline constexpr const char* checksum_attribute = "checksum";

/// A checksum of a file's first `size` bytes except those in `skip`.
[[nodiscard]] std::uint64_t file_hash(const std::filesystem::path& file, long long size,
                                      const FileRanges& skip);

/// A checksum of bytes in memory.
[[nodiscard]] std::uint64_t text_hash(std::span<const char> text, std::uint64_t seed = 0);

}  // namespace cartwright::grid
