// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cartwright/grid/output/space_reservation.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/unfinished_file.hpp>
#include <cartwright/rt/write_fault.hpp>
#include <cerrno>
#include <system_error>

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

std::string free_space(const fs::path& path) {
  std::error_code fault;
  const fs::space_info space = fs::space(path, fault);
  if (fault) return {};
  return fmt::format(", {} are free", rt::readable_bytes(static_cast<long long>(space.available)));
}

[[noreturn]] void refuse(const fs::path& path, long long bytes, int reason) {
  const std::string have = reason == ENOSPC ? free_space(path.parent_path()) : std::string{};
  throw rt::input_error(
      fmt::format("cannot write '{}': {} ({} are needed{})", path.string(),
                  rt::write_fault(path, reason), rt::readable_bytes(bytes), have),
      "Free some space, or choose another 'output.directory'; checkpoints written "
      "so far are whole.");
}

/// The limit on file sizes kills by a signal (SIGXFSZ) where it is met: look before.
bool allowed(long long bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  return static_cast<rlim_t>(bytes) <= limit.rlim_cur;
}

int try_reserve(int descriptor, long long bytes) {
  if (bytes <= 0) return 0;
  if (!allowed(bytes)) return EFBIG;
  int reason = EINTR;
  while (reason == EINTR) reason = posix_fallocate(descriptor, 0, bytes);
  // Some file systems cannot reserve at all; then writing has to show.
  return reason == EOPNOTSUPP || reason == EINVAL || reason == ENODEV ? 0 : reason;
}

}  // namespace

void reserve_space(const fs::path& path, long long bytes) {
  const rt::FileDescriptor file(path, O_RDWR | O_NOFOLLOW);
  if (!file) refuse(path, bytes, errno);
  if (const int reason = try_reserve(file.get(), bytes); reason != 0) refuse(path, bytes, reason);
}

void check_space(const fs::path& directory, long long bytes) {
  rt::UnfinishedFile trial;
  try {
    trial = rt::begin_file(directory / "space");
  } catch (const std::system_error& error) {
    refuse(directory, bytes, error.code().value());
  }
  const int reason = try_reserve(trial.file.get(), bytes);
  std::error_code ignored;
  fs::remove(trial.name, ignored);
  if (reason != 0) refuse(directory, bytes, reason);
}

}  // namespace cartwright::grid
