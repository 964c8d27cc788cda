// SPDX-License-Identifier: Apache-2.0
#include <sys/statvfs.h>

#include <cartwright/rt/write_fault.hpp>
#include <cerrno>
#include <cstring>

namespace cartwright::rt {
namespace {

/// Where files are many and small, disks run out of inodes before they run out of space.
bool inodes_are_used_up(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return false;
  return disk.f_files > 0 && disk.f_favail == 0;  // f_files 0: it doesn't count them
}

}  // namespace

std::string write_fault(const std::filesystem::path& path, int error_number) {
  switch (error_number) {
    case ENOSPC:
      return inodes_are_used_up(path)
                 ? "the disk holds as many files as it can (its inodes are used up)"
                 : "the disk is full";
    case EDQUOT:
      return "the disk quota is used up";
    case EFBIG:
      return "the limit on file sizes (ulimit -f) forbids it";
    default:
      return std::strerror(error_number);
  }
}

}  // namespace cartwright::rt
