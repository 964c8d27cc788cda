// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/run/run_state.hpp>

#include <string>
#include <vector>

namespace cartwright::grid {

[[nodiscard]] const char* name_of(ScalarType scalar);
/// Throws std::runtime_error for a name that no type has.
[[nodiscard]] ScalarType type_named(const std::string& name);

/// "float64", "3 values of float64"
[[nodiscard]] std::string kind_of(const SavedNumbers& numbers);

[[nodiscard]] std::string hexadecimal(const std::vector<std::byte>& bytes);
/// The inverse; throws std::runtime_error for any other text.
[[nodiscard]] std::vector<std::byte> bytes_of(const std::string& hexadecimal);

/// Collective. Throws an internal failure (all ranks) that names what has another value on some
/// rank than on rank 0.
void require_same_on_all_ranks(const comm::Collectives& comm,
                               const std::vector<SavedNumbers>& numbers);

}  // namespace cartwright::grid
