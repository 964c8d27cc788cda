// SPDX-License-Identifier: Apache-2.0
// Dense matrix products on a 2-D process grid. No grid of cells and no time steps: so this main
// says by itself what belongs to a run of it.
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/version.hpp>
#include <limits>
#include <memory>

#include "run.hpp"

namespace rt = cartwright::rt;

namespace {

void bind(rt::SectionNode& root, matmul::Request& request) {
  cartwright::grid::bind_solver_key(root, request.solver, {"matmul"});
  matmul::schema().bind(root.add_section("matmul", "C = A B"), request.matmul);
  matmul::output_schema().bind(root.add_section("output", "results"), request.output);
  cartwright::grid::bind_app_options(root, request);
}

}  // namespace

/// Before main, and before objects of libraries are made: what they throw is said, too.
[[gnu::constructor(101)]] static void say_what_nobody_catches() {
  rt::say_uncaught_exceptions_once();
}

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
    cartwright::grid::check_app_options(deck, *request, {any, any});
  };
  return rt::execute(
      argc, argv, program, {module},
      [request](rt::Runtime& runtime) { matmul::run(runtime, *request); },
      [request](rt::Runtime& runtime) { matmul::plan(runtime, *request); },
      [request](rt::Runtime& runtime) { matmul::check(runtime, *request); });
}
