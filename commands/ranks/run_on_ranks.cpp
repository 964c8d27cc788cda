// SPDX-License-Identifier: Apache-2.0
#include "run_on_ranks.hpp"

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cstdio>
#include <exception>

namespace cartwright::command {

int run_on_ranks(const OnRanks& body) {
  const rt::MpiSession session;
  rt::FailureGuard guard(session.world(), session.arena());
  try {
    body(session.world(), guard);
    return 0;
  } catch (...) {
    const rt::Error error = rt::as_error(std::current_exception());
    if (error.reach() == rt::Reach::this_rank || !rt::FailureGuard::all_ranks_met(session.world()))
      guard.end_all_ranks(error);
    if (session.world().is_root()) std::fputs(rt::failure_message(error).c_str(), stderr);
    rt::FailureGuard::end_at_the_latest(4, error.code());
    return static_cast<int>(error.code());
  }
}

int main_on_ranks(const std::function<int(bool speaks)>& program) {
  const bool speaks = rt::rank_from_environment() == 0;
  try {
    return program(speaks);
  } catch (...) {
    const rt::Error error = rt::as_error(std::current_exception());
    if (speaks) std::fputs(rt::failure_message(error).c_str(), stderr);
    return static_cast<int>(error.code());
  }
}

}  // namespace cartwright::command
