// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace cartwright::grid {

/// A seal is a text behind a file's last byte, which tells that the file is whole and what is in
/// it. HDF5 doesn't look there. Layout: text, its length and checksum in 16 hexadecimal digits
/// each, magic.
void append_seal(const std::filesystem::path& file, const std::string& text);

struct Seal {
  std::string text;
  long long sealed_size = 0;  ///< bytes before the seal
};

/// Nothing if the file has no whole seal. Throws `rt::Error` if it cannot be read.
[[nodiscard]] std::optional<Seal> read_seal(const std::filesystem::path& file);

}  // namespace cartwright::grid
