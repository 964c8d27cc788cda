// SPDX-License-Identifier: Apache-2.0
#include "whole_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <cartwright/rt/error.hpp>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "file_descriptor.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view unfinished_extension = ".unfinished";

[[noreturn]] void refuse(const fs::path& path, const char* verb, int reason) {
  throw rt::input_error(
      fmt::format("cannot {} '{}': {}", verb, path.string(), std::strerror(reason)),
      "Check the space and the permissions there, or choose another "
      "'output.directory'.");
}

/// 0, or the reason why not all of it was written.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void write_whole_file(const fs::path& path, std::string_view text) {
  const fs::path temporary = unfinished(path);
  int reason = 0;
  {
    const FileDescriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file) refuse(path, "write", errno);
    reason = write_all(file.get(), text);
  }
  if (reason != 0) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    refuse(path, "write", reason);
  }
  rename_file(temporary, path);
}

void append_to_file(const fs::path& path, std::string_view text) {
  const FileDescriptor file(path, O_WRONLY | O_APPEND | O_CREAT);
  if (!file) refuse(path, "write", errno);
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) refuse(path, "write", errno);
  if (const int reason = write_all(file.get(), text); reason != 0) {
    if (::ftruncate(file.get(), before.st_size) != 0) refuse(path, "shorten", errno);
    refuse(path, "write", reason);
  }
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) refuse(to, "write", errno);
}

void flush_to_disk(const fs::path& path) {
  const FileDescriptor file(path, O_RDONLY);
  if (!file) refuse(path, "open", errno);
  // Some file systems refuse fsync on directories: nothing more can be done there.
  if (::fsync(file.get()) != 0 && errno != EINVAL) refuse(path, "write", errno);
}

void make_directory(const fs::path& path) {
  std::error_code fault;
  fs::create_directories(path, fault);
  if (fault && !fs::is_directory(path)) refuse(path, "create directory", fault.value());
}

fs::path unfinished(const fs::path& path) {
  fs::path result = path;
  return result += unfinished_extension;
}

void remove_unfinished(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored))
    if (entry.path().extension() == unfinished_extension) fs::remove(entry.path(), ignored);
}

std::string step_file_name(const std::string& name, long long step, const std::string& extension) {
  return fmt::format("{}_{:010d}{}", name, step, extension);
}

long long step_of_file(const fs::path& file, const std::string& name,
                       const std::string& extension) {
  const std::string found = file.filename().string();
  const std::string prefix = name + '_';
  if (found.size() < prefix.size() + extension.size() + 10 || !found.starts_with(prefix) ||
      !found.ends_with(extension))
    return -1;
  long long step = -1;
  const char* begin = found.data() + prefix.size();
  const char* end = found.data() + found.size() - extension.size();
  const auto [stop, fault] = std::from_chars(begin, end, step);
  return fault == std::errc{} && stop == end ? step : -1;
}

}  // namespace cartwright::grid
