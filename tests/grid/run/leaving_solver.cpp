// SPDX-License-Identifier: Apache-2.0
#include "leaving_solver.hpp"

#include <cartwright/comm/cart_comm.hpp>
#include <stdexcept>
#include <string>

namespace cw = cartwright;

namespace cartwright::grid::test {
namespace {

struct Leaving {
  std::string how = "not";
  long long step = 4;
  int rank = -1;              // which one leaves; -1: every one
  bool first = false;         // before the step's work
  std::string talk = "halo";  // how ranks wait for each other in a step
};

cw::Schema<Leaving> schema() {
  return {cw::key("how", &Leaving::how), cw::key("step", &Leaving::step),
          cw::key("rank", &Leaving::rank), cw::key("first", &Leaving::first),
          cw::key("talk", &Leaving::talk)};
}

void set(cw::Field<double, 1>& u, double value) {
  auto out = u.view();
  cw::for_each(
      u, KOKKOS_LAMBDA(cw::Index<1> i) { out(i) = value; });
}

void work(cw::Field<double, 1>& u, const Leaving& leaving, double value) {
  if (leaving.talk == "halo") cw::exchange(u).wait();
  if (leaving.talk == "reduction") (void)u.grid().comm().allreduce(1, comm::Operator::sum);
  set(u, value);
}

void fail(const std::string& how) {
  if (how == "shared error")
    throw cw::numerical_failure("all have met it", "Mend it.", rt::Reach::all_ranks);
  if (how == "error") throw cw::numerical_failure("this rank has met it");
  if (how == "not finite")
    throw cw::numerical_failure("it is infinite", "Mend it.", rt::Reach::all_ranks);
  throw std::runtime_error("plain");
}

/// True if the loop is to be left by a break.
bool leave(cw::Field<double, 1>& u, cw::Steps& steps, const std::string& how) {
  if (how == "break") return true;
  if (how == "stop") steps.stop("it is steady");
  if (how == "stop") return true;
  if (how == "not finite") set(u, 1.0 / (u.grid().spacing(0) - u.grid().spacing(0)));
  fail(how);
  return false;
}

void loop(cw::Run& run, const Leaving& leaving) {
  cw::Grid<1> grid(run);
  cw::Field<double, 1> u(grid, "u");
  const bool leaves = leaving.rank < 0 || leaving.rank == grid.comm().rank().value;
  auto steps = run.steps(u);
  for (auto step : steps) {
    const bool now = leaves && leaving.how != "not" && step.number == leaving.step;
    if (!leaving.first) work(u, leaving, static_cast<double>(step.number));
    if (now && leaving.how == "return") return;
    if (now && leave(u, steps, leaving.how)) break;
    if (leaving.first) work(u, leaving, static_cast<double>(step.number));
  }
  set(u, -1.0);  // after the loop: not the run's affair
}

void solve(cw::Run& run, const Leaving& leaving) {
  if (leaving.how != "caught") return loop(run, leaving);
  try {
    loop(run, leaving);
  } catch (const std::runtime_error&) {
    run.runtime().log().info("never mind");
  }
}

}  // namespace

SolverEntry leaving_solver() {
  return cw::Solver("leaving", "leaves its loop", schema()).field("u").function(solve);
}

}  // namespace cartwright::grid::test
