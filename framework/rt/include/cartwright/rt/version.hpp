// SPDX-License-Identifier: Apache-2.0
// What code this is; every file that a run writes holds it.
#pragma once

#include <string_view>

namespace cartwright::rt {

/// The release of the framework, for example "0.1.0".
std::string_view version() noexcept;

/// The commit that was built: twelve digits, with "+changes" where the tree had uncommitted
/// changes; "unknown" outside of a git tree.
std::string_view commit() noexcept;

}  // namespace cartwright::rt
