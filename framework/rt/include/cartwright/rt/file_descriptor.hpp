// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace cartwright::rt {

/// Owns an open file of the operating system; move-only, false if it could not be opened (see
/// errno).
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Takes over what was opened elsewhere.
  explicit FileDescriptor(int opened) : descriptor_(opened) {}
  FileDescriptor(const std::filesystem::path& path, int flags, unsigned mode = 0666)
      : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }
  explicit operator bool() const noexcept { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

}  // namespace cartwright::rt
