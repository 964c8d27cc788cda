// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cartwright::comm {

/// Messages that this rank has sent for collectives, by where they went.
struct Traffic {
  std::int64_t messages_on_node = 0;
  std::int64_t messages_off_node = 0;
  std::int64_t bytes_on_node = 0;
  std::int64_t bytes_off_node = 0;

  Traffic& operator+=(const Traffic& more) {
    messages_on_node += more.messages_on_node;
    messages_off_node += more.messages_off_node;
    bytes_on_node += more.bytes_on_node;
    bytes_off_node += more.bytes_off_node;
    return *this;
  }
};

}  // namespace cartwright::comm
