// SPDX-License-Identifier: Apache-2.0
#include "petsc_poisson.hpp"

#ifdef CARTWRIGHT_HAS_PETSC
#include <petscdmda.h>
#include <petscksp.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <iterator>
#include <set>
#endif

namespace cartwright::bench::peer {

#ifndef CARTWRIGHT_HAS_PETSC

bool has_petsc() {
  return false;
}
int solve_by_petsc(const PoissonProblem& /*problem*/, std::span<const double> /*f*/,
                   std::span<double> /*u*/) {
  return 0;
}

#else

namespace {

void check(PetscErrorCode code) {
  if (code != 0) throw rt::internal_failure("PETSc reports an error");
}

/// PETSc begins with the first problem, and never ends: the process does.
void begin_petsc(MPI_Comm comm) {
  static const bool begun = [comm] {
    PETSC_COMM_WORLD = comm;
    check(PetscInitializeNoArguments());
    check(PetscPopSignalHandler());
    return true;
  }();
  (void)begun;
}

/// The widths of the blocks along one axis, in the order of the ranks.
std::vector<PetscInt> widths_along(const PoissonProblem& problem, std::size_t axis) {
  int ranks = 1;
  MPI_Comm_size(problem.comm, &ranks);
  std::vector<long long> starts(static_cast<std::size_t>(ranks));
  MPI_Allgather(&problem.start[axis], 1, MPI_LONG_LONG, starts.data(), 1, MPI_LONG_LONG,
                problem.comm);
  std::set<long long> cuts(starts.begin(), starts.end());
  cuts.insert(problem.extent[axis]);
  std::vector<PetscInt> widths;
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut)
    widths.push_back(static_cast<PetscInt>(*std::next(cut) - *cut));
  return widths;
}

/// The operator on one of the grids, fine or coarse.
PetscErrorCode fill_matrix(KSP solver, Mat /*matrix*/, Mat preconditioning, void* context) {
  const auto& problem = *static_cast<const PoissonProblem*>(context);
  DM grid = nullptr;
  check(KSPGetDM(solver, &grid));
  DMDALocalInfo info;
  check(DMDAGetLocalInfo(grid, &info));
  const std::array<PetscInt, 3> extent{info.mx, info.my, info.mz};
  std::array<double, 3> coupling{};
  double cells = 1.0;  // of the finest grid, in one of these: residuals are added up on their way
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double factor =
        static_cast<double>(problem.extent[axis]) / static_cast<double>(extent[axis]);
    const double spacing = problem.spacing[axis] * factor;
    coupling[axis] = 1.0 / (spacing * spacing);
    cells *= factor;
  }
  for (double& each : coupling) each *= cells;
  std::array<MatStencil, 7> columns{};
  std::array<double, 7> values{};
  for (PetscInt z = info.zs; z < info.zs + info.zm; ++z)
    for (PetscInt y = info.ys; y < info.ys + info.ym; ++y)
      for (PetscInt x = info.xs; x < info.xs + info.xm; ++x) {
        const std::array<PetscInt, 3> at{x, y, z};
        MatStencil row{};
        row.i = x, row.j = y, row.k = z;
        std::size_t used = 1;
        double centre = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const PetscInt side : {-1, 1}) {
            const PetscInt next = at[axis] + side;
            const bool is_wall = next < 0 || next >= extent[axis];
            centre += coupling[axis] * (is_wall ? 2.0 : 1.0);
            if (is_wall) continue;
            columns[used] = row;
            (axis == 0 ? columns[used].i : axis == 1 ? columns[used].j : columns[used].k) = next;
            values[used++] = -coupling[axis];
          }
        columns[0] = row;
        values[0] = centre;
        check(MatSetValuesStencil(preconditioning, 1, &row, static_cast<PetscInt>(used),
                                  columns.data(), values.data(), INSERT_VALUES));
      }
  check(MatAssemblyBegin(preconditioning, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(preconditioning, MAT_FINAL_ASSEMBLY));
  return 0;
}

/// One sweep there and back on each side of coarser grids; these down to 8 cells along the axes.
void choose_multigrid(KSP solver, const PoissonProblem& problem) {
  PetscInt levels = 1;
  for (long long cells = problem.extent[0]; cells > 8; cells /= 2) ++levels;
  PC multigrid = nullptr;
  check(KSPGetPC(solver, &multigrid));
  check(PCSetType(multigrid, PCMG));
  check(PCMGSetLevels(multigrid, levels, nullptr));
  for (PetscInt level = 1; level < levels; ++level) {
    KSP smoother = nullptr;
    PC sweeps = nullptr;
    check(PCMGGetSmoother(multigrid, level, &smoother));
    check(KSPSetType(smoother, KSPRICHARDSON));
    check(KSPSetTolerances(smoother, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 1));
    check(KSPSetNormType(smoother, KSP_NORM_NONE));
    check(KSPGetPC(smoother, &sweeps));
    check(PCSetType(sweeps, PCSOR));
    check(PCSORSetSymmetric(sweeps, SOR_LOCAL_SYMMETRIC_SWEEP));
  }
}

}  // namespace

bool has_petsc() {
  return true;
}

int solve_by_petsc(const PoissonProblem& problem, std::span<const double> f, std::span<double> u) {
  begin_petsc(problem.comm);
  std::array<std::vector<PetscInt>, 3> widths;
  for (std::size_t axis = 0; axis < 3; ++axis) widths[axis] = widths_along(problem, axis);
  const auto cells = [&](std::size_t axis) { return static_cast<PetscInt>(problem.extent[axis]); };
  const auto ranks = [&](std::size_t axis) { return static_cast<PetscInt>(widths[axis].size()); };
  DM grid = nullptr;
  check(DMDACreate3d(problem.comm, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                     DMDA_STENCIL_STAR, cells(0), cells(1), cells(2), ranks(0), ranks(1), ranks(2),
                     1, 1, widths[0].data(), widths[1].data(), widths[2].data(), &grid));
  check(DMDASetInterpolationType(grid, DMDA_Q0));
  check(DMSetUp(grid));
  KSP solver = nullptr;
  check(KSPCreate(problem.comm, &solver));
  check(KSPSetDM(solver, grid));
  auto context = problem;
  check(KSPSetComputeOperators(solver, fill_matrix, &context));
  check(KSPSetType(solver, KSPCG));
  check(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
  check(KSPSetTolerances(solver, problem.tolerance, 0.0, PETSC_DEFAULT, 200));
  choose_multigrid(solver, problem);
  check(KSPSetFromOptions(solver));  // PETSC_OPTIONS, to see what other choices take
  Vec right = nullptr, left = nullptr;
  check(DMCreateGlobalVector(grid, &right));
  check(VecDuplicate(right, &left));
  double* values = nullptr;
  check(VecGetArray(right, &values));
  std::copy(f.begin(), f.end(), values);
  check(VecRestoreArray(right, &values));
  check(KSPSolve(solver, right, left));
  check(VecGetArray(left, &values));
  std::copy_n(values, u.size(), u.begin());
  check(VecRestoreArray(left, &values));
  PetscInt iterations = 0;
  check(KSPGetIterationNumber(solver, &iterations));
  check(VecDestroy(&left));
  check(VecDestroy(&right));
  check(KSPDestroy(&solver));
  check(DMDestroy(&grid));
  return static_cast<int>(iterations);
}

#endif

}  // namespace cartwright::bench::peer
