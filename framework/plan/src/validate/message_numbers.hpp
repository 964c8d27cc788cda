// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/interpret_messages.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cartwright::plan::validation {

/// Numbers messages in the order in which their names come. A table without deletions, of a size
/// that is known before: proofs spend most of their time here.
class MessageNumbers {
 public:
  static constexpr std::uint32_t none = ~0u;

  explicit MessageNumbers(std::size_t most) : places_(std::bit_ceil(2 * most + 1), none) {
    names_.reserve(most);
  }
  [[nodiscard]] std::size_t count() const { return names_.size(); }
  [[nodiscard]] const MessageName& name(std::size_t number) const { return names_[number]; }
  /// The number of `name`; false where it had one.
  std::pair<std::uint32_t, bool> add(const MessageName& name) {
    std::uint32_t& place = place_of(name);
    if (place != none) return {place, false};
    place = static_cast<std::uint32_t>(names_.size());
    names_.push_back(name);
    return {place, true};
  }
  [[nodiscard]] std::uint32_t find(const MessageName& name) { return place_of(name); }

 private:
  std::uint32_t& place_of(const MessageName& name) {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = MessageNameHash()(name) & mask;
    while (places_[at] != none && names_[places_[at]] != name) at = (at + 1) & mask;
    return places_[at];
  }

  std::vector<std::uint32_t> places_;  // by hash
  std::vector<MessageName> names_;
};

/// Which message each step is about, of all ranks; `MessageNumbers::none` of those without one.
struct NumberedSteps {
  std::size_t messages = 0;
  std::vector<std::uint32_t> numbers;  ///< of all steps, rank by rank
  std::vector<std::size_t> first;      ///< of a rank's, in `numbers`

  [[nodiscard]] const std::uint32_t* of(std::size_t rank) const {
    return numbers.data() + first[rank];
  }
};

}  // namespace cartwright::plan::validation
