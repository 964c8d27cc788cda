// SPDX-License-Identifier: Apache-2.0
#include <cartwright/linear/solve/options.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::linear {
namespace {

using rt::key;

const std::vector<std::string> method_names{"multigrid", "cg",  "pipelined_cg", "bicgstab",
                                            "pfmg",      "smg", "boomeramg"};
const std::vector<std::string> preconditioner_names{"none", "jacobi", "multigrid",
                                                    "pfmg", "smg",    "boomeramg"};

rt::Schema<MultigridOptions> multigrid_schema() {
  return {key("cycle", &MultigridOptions::cycle)
              .choices({"auto", "v", "w", "full"})
              .about("how often coarser grids are visited: once, twice, or once fully and once "
                     "more; auto: once, but for walls with conditions of different kinds"),
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
              .about("grids with no more cells than this are worked on by every rank alone"),
          key("cells_per_rank", &MultigridOptions::cells_per_rank)
              .minimum(1)
              .maximum(1e7)
              .about("grids with fewer cells a rank than this are worked on by fewer ranks")};
}

rt::Key<Options, Method> method_key() {
  return key("method", &Options::method)
      .choices(method_names)
      .about(
          "how the system is solved; pfmg, smg and boomeramg are hypre's, and need a build with "
          "it");
}

rt::Key<Options, Preconditioner> preconditioner_key() {
  return key("preconditioner", &Options::preconditioner)
      .choices(preconditioner_names)
      .about("of cg, pipelined_cg and bicgstab");
}

}  // namespace

std::string name_of(const Options& options) {
  const std::string& method = method_names[static_cast<std::size_t>(options.method)];
  const bool has_preconditioner = options.method == Method::cg ||
                                  options.method == Method::pipelined_cg ||
                                  options.method == Method::bicgstab;
  if (!has_preconditioner || options.preconditioner == Preconditioner::none) return method;
  return method + " with " + preconditioner_names[static_cast<std::size_t>(options.preconditioner)];
}

std::string name_of(MultigridKind kind) {
  return preconditioner_names[static_cast<std::size_t>(kind) +
                              static_cast<std::size_t>(Preconditioner::multigrid)];
}

MultigridKind kind_of(Method method) {
  switch (method) {
    case Method::pfmg:
      return MultigridKind::pfmg;
    case Method::smg:
      return MultigridKind::smg;
    case Method::boomeramg:
      return MultigridKind::boomeramg;
    default:
      return MultigridKind::own;
  }
}

MultigridKind kind_of(Preconditioner preconditioner) {
  switch (preconditioner) {
    case Preconditioner::pfmg:
      return MultigridKind::pfmg;
    case Preconditioner::smg:
      return MultigridKind::smg;
    case Preconditioner::boomeramg:
      return MultigridKind::boomeramg;
    default:
      return MultigridKind::own;
  }
}

bool is_simple(Preconditioner preconditioner) {
  return preconditioner == Preconditioner::none || preconditioner == Preconditioner::jacobi;
}

void require_available(const Options& options) {
#ifdef CARTWRIGHT_HAS_HYPRE
  (void)options;
#else
  const bool is_krylov =
      kind_of(options.method) == MultigridKind::own && options.method != Method::multigrid;
  const MultigridKind kind = is_krylov ? kind_of(options.preconditioner) : kind_of(options.method);
  if (kind == MultigridKind::own) return;
  throw rt::input_error(
      "linear: '" + name_of(kind) + "' is hypre's, and this program was built without it",
      "Install hypre (Debian: libhypre-dev) and build again, or choose "
      "'multigrid'.",
      rt::Reach::all_ranks);
#endif
}

void require_runs_on_device(const Options& options) {
  const bool is_krylov =
      kind_of(options.method) == MultigridKind::own && options.method != Method::multigrid;
  if (is_krylov && is_simple(options.preconditioner)) return;
  throw rt::input_error("linear: '" + name_of(options) +
                            "' computes on the host, and this program's kernels run on a device",
                        "Set the method cg and the preconditioner jacobi, or run a program "
                        "that was built without --device.",
                        rt::Reach::all_ranks);
}

rt::Schema<Options> schema() {
  return rt::Schema<Options>{
      method_key(), preconditioner_key(),
      key("tolerance", &Options::tolerance)
          .above(0.0)
          .below(1.0)
          .about("residual to reach, as a fraction of the first one; one that is only rounding "
                 "counts as reached"),
      key("limit", &Options::limit).minimum(1).about("most iterations; more are a failure")}
      .section("multigrid", &Options::multigrid, multigrid_schema(), "geometric multigrid");
}

rt::Schema<Options> method_schema() {
  return rt::Schema<Options>{method_key(), preconditioner_key()}.section(
      "multigrid", &Options::multigrid, multigrid_schema(), "geometric multigrid");
}

}  // namespace cartwright::linear
