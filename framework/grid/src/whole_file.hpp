// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cartwright::grid {

/// Replaces `path` with `text` so that a reader, and a crash, meets the old text or the new one.
/// Throws `rt::Error` (input error) if the disk refuses.
void write_whole_file(const std::filesystem::path& path, std::string_view text);

/// Adds `text` to the end. Throws `rt::Error` (input error); what was written of it is taken back.
void append_to_file(const std::filesystem::path& path, std::string_view text);

/// Gives `from` the name `to`, in place of what had it.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Returns when the file's (or directory's) contents are on the disk.
void flush_to_disk(const std::filesystem::path& path);

void make_directory(const std::filesystem::path& path);

/// The name under which a file is written before it is whole.
[[nodiscard]] std::filesystem::path unfinished(const std::filesystem::path& path);

/// Removes files that were being written when a run was killed.
void remove_unfinished(const std::filesystem::path& directory);

/// "NAME_0000000100.h5" for step 100.
[[nodiscard]] std::string step_file_name(const std::string& name, long long step,
                                         const std::string& extension);
/// The step in such a name, or -1.
[[nodiscard]] long long step_of_file(const std::filesystem::path& file, const std::string& name,
                                     const std::string& extension);

}  // namespace cartwright::grid
