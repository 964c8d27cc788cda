// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace cartwright::grid {

/// Replaces `path` with `text` so that a reader, and a crash, meets the old text or the new one.
/// Throws `rt::Error` (input error) if the disk refuses.
void write_whole_file(const std::filesystem::path& path, std::string_view text);

/// Adds `text` to the end. Throws `rt::Error` (input error); what was written of it is taken back.
void append_to_file(const std::filesystem::path& path, std::string_view text);

/// Makes the file under whose name `path` is written until it is whole (rt/unfinished_file.hpp).
[[nodiscard]] std::filesystem::path begin_result(const std::filesystem::path& path);
/// The same for all ranks: the first makes it, all get its name. Collective.
[[nodiscard]] std::filesystem::path begin_result(const comm::Collectives& comm,
                                                 const std::filesystem::path& path);
/// It is whole: it gets its name and the usual permissions.
void finish_result(const std::filesystem::path& unfinished, const std::filesystem::path& path);

/// Gives `from` the name `to`, in place of what had it.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Returns when the file's (or directory's) contents are on the disk.
void flush_to_disk(const std::filesystem::path& path);

void make_directory(const std::filesystem::path& path);

/// "NAME_0000000100.h5" for step 100.
[[nodiscard]] std::string step_file_name(const std::string& name, long long step,
                                         const std::string& extension);
/// The step in such a name, or -1.
[[nodiscard]] long long step_of_file(const std::filesystem::path& file, const std::string& name,
                                     const std::string& extension);

}  // namespace cartwright::grid
