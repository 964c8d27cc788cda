// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/unfinished_file.hpp>

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <cartwright/rt/wait.hpp>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace cartwright::rt {
namespace {

namespace fs = std::filesystem;

constexpr const char* unfinished_extension = ".unfinished";
constexpr std::size_t longest_stem = 200;  // of the 255 bytes that a name may have

[[noreturn]] void throw_reason(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  while (::getrandom(&number, sizeof(number), 0) != sizeof(number))
    if (errno != EINTR) throw_reason("getrandom");
  return number;
}

/// umask() alone can't look without changing, for all threads.
mode_t umask_of_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("Umask:"))
      return static_cast<mode_t>(std::stoul(line.substr(6), nullptr, 8));
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return mask;
}

/// The permissions of what gets this name.
mode_t mode_for(const fs::path& path) {
  struct stat before {};
  if (::lstat(path.c_str(), &before) != 0 || S_ISLNK(before.st_mode))
    return 0666U & ~umask_of_process();
  if (S_ISREG(before.st_mode)) return before.st_mode & 0777U;
  throw std::system_error(S_ISDIR(before.st_mode) ? EISDIR : EEXIST, std::generic_category());
}

/// A pipe without a reader answers with a signal that ends the process: none while this lives.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;
  ~NoPipeSignal() {
    const timespec at_once{};
    if (!was_pending_)
      while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

// The file, or what MPI keeps beside it while ranks of several nodes have it open.
bool is_unfinished(const fs::path& file) {
  const std::string name = file.filename().string();
  return file.extension() == unfinished_extension ||
         (file.extension() == ".lock" &&
          name.find(fmt::format("{}-", unfinished_extension)) != std::string::npos);
}

}  // namespace

UnfinishedFile begin_file(const fs::path& path) {
  const std::string stem = path.filename().string().substr(0, longest_stem);
  for (int attempt = 0; attempt < 100; ++attempt) {
    fs::path name = path.parent_path() /
                    fmt::format("{}.{:016x}{}", stem, random_number(), unfinished_extension);
    FileDescriptor file(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (file) return {std::move(name), std::move(file)};
    if (errno != EEXIST) throw_reason("open");
  }
  throw_reason("open");
}

void finish_file(const fs::path& unfinished, const fs::path& path) {
  const mode_t mode = mode_for(path);
  {
    const FileDescriptor file(unfinished, O_RDONLY | O_NOFOLLOW);
    if (!file) throw_reason("open");
    if (::fchmod(file.get(), mode) != 0 && errno != EPERM && errno != ENOTSUP)
      throw_reason("chmod");
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) throw_reason("rename");
}

void replace_file(const fs::path& path, std::string_view text) {
  const UnfinishedFile unfinished = begin_file(path);
  try {
    if (const int reason = write_all(unfinished.file, text); reason != 0)
      throw std::system_error(reason, std::generic_category());
    finish_file(unfinished.name, path);
  } catch (...) {
    ::unlink(unfinished.name.c_str());
    throw;
  }
}

void remove_unfinished(const fs::path& directory) {
  std::vector<fs::path> found;
  try {  // an iterator that gives error codes would end the program for want of memory
    for (const auto& entry : fs::directory_iterator(directory))
      if (is_unfinished(entry.path())) found.push_back(entry.path());
  } catch (const fs::filesystem_error&) {
  }
  std::error_code ignored;
  for (const fs::path& file : found) fs::remove(file, ignored);
}

int write_all(const FileDescriptor& file, std::string_view text) {
  const WaitScope busy({"write"}, WaitKind::files);
  const NoPipeSignal none;
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace cartwright::rt
