// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cstdint>
#include <type_traits>

namespace cartwright::grid {

/// Calls `action(std::type_identity<T>{})` with the C++ type of `scalar`.
template <class Action>
decltype(auto) visit_scalar(ScalarType scalar, Action&& action) {
  switch (scalar) {
    case ScalarType::int8:
      return action(std::type_identity<std::int8_t>{});
    case ScalarType::uint8:
      return action(std::type_identity<std::uint8_t>{});
    case ScalarType::int16:
      return action(std::type_identity<std::int16_t>{});
    case ScalarType::uint16:
      return action(std::type_identity<std::uint16_t>{});
    case ScalarType::int32:
      return action(std::type_identity<std::int32_t>{});
    case ScalarType::uint32:
      return action(std::type_identity<std::uint32_t>{});
    case ScalarType::int64:
      return action(std::type_identity<std::int64_t>{});
    case ScalarType::uint64:
      return action(std::type_identity<std::uint64_t>{});
    case ScalarType::float32:
      return action(std::type_identity<float>{});
    case ScalarType::boolean:
      return action(std::type_identity<std::uint8_t>{});
    case ScalarType::float64:
      break;
  }
  return action(std::type_identity<double>{});
}

}  // namespace cartwright::grid
