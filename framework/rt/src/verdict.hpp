// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cartwright::rt {

/// How the run has ended, for the launcher: it believes in no success without "finished". Written
/// to the file that CARTWRIGHT_VERDICT names, if there is one. `file`: the variable's value.
void write_verdict(const char* file, std::string_view verdict) noexcept;

inline constexpr const char* verdict_variable = "CARTWRIGHT_VERDICT";

}  // namespace cartwright::rt
