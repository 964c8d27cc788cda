// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <span>
#include <type_traits>

namespace cartwright::rt {

/// Owns one MPI request; move-only. Destroying an active one is a fault of the program (asserted).
/// `Message` objects are contiguous bytes; sizes over 2^31 - 1 bytes are sent as one MPI message of
/// a larger element type.
class Message {
 public:
  Message() = default;
  /// Takes over a request that an MPI call has just made.
  Message(MPI_Request handle, bool persistent) noexcept
      : handle_(handle), persistent_(persistent) {}
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  Message(Message&& other) noexcept;
  Message& operator=(Message&& other) noexcept;
  ~Message();

  /// True when complete (or never started). Progresses MPI.
  bool test();
  /// Published as a wait at `site`: its caller, unless that knows a better name.
  void wait(const WaitSite& site = {"MPI_Wait", __builtin_FILE(), __builtin_LINE()});
  /// Starts a persistent message again.
  void start();
  /// Persistent, or still under way.
  [[nodiscard]] bool is_valid() const noexcept { return handle_ != MPI_REQUEST_NULL; }
  /// Forgets a message that will never be completed; its memory must stay. For runs that fail.
  void abandon() noexcept { handle_ = MPI_REQUEST_NULL; }
  [[nodiscard]] MPI_Request* handle() noexcept { return &handle_; }

 private:
  void swap(Message& other) noexcept;

  MPI_Request handle_ = MPI_REQUEST_NULL;
  bool persistent_ = false;
};

[[nodiscard]] Message isend(const Communicator& comm, std::span<const std::byte> data, Rank to,
                            Tag tag);
[[nodiscard]] Message ireceive(const Communicator& comm, std::span<std::byte> data, Rank from,
                               Tag tag);
/// Persistent forms: nothing moves until `start()`.
[[nodiscard]] Message persistent_send(const Communicator& comm, std::span<const std::byte> data,
                                      Rank to, Tag tag);
[[nodiscard]] Message persistent_receive(const Communicator& comm, std::span<std::byte> data,
                                         Rank from, Tag tag);

/// Typed conveniences over trivially copyable elements.
template <class T, std::size_t Extent>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] Message isend(const Communicator& comm, std::span<T, Extent> data, Rank to, Tag tag) {
  return isend(comm, std::span<const std::byte>(std::as_bytes(data)), to, tag);
}
template <class T, std::size_t Extent>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] Message ireceive(const Communicator& comm, std::span<T, Extent> data, Rank from,
                               Tag tag) {
  return ireceive(comm, std::span<std::byte>(std::as_writable_bytes(data)), from, tag);
}

}  // namespace cartwright::rt
