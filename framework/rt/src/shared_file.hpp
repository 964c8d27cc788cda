// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/rt/arena.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace cartwright::rt {

/// A file in memory that several processes have open, of a fixed size. Private to the user. It ends
/// with the last of them, as it has no name, or one only until remove_name(). Move-only.
class SharedFile {
 public:
  /// What another process of the node needs to open it: plain data, to be sent.
  struct Address {
    std::int64_t process = 0, descriptor = -1;  ///< -1: there is no file
    std::uint64_t device = 0, inode = 0;
    std::array<char, 512> path{};  ///< empty: it has no name
  };

  SharedFile() = default;
  /// Empty where the system refuses. `folders`: those of Way::file.
  [[nodiscard]] static SharedFile create(Arena::Way way, std::span<const std::string> folders,
                                         std::size_t bytes);
  /// Empty if it can't be opened, or what is found there is another file.
  [[nodiscard]] static SharedFile open(const Address& address);

  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  SharedFile(SharedFile&& other) noexcept { swap(other); }
  SharedFile& operator=(SharedFile&& other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedFile();

  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] Address address() const;
  /// Takes the pages from `begin` on now. False if there aren't as many.
  [[nodiscard]] bool take_pages(std::size_t begin, std::size_t bytes) const noexcept;
  void remove_name() noexcept;

 private:
  explicit SharedFile(int descriptor, std::string path = {})
      : descriptor_(descriptor), path_(std::move(path)) {}
  [[nodiscard]] static SharedFile without_name();
  [[nodiscard]] static SharedFile in_folder(const std::string& folder);
  [[nodiscard]] bool set_size(std::size_t bytes) const noexcept;
  void swap(SharedFile& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(path_, other.path_);
  }

  int descriptor_ = -1;
  std::string path_;
};

/// Folders where files are memory: /dev/shm, and TMPDIR and /tmp where they are.
[[nodiscard]] std::vector<std::string> folders_in_memory();

}  // namespace cartwright::rt
