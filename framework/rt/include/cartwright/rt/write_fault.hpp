// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace cartwright::rt {

/// Why `path` could not be written or made, from an errno: tells a disk without space from one
/// without inodes, a quota and a limit on file sizes.
[[nodiscard]] std::string write_fault(const std::filesystem::path& path, int error_number);

}  // namespace cartwright::rt
