// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cartwright::plan {

/// Names a message among all of an operation.
struct MessageName {
  int from = 0;
  int to = 0;
  int number = 0;
  friend bool operator==(const MessageName&, const MessageName&) = default;
};

struct MessageNameHash {
  std::size_t operator()(const MessageName& name) const {
    auto mix = static_cast<std::uint64_t>(name.from) * 0x9E3779B97F4A7C15u;
    mix = (mix ^ static_cast<std::uint64_t>(name.to)) * 0xC2B2AE3D27D4EB4Fu;
    mix = (mix ^ static_cast<std::uint64_t>(name.number)) * 0x165667B19E3779F9u;
    return static_cast<std::size_t>(mix ^ (mix >> 29));
  }
};

[[noreturn]] void throw_wrong_length(const Schedule& schedule, const Step& step,
                                     std::size_t received, std::size_t expected);
[[noreturn]] void throw_waits_forever(const Step& step, int rank);
[[noreturn]] void throw_left_over(const MessageName& name);
[[noreturn]] void throw_sent_twice(const MessageName& name);

/// Messages of an interpreted run that were sent and not yet received.
template <class T>
class MessageStore {
 public:
  void put(const MessageName& name, std::vector<T> data) {
    if (!messages_.emplace(name, std::move(data)).second) throw_sent_twice(name);
  }
  bool take(const MessageName& name, std::vector<T>& data) {
    const auto found = messages_.find(name);
    if (found == messages_.end()) return false;
    data = std::move(found->second);
    messages_.erase(found);
    return true;
  }
  [[nodiscard]] bool empty() const { return messages_.empty(); }
  [[nodiscard]] const MessageName& any() const { return messages_.begin()->first; }

 private:
  std::unordered_map<MessageName, std::vector<T>, MessageNameHash> messages_;
};

}  // namespace cartwright::plan
