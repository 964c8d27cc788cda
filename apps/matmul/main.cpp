// SPDX-License-Identifier: Apache-2.0
// Dense matrix products on a 2-D process grid. No grid of cells and no time steps: so this main
// puts the parts of a run together by itself.
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/version.hpp>
#include <limits>
#include <memory>

#include "run.hpp"

namespace rt = cartwright::rt;

namespace {

void bind(rt::SectionNode& root, matmul::Request& request) {
  rt::KeyNode solver;
  solver.name = "solver";
  solver.about = "what to solve; its parameters are in the section of that name";
  solver.limits.choices = {"matmul"};
  solver.value = rt::bind_value(request.solver, solver.limits);
  root.add_key(std::move(solver));
  matmul::schema().bind(root.add_section("matmul", "C = A B"), request.matmul);
  matmul::output_schema().bind(root.add_section("output", "results"), request.output);
  cartwright::mapping::schema().bind(root.add_section("mapping", "which rank computes what"),
                                     request.mapping);
  cartwright::comm::schema().bind(root.add_section("comm", "communication"), request.comm);
}

}  // namespace

int main(int argc, char** argv) {
  const auto request = std::make_shared<matmul::Request>();
  rt::Program program;
  program.name = "matmul";
  program.version = rt::version();
  program.commit = rt::commit();
  program.solvers = {{"matmul", "dense matrix product: SUMMA, Cannon, Fox, ScaLAPACK"}};
  rt::Module module;
  module.name = "matmul";
  module.schema = [request](rt::SectionNode& root) { bind(root, *request); };
  module.check = [request](const rt::Deck& deck) {
    check_options(deck, request->matmul);
    constexpr long long any = std::numeric_limits<int>::max();
    cartwright::mapping::check_options(deck, request->mapping, {any, any});
    cartwright::comm::check_settings(deck, request->comm);
  };
  return rt::execute(
      argc, argv, program, {module},
      [request](rt::Runtime& runtime) { matmul::run(runtime, *request); },
      [request](rt::Runtime& runtime) { matmul::plan(runtime, *request); },
      [request](rt::Runtime& runtime) { matmul::check(runtime, *request); });
}
