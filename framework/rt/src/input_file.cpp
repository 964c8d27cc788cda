// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/input_file.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/wait.hpp>
#include <cerrno>
#include <system_error>

namespace cartwright::rt {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_input(const fs::path& path, const std::string& why,
                               const std::string& advice) {
  throw input_error(fmt::format("{}: can't be read: {}", path.string(), why), advice);
}

std::string input_kind(mode_t mode) {
  if (S_ISDIR(mode)) return "it is a directory";
  if (S_ISFIFO(mode)) return "it is a pipe, not a file";
  if (S_ISSOCK(mode)) return "it is a socket, not a file";
  return "it is a device, not a file";
}

}  // namespace

FileDescriptor open_input(const fs::path& path, const std::string& advice) {
  // Before opening: to open a device can move a tape. After it: names may change meanwhile.
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
    refuse_input(path, input_kind(found.st_mode), advice);
  FileDescriptor file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!file || ::fstat(file.get(), &found) != 0)
    refuse_input(path, std::generic_category().message(errno), advice);
  if (!S_ISREG(found.st_mode)) refuse_input(path, input_kind(found.st_mode), advice);
  return file;
}

std::string read_file(const fs::path& path, std::size_t most_bytes, const std::string& advice) {
  constexpr std::size_t piece = std::size_t{64} * 1024;
  const WaitScope busy({"read"}, WaitKind::files);
  const FileDescriptor file = open_input(path, advice);
  std::string text;
  while (text.size() < most_bytes) {
    const std::size_t before = text.size();
    text.resize(before + std::min(piece, most_bytes - before));
    const ssize_t count = ::read(file.get(), text.data() + before, text.size() - before);
    const int reason = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && reason == EINTR) continue;
    if (count < 0) refuse_input(path, std::generic_category().message(reason), advice);
    if (count == 0) break;
  }
  return text;
}

}  // namespace cartwright::rt
