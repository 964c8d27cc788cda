// SPDX-License-Identifier: Apache-2.0
#include <cartwright/linear/solve/options.hpp>

namespace cartwright::linear {
namespace {

using rt::key;

const std::vector<std::string> method_names{"multigrid", "cg", "pipelined_cg", "bicgstab"};

rt::Schema<MultigridOptions> multigrid_schema() {
  return {
      key("cycle", &MultigridOptions::cycle)
          .choices({"v", "w", "full"})
          .about("how often coarser grids are visited: once, twice, or once fully and once more"),
      key("before", &MultigridOptions::before)
          .minimum(1)
          .maximum(20)
          .about("smoothing sweeps before coarser grids"),
      key("after", &MultigridOptions::after)
          .minimum(1)
          .maximum(20)
          .about("smoothing sweeps behind them"),
      key("gather_below", &MultigridOptions::gather_below)
          .minimum(1)
          .maximum(1e7)
          .about("grids with no more cells than this are worked on by every rank alone")};
}

rt::Key<Options, Method> method_key() {
  return key("method", &Options::method).choices(method_names).about("how the system is solved");
}

rt::Key<Options, Preconditioner> preconditioner_key() {
  return key("preconditioner", &Options::preconditioner)
      .choices({"none", "jacobi", "multigrid"})
      .about("of all methods but multigrid itself");
}

}  // namespace

std::string name_of(Method method) {
  return method_names[static_cast<std::size_t>(method)];
}

rt::Schema<Options> schema() {
  return rt::Schema<Options>{
      method_key(), preconditioner_key(),
      key("tolerance", &Options::tolerance)
          .above(0.0)
          .below(1.0)
          .about("residual to reach, as a fraction of the first one"),
      key("limit", &Options::limit).minimum(1).about("most iterations; more are a failure")}
      .section("multigrid", &Options::multigrid, multigrid_schema(), "geometric multigrid");
}

rt::Schema<Options> method_schema() {
  return rt::Schema<Options>{method_key(), preconditioner_key()}.section(
      "multigrid", &Options::multigrid, multigrid_schema(), "geometric multigrid");
}

}  // namespace cartwright::linear
