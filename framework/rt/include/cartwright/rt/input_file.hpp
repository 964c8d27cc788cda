// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/file_descriptor.hpp>

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

namespace cartwright::rt {

/// Opens a regular file for reading. Throws an input error for everything else, at once: pipes,
/// devices and sockets may never come to an end.
[[nodiscard]] FileDescriptor open_input(const std::filesystem::path& path,
                                        const std::string& advice = {});

/// The first `most_bytes` bytes of a regular file. Throws input errors, never waits.
[[nodiscard]] std::string read_file(
    const std::filesystem::path& path,
    std::size_t most_bytes = std::numeric_limits<std::size_t>::max(),
    const std::string& advice = {});

}  // namespace cartwright::rt
