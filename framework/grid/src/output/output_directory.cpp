// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/file.h>
#include <cartwright/grid/output/output_directory.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/grid/output/space_reservation.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/file_descriptor.hpp>
#include <cartwright/rt/write_fault.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* lock_name = ".lock";
constexpr long long smallest_useful_space = 64LL * 1024;

rt::Error in_use(const fs::path& path) {
  return rt::input_error(fmt::format("another run is writing into '{}'", path.string()),
                         "Wait for it to end, or choose another 'output.directory'.");
}

/// The directory's lock; -1 if another process has it.
int take_lock(const fs::path& directory, std::chrono::milliseconds patience) {
  // Nothing that was planted is followed or waited for.
  rt::FileDescriptor file(directory / lock_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  if (!file)
    throw rt::input_error(fmt::format("cannot write into '{}': {}", directory.string(),
                                      rt::write_fault(directory / lock_name, errno)),
                          "Choose an 'output.directory' that you may write to.");
  const auto end = std::chrono::steady_clock::now() + patience;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) break;  // a file system without locks
    if (std::chrono::steady_clock::now() > end) return -1;
    std::this_thread::sleep_for(50ms);
  }
  return file.release();
}

bool holds_results(const fs::path& directory) {
  return std::ranges::any_of(fs::directory_iterator(directory), [](const auto& entry) {
    return entry.path().filename() != lock_name;
  });
}

bool contains(const fs::path& outer, const fs::path& inner) {
  const auto relative = inner.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

/// Nobody means to move the directory that he works in, or his home.
void refuse_to_move_homes(const fs::path& path) {
  const fs::path real = fs::canonical(path);
  const char* home = std::getenv("HOME");
  if (contains(real, fs::current_path()) || (home != nullptr && contains(real, home)))
    throw rt::input_error(
        fmt::format("'output.directory' is '{}', which exists and is more than results",
                    path.string()),
        "Choose a directory of its own, such as 'out/heat'.");
}

fs::path next_free_name(const fs::path& path) {
  for (long long number = 1;; ++number) {
    fs::path name = path;
    name += fmt::format(".{}", number);
    std::error_code fault;  // a name that is too long isn't there: renaming says so
    if (!fs::exists(fs::symlink_status(name, fault))) return name;
  }
}

bool is_in_the_way(const fs::path& path) {
  if (!fs::exists(path) || !holds_results(path)) return false;
  refuse_to_move_homes(path);
  return true;
}

std::optional<fs::path> move_aside(const fs::path& path) {
  if (!is_in_the_way(path)) return std::nullopt;
  const rt::FileDescriptor lock(path / lock_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw in_use(path);
  const fs::path name = next_free_name(path);
  std::error_code fault;
  fs::rename(path, name, fault);
  if (fault)
    throw rt::input_error(fmt::format("cannot set '{}' aside as '{}': {}", path.string(),
                                      name.string(), fault.message()),
                          "Choose another 'output.directory'.");
  return name;
}

void require_directory(const fs::path& path, bool restart) {
  const auto refuse = [&](const std::string& why) {
    throw rt::input_error(fmt::format("'output.directory' is '{}', {}", path.string(), why),
                          "Choose another one.");
  };
  if (path.empty()) refuse("which is no name");
  if (path.begin()->string().starts_with('~'))
    refuse("where only a shell would put a home directory for '~'");
  std::error_code fault;
  const fs::file_status status = fs::status(path, fault);
  if (!fs::status_known(status)) refuse("which can't be used: " + fault.message());
  if (fs::exists(status) && !fs::is_directory(status)) refuse("which is not a directory");
  if (!fs::exists(status) && fs::is_symlink(fs::symlink_status(path, fault)))
    refuse(fmt::format("a link to '{}', which is not there", fs::read_symlink(path).string()));
  // Nothing is made in a directory that some slip of the hand has named.
  const bool is_of_a_run =
      fs::exists(path / lock_name, fault) || fs::is_directory(path / "checkpoints", fault);
  if (restart && !is_of_a_run)
    throw rt::input_error(
        fs::exists(status)
            ? fmt::format("'{}' holds no results of a run to restart from", path.string())
            : fmt::format("there is no directory '{}' to restart from", path.string()),
        "Give the output directory of the run that is to go on: --restart DIR.");
}

void create(const fs::path& path) {
  std::error_code fault;
  fs::create_directories(path, fault);
  std::error_code ignored;
  if (fault && !fs::is_directory(path, ignored))
    throw rt::input_error(
        fmt::format("cannot create '{}': {}", path.string(), rt::write_fault(path, fault.value())),
        "Choose an 'output.directory' that you may write to.");
}

fs::path without_trailing_slash(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

/// Shared file systems show a new directory late on other nodes: patience first.
void require_visible(const fs::path& path) {
  std::error_code ignored;
  for (int attempt = 0; attempt < 50; ++attempt) {
    if (fs::is_directory(path, ignored)) return;
    std::this_thread::sleep_for(100ms);
  }
  throw rt::input_error(fmt::format("'{}' is not visible on every node", path.string()),
                        "Choose an 'output.directory' on a file system that all nodes share.");
}

}  // namespace

fs::path results_directory(const std::string& asked_for, const std::string& deck_name) {
  if (!asked_for.empty()) return asked_for;
  constexpr std::size_t longest = 200;  // bytes; room for what is added, such as ".12"
  std::string name = fs::path(deck_name).stem().string().substr(0, longest);
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < 0x20 || c == 0x7F || c == '/' || c == '\\'; }, '_');
  // Names of dots alone are this directory and the one above it; with a dot first they are hidden.
  const std::size_t first = name.find_first_not_of('.');
  return fs::path("out") / (first == std::string::npos ? "run" : name.substr(first));
}

OutputDirectory OutputDirectory::prepare(const comm::Collectives& comm, const fs::path& path,
                                         bool restart) {
  OutputDirectory result;
  result.path_ = without_trailing_slash(path);
  on_root(comm, [&] {
    require_directory(result.path_, restart);
    if (!restart) result.set_aside_ = move_aside(result.path_);
    create(result.path_);
    // A killed run's last process may still hold the lock for a moment.
    result.lock_ = take_lock(result.path_, restart ? 5s : 1s);
    if (result.lock_ < 0) throw in_use(result.path_);
    check_space(result.path_, smallest_useful_space);
  });
  on_all_ranks(comm, [&] { require_visible(result.path_); });
  return result;
}

void OutputDirectory::require_usable(const comm::Collectives& comm, const fs::path& path,
                                     bool restart) {
  on_root(comm, [&] {
    const fs::path name = without_trailing_slash(path);
    require_directory(name, restart);
    if (!restart) (void)is_in_the_way(name);
  });
}

OutputDirectory::OutputDirectory(OutputDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      set_aside_(std::move(other.set_aside_)),
      lock_(std::exchange(other.lock_, -1)) {}

OutputDirectory& OutputDirectory::operator=(OutputDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(set_aside_, other.set_aside_);
  std::swap(lock_, other.lock_);
  return *this;
}

OutputDirectory::~OutputDirectory() {
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace cartwright::grid
