// SPDX-License-Identifier: Apache-2.0
#include "ranks_program.hpp"

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cstdio>
#include <exception>

namespace cartwright::bench {
namespace {

int run(const RanksProgram& program) {
  if (!program.help.empty()) {
    if (rt::rank_from_environment() == 0) std::fputs(program.help.c_str(), stdout);
    return 0;
  }
  const rt::MpiSession session;
  rt::FailureGuard guard(session.world(), session.arena());
  try {
    program.measure(session.world());
  } catch (...) {
    guard.end_all_ranks(rt::as_error(std::current_exception()));
  }
  return 0;
}

}  // namespace

int run_on_ranks(const std::function<RanksProgram()>& parse) {
  try {
    return run(parse());
  } catch (...) {
    return rt::FailureGuard::end_before_mpi(rt::as_error(std::current_exception()));
  }
}

}  // namespace cartwright::bench
