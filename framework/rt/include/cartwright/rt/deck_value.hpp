// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/origin.hpp>
#include <string>
#include <vector>

namespace cartwright::rt {

struct DeckEntry;

/// A scalar, list or map of the deck with its place. Scalars keep their text as written: what it
/// means is decided by the key that receives it, not by YAML's guesses (`010`, `on`, `1_000`).
class DeckValue {
 public:
  enum class Kind { nothing, scalar, list, map };

  DeckValue() = default;
  [[nodiscard]] static DeckValue nothing(Origin origin);
  [[nodiscard]] static DeckValue scalar(Origin origin, std::string text, bool quoted);
  [[nodiscard]] static DeckValue list(Origin origin, std::vector<DeckValue> items);
  [[nodiscard]] static DeckValue map(Origin origin, std::vector<DeckEntry> entries);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_nothing() const noexcept { return kind_ == Kind::nothing; }
  [[nodiscard]] bool is_scalar() const noexcept { return kind_ == Kind::scalar; }
  [[nodiscard]] bool is_list() const noexcept { return kind_ == Kind::list; }
  [[nodiscard]] bool is_map() const noexcept { return kind_ == Kind::map; }
  /// A scalar in quotes (or a block of text): always text, never a number.
  [[nodiscard]] bool is_quoted() const noexcept { return quoted_; }
  [[nodiscard]] const Origin& origin() const noexcept { return origin_; }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const std::vector<DeckValue>& items() const noexcept { return items_; }
  [[nodiscard]] const std::vector<DeckEntry>& entries() const noexcept { return entries_; }
  /// The entry of a map; nullptr if it has none of that name, or isn't a map.
  [[nodiscard]] const DeckEntry* find(const std::string& name) const noexcept;
  [[nodiscard]] DeckEntry* find(const std::string& name) noexcept;
  /// Adds an entry to a map (what was nothing becomes one), replacing one of the same name.
  DeckEntry& set(DeckEntry entry);
  /// How many values this is, itself included.
  [[nodiscard]] std::size_t count() const noexcept;
  /// Levels of nesting: 1 for a scalar.
  [[nodiscard]] int depth() const noexcept;
  /// Short, for messages: "'fast'", "-3", "the list [1, 2]", "a section", "empty".
  [[nodiscard]] std::string describe() const;

 private:
  Kind kind_ = Kind::nothing;
  bool quoted_ = false;
  Origin origin_;
  std::string text_;
  std::vector<DeckValue> items_;
  std::vector<DeckEntry> entries_;
};

/// One `name: value` of a map; `origin` is the place of the name.
struct DeckEntry {
  std::string name;
  Origin origin;
  DeckValue value;
};

}  // namespace cartwright::rt
