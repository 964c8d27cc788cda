// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/file_descriptor.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace cartwright::rt {

/// A result where the user wants it. What is a regular file, or nothing yet, gets the result when
/// it is whole: a reader, and a crash, meets the old file or the new one. What is a stream (a
/// terminal, a pipe, /dev/null, /dev/stdout) is written as it comes and never replaced. Directories
/// and disks are refused. Links are followed.
/// All throw `rt::Error` (input error): what the system said, and `advice`.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path, std::string advice = {});
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without finish() nothing stays behind, and a file that was there before is as it was.
  ~OutputFile();

  void write(std::string_view text);
  /// The result is whole.
  void finish();

 private:
  void open_stream();

  std::filesystem::path path_;  // as the user gave it
  std::string advice_;
  std::filesystem::path target_;  // behind links
  std::filesystem::path unfinished_;
  FileDescriptor file_;
};

/// Writes `text` to `path`, whole or not at all.
void write_file(const std::filesystem::path& path, std::string_view text,
                const std::string& advice = {});

/// Refuses at once what write_file() would refuse after the work; leaves nothing behind.
void require_writable(const std::filesystem::path& path, const std::string& advice = {});

/// Refuses what is there and can't be written or replaced (a directory, a disk), and touches
/// nothing.
void require_no_obstacle(const std::filesystem::path& path, const std::string& advice = {});

/// True for what is written as it comes.
[[nodiscard]] bool is_stream(const std::filesystem::path& path);

}  // namespace cartwright::rt
