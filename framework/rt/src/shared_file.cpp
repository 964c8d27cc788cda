// SPDX-License-Identifier: Apache-2.0
#include "shared_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace cartwright::rt {
namespace {

// Newer than the C library's header may be: the memory can't be executed (and systems may insist).
constexpr unsigned not_executable = 0x8U;
constexpr long tmpfs_magic = 0x01021994;

bool is_in_memory(const std::string& folder) {
  struct statfs status {};
  return ::statfs(folder.c_str(), &status) == 0 && status.f_type == tmpfs_magic;
}

bool has_room(const std::string& folder, std::size_t bytes) {
  struct statvfs status {};
  return ::statvfs(folder.c_str(), &status) == 0 &&
         static_cast<std::size_t>(status.f_bavail) * status.f_frsize >= bytes;
}

/// Beyond this limit of the process the system would not refuse, but kill (SIGXFSZ).
bool is_allowed_size(std::size_t bytes) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

}  // namespace

std::vector<std::string> folders_in_memory() {
  std::vector<std::string> folders{"/dev/shm"};
  if (const char* temporary = std::getenv("TMPDIR")) folders.emplace_back(temporary);
  folders.emplace_back("/tmp");
  std::erase_if(folders, [](const std::string& folder) { return !is_in_memory(folder); });
  return folders;
}

SharedFile SharedFile::without_name() {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int descriptor = ::memfd_create("cartwright", flags | not_executable);
  if (descriptor >= 0 || errno != EINVAL) return SharedFile(descriptor);
  return SharedFile(::memfd_create("cartwright", flags));
}

SharedFile SharedFile::in_folder(const std::string& folder) {
  std::array<std::uint64_t, 2> secret{};
  if (::getrandom(secret.data(), sizeof secret, 0) != sizeof secret) return {};
  std::string path = fmt::format("{}/cartwright-{:016x}{:016x}", folder, secret[0], secret[1]);
  if (path.size() >= Address{}.path.size()) return {};
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return {};
  return SharedFile(descriptor, std::move(path));
}

bool SharedFile::set_size(std::size_t bytes) const noexcept {
  if (!is_allowed_size(bytes) || ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
    return false;
  // Memory that was cut off would kill who touches it. (Files with a name can't be sealed.)
  ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  return true;
}

SharedFile SharedFile::create(Arena::Way way, std::span<const std::string> folders,
                              std::size_t bytes) {
  if (way == Arena::Way::descriptor) {
    SharedFile file = without_name();
    if (file && file.set_size(bytes)) return file;
    return {};
  }
  for (const std::string& folder : folders) {
    if (!has_room(folder, bytes)) continue;
    SharedFile file = in_folder(folder);
    if (file && file.set_size(bytes)) return file;
  }
  return {};
}

SharedFile SharedFile::open(const Address& address) {
  if (address.descriptor < 0) return {};
  const bool named = address.path[0] != '\0';
  const std::string path = named
                               ? std::string(address.path.data())
                               : fmt::format("/proc/{}/fd/{}", address.process, address.descriptor);
  // The descriptor of another process is a link.
  SharedFile file(::open(path.c_str(), O_RDWR | O_CLOEXEC | (named ? O_NOFOLLOW : 0)));
  struct stat status {};
  // Another process may have that number where processes are counted apart (containers).
  const bool is_the_same = file && ::fstat(file.descriptor_, &status) == 0 &&
                           status.st_dev == address.device && status.st_ino == address.inode &&
                           status.st_uid == ::geteuid();
  if (!is_the_same) return {};
  return file;
}

SharedFile::~SharedFile() {
  remove_name();
  if (descriptor_ >= 0) ::close(descriptor_);
}

SharedFile::Address SharedFile::address() const {
  Address address;
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return address;
  address.process = ::getpid();
  address.descriptor = descriptor_;
  address.device = status.st_dev;
  address.inode = status.st_ino;
  std::ranges::copy(path_, address.path.begin());
  return address;
}

bool SharedFile::take_pages(std::size_t begin, std::size_t bytes) const noexcept {
  if (bytes == 0) return true;
  int result = 0;
  do {
    result = ::fallocate(descriptor_, 0, static_cast<off_t>(begin), static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

void SharedFile::remove_name() noexcept {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

}  // namespace cartwright::rt
