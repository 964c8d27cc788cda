// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/output_file.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/unfinished_file.hpp>
#include <cartwright/rt/wait.hpp>
#include <cartwright/rt/write_fault.hpp>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <system_error>
#include <thread>

namespace cartwright::rt {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int most_output_links = 40;  // as the system itself
constexpr auto pipe_patience = 2s;     // for a reader of a pipe that is about to come

[[noreturn]] void refuse_output(const fs::path& path, const std::string& why,
                                const std::string& advice) {
  throw input_error(
      fmt::format("cannot write '{}': {}", path.string(), why),
      advice.empty() ? "Name a file in a directory that exists and has room." : advice);
}

[[noreturn]] void refuse_output(const fs::path& path, int reason, const std::string& advice) {
  refuse_output(path, write_fault(path, reason), advice);
}

/// Where a name leads to.
struct OutputTarget {
  fs::path name;
  std::optional<struct stat> found;  ///< empty: nothing is there yet
  std::optional<int> descriptor;     ///< the name stands for something that this process has open

  [[nodiscard]] bool is_file() const { return !descriptor && (!found || S_ISREG(found->st_mode)); }
  [[nodiscard]] bool is_stream() const {
    return descriptor || (found && (S_ISCHR(found->st_mode) || S_ISFIFO(found->st_mode)));
  }
};

/// /dev/stdout and the like end in /proc/self/fd/N: there is a number N to write to, whatever its
/// kind and even if it has no name any more.
std::optional<int> own_descriptor(const fs::path& name) {
  std::error_code fault;
  const fs::path here = fs::canonical(name.parent_path().empty() ? "." : name.parent_path(), fault);
  if (fault || here != fs::canonical("/proc/self/fd", fault) || fault) return std::nullopt;
  const std::string text = name.filename().string();
  int number = -1;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// In a directory that everybody may write to, a link of somebody else may have been planted: the
/// rule of Linux (protected_symlinks).
bool is_planted(const fs::path& link, const struct stat& found) {
  struct stat folder {};
  const fs::path parent = link.parent_path().empty() ? "." : link.parent_path();
  if (::stat(parent.c_str(), &folder) != 0) return true;
  const bool shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return shared && found.st_uid != ::geteuid() && found.st_uid != folder.st_uid;
}

OutputTarget find_target(const fs::path& path, const std::string& advice) {
  fs::path name = path;
  for (int link = 0; link <= most_output_links; ++link) {
    if (const auto number = own_descriptor(name)) return {name, {}, number};
    struct stat found {};
    if (::lstat(name.c_str(), &found) != 0) {
      if (errno != ENOENT) refuse_output(path, errno, advice);
      if (!name.has_filename())
        refuse_output(path, path.empty() ? "the name is empty" : "there is no such directory",
                      advice);
      return {name, {}, {}};
    }
    if (!S_ISLNK(found.st_mode)) return {name, found, {}};
    if (is_planted(name, found))
      refuse_output(path, "it is a link of somebody else in a directory of all", advice);
    std::error_code fault;
    const fs::path next = fs::read_symlink(name, fault);
    if (fault) refuse_output(path, fault.value(), advice);
    name = next.is_absolute() ? next : name.parent_path() / next;
  }
  refuse_output(path, ELOOP, advice);
}

OutputTarget require_target(const fs::path& path, const std::string& advice) {
  OutputTarget target = find_target(path, advice);
  if (!target.found) return target;
  const mode_t mode = target.found->st_mode;
  if (S_ISDIR(mode)) refuse_output(path, "it is a directory", advice);
  if (S_ISBLK(mode)) refuse_output(path, "it is a disk", advice);
  if (S_ISSOCK(mode)) refuse_output(path, "it is a socket", advice);
  // A file that is to stay as it is was said to be so; renaming wouldn't ask.
  if (::faccessat(AT_FDCWD, target.name.c_str(), W_OK, AT_EACCESS) != 0)
    refuse_output(path, errno, advice);
  return target;
}

/// Waits a little for the reader of a named pipe, where open() would wait for ever.
FileDescriptor open_patiently(const fs::path& name) {
  const WaitScope busy({"open"}, WaitKind::files);
  const auto end = std::chrono::steady_clock::now() + pipe_patience;
  while (true) {
    FileDescriptor file(name, O_WRONLY | O_NOCTTY | O_NONBLOCK);
    if (file || errno != ENXIO || std::chrono::steady_clock::now() > end) return file;
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace

OutputFile::OutputFile(fs::path path, std::string advice)
    : path_(std::move(path)), advice_(std::move(advice)) {
  const OutputTarget target = require_target(path_, advice_);
  if (target.descriptor) {
    std::fflush(stdout);  // what was printed before comes before
    file_ = FileDescriptor(::fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 0));
    if (!file_) refuse_output(path_, errno, advice_);
    return;
  }
  target_ = target.name;
  if (!target.is_file()) {
    open_stream();
    return;
  }
  try {
    UnfinishedFile unfinished = begin_file(target_);
    unfinished_ = std::move(unfinished.name);
    file_ = std::move(unfinished.file);
  } catch (const std::system_error& error) {
    refuse_output(path_, error.code().value(), advice_);
  }
}

OutputFile::~OutputFile() {
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
}

void OutputFile::open_stream() {
  file_ = open_patiently(target_);
  if (!file_ && errno == ENXIO) refuse_output(path_, "nobody reads from this pipe", advice_);
  if (!file_) refuse_output(path_, errno, advice_);
  const int flags = ::fcntl(file_.get(), F_GETFL);
  if (flags < 0 || ::fcntl(file_.get(), F_SETFL, flags & ~O_NONBLOCK) != 0)
    refuse_output(path_, errno, advice_);
}

void OutputFile::write(std::string_view text) {
  if (const int reason = write_all(file_, text); reason != 0) refuse_output(path_, reason, advice_);
}

void OutputFile::finish() {
  const bool is_file = !unfinished_.empty();
  // Some file systems say only now that there was no room.
  if (::close(file_.release()) != 0 && errno != EINTR && is_file)
    refuse_output(path_, errno, advice_);
  if (!is_file) return;
  try {
    finish_file(unfinished_, target_);
  } catch (const std::system_error& error) {
    refuse_output(path_, error.code().value(), advice_);
  }
  unfinished_.clear();
}

void write_file(const fs::path& path, std::string_view text, const std::string& advice) {
  OutputFile file(path, advice);
  file.write(text);
  file.finish();
}

void require_writable(const fs::path& path, const std::string& advice) {
  // To open a pipe and close it again would tell its reader that this was all.
  if (require_target(path, advice).is_file()) const OutputFile nothing(path, advice);
}

void require_no_obstacle(const fs::path& path, const std::string& advice) {
  (void)require_target(path, advice);
}

bool is_stream(const fs::path& path) {
  try {
    return find_target(path, {}).is_stream();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace cartwright::rt
