// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace cartwright::comm {

/// A value of an enumeration, or none; as std::optional, whose union would make g++ 12 clear the
/// whole call around it, each time that one is put together, before it fills it in.
template <class Enum>
class OptionalEnum {
 public:
  constexpr OptionalEnum() = default;
  constexpr OptionalEnum(std::nullopt_t /*none*/) {}  // NOLINT(google-explicit-constructor)
  constexpr OptionalEnum(Enum value)                  // NOLINT(google-explicit-constructor)
      : value_(value), has_value_(true) {}

  [[nodiscard]] constexpr explicit operator bool() const { return has_value_; }
  [[nodiscard]] constexpr Enum operator*() const { return value_; }
  /// Throws std::bad_optional_access if there is none.
  [[nodiscard]] constexpr Enum value() const {
    if (!has_value_) throw std::bad_optional_access();
    return value_;
  }
  constexpr void reset() { *this = {}; }
  friend constexpr bool operator==(const OptionalEnum&, const OptionalEnum&) = default;

 private:
  Enum value_{};
  bool has_value_ = false;
};

}  // namespace cartwright::comm
