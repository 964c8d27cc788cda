// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

namespace cartwright::rt {

/// A process's number in a communicator.
struct Rank {
  int value = 0;
  friend bool operator==(const Rank&, const Rank&) = default;  // nvcc takes no implied one
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

/// The label by which a receive finds its message.
struct Tag {
  int value = 0;
  friend bool operator==(const Tag&, const Tag&) = default;  // nvcc takes no implied one
  friend auto operator<=>(const Tag&, const Tag&) = default;
};

}  // namespace cartwright::rt
