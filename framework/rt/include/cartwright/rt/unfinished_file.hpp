// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/file_descriptor.hpp>

#include <filesystem>
#include <string_view>

namespace cartwright::rt {

/// A file on its way to its name: it lies beside `path` under a name that nobody can guess, was
/// made by this call alone (nothing that was planted is followed or overwritten), and only its
/// user can read it.
struct UnfinishedFile {
  std::filesystem::path name;
  FileDescriptor file;
};

/// Makes an empty one. Throws `std::system_error` with the system's reason.
[[nodiscard]] UnfinishedFile begin_file(const std::filesystem::path& path);

/// Gives the file its name, in place of a file (or link) that had it, and the permissions that the
/// file before had, or else those of any new file. Throws `std::system_error`, also where something
/// that is no file has the name: a device is never replaced.
void finish_file(const std::filesystem::path& unfinished, const std::filesystem::path& path);

/// Puts a file with this text in place of what was there, whole or not at all; a link is replaced,
/// not followed. Throws `std::system_error`.
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Removes such files from `directory`: what was being written there when a run was killed, with
/// the lock files that MPI has made of their names.
void remove_unfinished(const std::filesystem::path& directory);

/// Writes all of `text`; 0, or the reason (an error number) why not. A pipe that nobody reads any
/// more is such a reason, and no signal.
[[nodiscard]] int write_all(const FileDescriptor& file, std::string_view text);

}  // namespace cartwright::rt
