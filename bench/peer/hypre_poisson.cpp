// SPDX-License-Identifier: Apache-2.0
#include "hypre_poisson.hpp"

#ifdef CARTWRIGHT_HAS_HYPRE
#include <HYPRE_struct_ls.h>

#include <cartwright/rt/error.hpp>
#endif

namespace cartwright::bench::peer {

#ifndef CARTWRIGHT_HAS_HYPRE

bool has_hypre() {
  return false;
}
int solve_by_hypre(const PoissonProblem& /*problem*/, std::span<const double> /*f*/,
                   std::span<double> /*u*/) {
  return 0;
}

#else

namespace {

using Index = std::array<HYPRE_Int, 3>;

void check(HYPRE_Int code) {
  if (code != 0) throw rt::internal_failure("hypre reports an error");
}

/// hypre begins with the first one, and never ends: the process does.
void begin_hypre() {
  static const bool begun = [] {
    check(HYPRE_Init());
    return true;
  }();
  (void)begun;
}

class System {
 public:
  explicit System(const PoissonProblem& problem) : problem_(problem) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lower_[axis] = static_cast<HYPRE_Int>(problem.start[axis]);
      upper_[axis] = static_cast<HYPRE_Int>(problem.start[axis] + problem.count[axis] - 1);
    }
    check(HYPRE_StructGridCreate(problem.comm, 3, &grid_));
    check(HYPRE_StructGridSetExtents(grid_, lower_.data(), upper_.data()));
    check(HYPRE_StructGridAssemble(grid_));
    // Symmetric: the point itself, and one neighbour along each axis.
    check(HYPRE_StructStencilCreate(3, 4, &stencil_));
    for (HYPRE_Int entry = 0; entry < 4; ++entry) {
      Index offset{0, 0, 0};
      if (entry > 0) offset[static_cast<std::size_t>(entry) - 1] = -1;
      check(HYPRE_StructStencilSetElement(stencil_, entry, offset.data()));
    }
    check(HYPRE_StructMatrixCreate(problem.comm, grid_, stencil_, &matrix_));
    check(HYPRE_StructMatrixSetSymmetric(matrix_, 1));
    check(HYPRE_StructMatrixInitialize(matrix_));
    set_matrix();
    check(HYPRE_StructMatrixAssemble(matrix_));
    for (HYPRE_StructVector* const vector : {&f_, &u_}) {
      check(HYPRE_StructVectorCreate(problem.comm, grid_, vector));
      check(HYPRE_StructVectorInitialize(*vector));
    }
  }
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  ~System() {
    HYPRE_StructVectorDestroy(u_);
    HYPRE_StructVectorDestroy(f_);
    HYPRE_StructMatrixDestroy(matrix_);
    HYPRE_StructStencilDestroy(stencil_);
    HYPRE_StructGridDestroy(grid_);
  }

  int solve(std::span<const double> f, std::span<double> u) {
    check(HYPRE_StructVectorSetBoxValues(f_, lower_.data(), upper_.data(),
                                         const_cast<double*>(f.data())));
    check(HYPRE_StructVectorSetConstantValues(u_, 0.0));
    check(HYPRE_StructVectorAssemble(f_));
    check(HYPRE_StructVectorAssemble(u_));
    HYPRE_StructSolver pfmg = nullptr, cg = nullptr;
    check(HYPRE_StructPFMGCreate(problem_.comm, &pfmg));
    check(HYPRE_StructPFMGSetMaxIter(pfmg, 1));
    check(HYPRE_StructPFMGSetTol(pfmg, 0.0));
    check(HYPRE_StructPFMGSetZeroGuess(pfmg));
    check(HYPRE_StructPFMGSetRAPType(pfmg, 1));
    check(HYPRE_StructPFMGSetRelaxType(pfmg, 2));
    check(HYPRE_StructPFMGSetNumPreRelax(pfmg, 1));
    check(HYPRE_StructPFMGSetNumPostRelax(pfmg, 1));
    check(HYPRE_StructPFMGSetSkipRelax(pfmg, 1));
    check(HYPRE_StructPCGCreate(problem_.comm, &cg));
    check(HYPRE_StructPCGSetTol(cg, problem_.tolerance));
    check(HYPRE_StructPCGSetMaxIter(cg, 200));
    check(HYPRE_StructPCGSetTwoNorm(cg, 1));
    check(HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg));
    check(HYPRE_StructPCGSetup(cg, matrix_, f_, u_));
    check(HYPRE_StructPCGSolve(cg, matrix_, f_, u_));
    HYPRE_Int iterations = 0;
    check(HYPRE_StructPCGGetNumIterations(cg, &iterations));
    check(HYPRE_StructPCGDestroy(cg));
    check(HYPRE_StructPFMGDestroy(pfmg));
    check(HYPRE_StructVectorGetBoxValues(u_, lower_.data(), upper_.data(), u.data()));
    return iterations;
  }

 private:
  /// Plane by plane.
  void set_matrix() {
    std::array<HYPRE_Int, 4> entries{0, 1, 2, 3};
    std::array<double, 3> coupling{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      coupling[axis] = 1.0 / (problem_.spacing[axis] * problem_.spacing[axis]);
    std::vector<double> values;
    Index from = lower_, to = upper_;
    for (HYPRE_Int z = lower_[2]; z <= upper_[2]; ++z) {
      from[2] = to[2] = z;
      values.clear();
      for (HYPRE_Int y = lower_[1]; y <= upper_[1]; ++y)
        for (HYPRE_Int x = lower_[0]; x <= upper_[0]; ++x) {
          const Index at{x, y, z};
          const std::size_t centre = values.size();
          values.push_back(0.0);
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool is_first = at[axis] == 0, is_last = at[axis] == problem_.extent[axis] - 1;
            values[centre] +=
                coupling[axis] * (2.0 + (is_first ? 1.0 : 0.0) + (is_last ? 1.0 : 0.0));
            values.push_back(is_first ? 0.0 : -coupling[axis]);
          }
        }
      check(HYPRE_StructMatrixSetBoxValues(matrix_, from.data(), to.data(), 4, entries.data(),
                                           values.data()));
    }
  }

  PoissonProblem problem_;
  Index lower_{}, upper_{};
  HYPRE_StructGrid grid_ = nullptr;
  HYPRE_StructStencil stencil_ = nullptr;
  HYPRE_StructMatrix matrix_ = nullptr;
  HYPRE_StructVector f_ = nullptr, u_ = nullptr;
};

}  // namespace

bool has_hypre() {
  return true;
}

int solve_by_hypre(const PoissonProblem& problem, std::span<const double> f, std::span<double> u) {
  begin_hypre();
  System system(problem);
  return system.solve(f, u);
}

#endif

}  // namespace cartwright::bench::peer
