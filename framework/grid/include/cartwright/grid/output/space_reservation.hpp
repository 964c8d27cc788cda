// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace cartwright::grid {

/// Makes sure that `bytes` bytes can be written to the existing file `path`, by reserving them on
/// the disk: parallel HDF5 hangs or crashes where a disk fills up, so it must never meet one.
/// Throws `rt::Error` (input error) that says how much is needed and how much is free.
void reserve_space(const std::filesystem::path& path, long long bytes);

/// The same for files that don't exist yet: tries in their directory and leaves nothing behind.
void check_space(const std::filesystem::path& directory, long long bytes);

}  // namespace cartwright::grid
