// SPDX-License-Identifier: Apache-2.0
#include "whole_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/unfinished_file.hpp>
#include <cartwright/rt/write_fault.hpp>

#include <cerrno>
#include <charconv>
#include <system_error>

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const char* verb, int reason) {
  throw rt::input_error(
      fmt::format("cannot {} '{}': {}", verb, path.string(), rt::write_fault(path, reason)),
      "Check the space and the permissions there, or choose another 'output.directory'.");
}

}  // namespace

void write_whole_file(const fs::path& path, std::string_view text) {
  try {
    rt::replace_file(path, text);
  } catch (const std::system_error& error) {
    refuse(path, "write", error.code().value());
  }
}

void append_to_file(const fs::path& path, std::string_view text) {
  const rt::FileDescriptor file(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  if (!file) refuse(path, "write", errno);
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) refuse(path, "write", errno);
  if (!S_ISREG(before.st_mode)) refuse(path, "write", EINVAL);
  if (const int reason = rt::write_all(file, text); reason != 0) {
    if (::ftruncate(file.get(), before.st_size) != 0) refuse(path, "shorten", errno);
    refuse(path, "write", reason);
  }
}

fs::path begin_result(const fs::path& path) {
  try {
    return rt::begin_file(path).name;
  } catch (const std::system_error& error) {
    refuse(path, "write", error.code().value());
  }
}

void finish_result(const fs::path& unfinished, const fs::path& path) {
  try {
    rt::finish_file(unfinished, path);
  } catch (const std::system_error& error) {
    refuse(path, "write", error.code().value());
  }
}

fs::path begin_result(const comm::Collectives& comm, const fs::path& path) {
  std::string name;
  on_root(comm, [&] { name = begin_result(path).string(); });
  return from_root(comm, name);
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) refuse(to, "write", errno);
}

void flush_to_disk(const fs::path& path) {
  const rt::FileDescriptor file(path, O_RDONLY);
  if (!file) refuse(path, "open", errno);
  // Some file systems refuse fsync on directories: nothing more can be done there.
  if (::fsync(file.get()) != 0 && errno != EINVAL) refuse(path, "write", errno);
}

void make_directory(const fs::path& path) {
  std::error_code fault;
  fs::create_directories(path, fault);
  std::error_code ignored;
  if (fault && !fs::is_directory(path, ignored)) refuse(path, "create directory", fault.value());
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
