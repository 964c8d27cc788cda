// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/optional_enum.hpp>
#include <cartwright/comm/elements/scalar_type.hpp>
#include <cstddef>
#include <optional>
#include <type_traits>

namespace cartwright::comm {

/// What can be sent as it lies in memory.
template <class T>
concept Transferable = std::is_trivially_copyable_v<T>;

/// What the elements of a collective are, known at run time.
struct Element {
  std::size_t size = 1;           ///< bytes
  OptionalEnum<ScalarType> type;  ///< nothing: bytes that nobody looks into
};

template <Transferable T>
[[nodiscard]] constexpr Element element_of() {
  if constexpr (Reducible<T>)
    return {sizeof(T), scalar_type<T>()};
  else
    return {sizeof(T), std::nullopt};
}

}  // namespace cartwright::comm
