// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/error.hpp>

namespace cartwright::rt {
namespace {

// The exception under way belongs to its thread, as std::uncaught_exceptions() does.
thread_local int living_errors_of_all_ranks = 0;

}  // namespace

void Error::Mark::add(int difference) noexcept {
  living_errors_of_all_ranks += difference;
}

bool all_ranks_unwind() noexcept {
  return unwinding() && living_errors_of_all_ranks > 0;
}

}  // namespace cartwright::rt
