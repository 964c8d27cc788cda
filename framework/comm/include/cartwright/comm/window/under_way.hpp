// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/window/epoch.hpp>
#include <cartwright/comm/window/epoch_request.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace cartwright::comm {

/// A long message that leaves behind the record that tells of it, with what is said then.
struct Unsent {
  Side* side = nullptr;
  std::span<const std::byte> data{};
};

/// A long message of an epoch's operation.
struct Transfer {
  Side* side = nullptr;
  rt::Message message{};
  bool is_direct = false;  ///< by MPI's window
};

/// … and its other end, at the target.
struct Served {
  int origin = 0;
  rt::Message message{};
  std::unique_ptr<std::byte[]> host{};  ///< in place of memory on a device
  std::span<std::byte> device{};        ///< where that goes when it has come
};

/// A part of an operation whose result hasn't come.
struct Awaited {
  Side* side = nullptr;
  RemoteOperation operation{};
  OperationPart part{};
};

/// A flush that its target hasn't confirmed.
struct Flush {
  Side* side = nullptr;
  RequestState* request = nullptr;
  std::uint64_t staged = 0;  ///< operands on devices before it
};

}  // namespace cartwright::comm
