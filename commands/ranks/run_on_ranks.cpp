// SPDX-License-Identifier: Apache-2.0
#include "run_on_ranks.hpp"

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <exception>

namespace cartwright::command {

int run_on_ranks(const OnRanks& body) {
  const rt::MpiSession session;
  rt::FailureGuard guard(session.world(), session.arena());
  try {
    body(session.world(), guard);
    return 0;
  } catch (...) {
    return guard.end(session.world(), rt::as_error(std::current_exception()));
  }
}

int main_on_ranks(const std::function<int(bool speaks)>& program) {
  try {
    return program(rt::rank_from_environment() == 0);
  } catch (...) {
    return rt::FailureGuard::end_before_mpi(rt::as_error(std::current_exception()));
  }
}

}  // namespace cartwright::command
