// SPDX-License-Identifier: Apache-2.0
#include "petsc_poisson.hpp"

#ifdef CARTWRIGHT_HAS_PETSC
#include <petscdmda.h>
#include <petscksp.h>

#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cstddef>
#include <iterator>
#include <memory>
#include <set>
#include <vector>
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

/// One of the grids, fine or coarse: PETSc's array, and the operator on it without a matrix.
/// Values beyond the walls are 0; the mirror images that Dirichlet conditions want are in centres.
struct Level {
  DM grid = nullptr;
  DMDALocalInfo info{};
  std::array<double, 3> coupling{};
  std::vector<double> centre_x;  ///< what x adds to centres
  Vec local = nullptr;           ///< values with ghosts

  Level(DM made, const PoissonProblem& problem) : grid(made) {
    check(DMDAGetLocalInfo(grid, &info));
    const std::array<PetscInt, 3> extent{info.mx, info.my, info.mz};
    double cells = 1.0;  // of the finest grid, in one of these: residuals add up on their way
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double factor =
          static_cast<double>(problem.extent[axis]) / static_cast<double>(extent[axis]);
      const double spacing = problem.spacing[axis] * factor;
      coupling[axis] = 1.0 / (spacing * spacing);
      cells *= factor;
    }
    for (double& each : coupling) each *= cells;
    for (PetscInt x = info.xs; x < info.xs + info.xm; ++x)
      centre_x.push_back(coupling[0] * sides(x, info.mx));
    check(DMCreateLocalVector(grid, &local));
    check(VecZeroEntries(local));
  }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() {
    VecDestroy(&local);
    DMDestroy(&grid);
  }
  /// What an axis adds to the centre, in its couplings.
  static double sides(PetscInt at, PetscInt extent) {
    return 2.0 + (at == 0 ? 1.0 : 0.0) + (at == extent - 1 ? 1.0 : 0.0);
  }
  /// Calls `row(place, number, y + z, centre)` for each row along x: where its first cell lies
  /// among values with ghosts and among those without, and what y and z add to its centres.
  template <class Row>
  void for_rows(const Row& row) const {
    const std::ptrdiff_t stride_y = info.gxm, stride_z = stride_y * info.gym;
    std::ptrdiff_t number = 0;
    for (PetscInt z = info.zs; z < info.zs + info.zm; ++z)
      for (PetscInt y = info.ys; y < info.ys + info.ym; ++y, number += info.xm)
        row((info.xs - info.gxs) + (y - info.gys) * stride_y + (z - info.gzs) * stride_z, number,
            y + z, coupling[1] * sides(y, info.my) + coupling[2] * sides(z, info.mz));
  }
  [[nodiscard]] double neighbours(const double* u) const {
    const std::ptrdiff_t y = info.gxm, z = y * info.gym;
    return coupling[0] * (u[-1] + u[1]) + coupling[1] * (u[-y] + u[y]) +
           coupling[2] * (u[-z] + u[z]);
  }
};

Level& level_of(Mat matrix) {
  void* context = nullptr;
  check(MatShellGetContext(matrix, &context));
  return *static_cast<Level*>(context);
}

PetscErrorCode multiply(Mat matrix, Vec in, Vec out) {
  Level& level = level_of(matrix);
  check(DMGlobalToLocal(level.grid, in, INSERT_VALUES, level.local));
  const double* values = nullptr;
  double* results = nullptr;
  check(VecGetArrayRead(level.local, &values));
  check(VecGetArray(out, &results));
  const PetscInt cells = level.info.xm;
  level.for_rows([&](std::ptrdiff_t place, std::ptrdiff_t number, PetscInt, double centre) {
    const double* const u = values + place;
    double* const result = results + number;
    const double* const centre_x = level.centre_x.data();
    for (PetscInt x = 0; x < cells; ++x)
      result[x] = (centre + centre_x[x]) * u[x] - level.neighbours(u + x);
  });
  check(VecRestoreArrayRead(level.local, &values));
  check(VecRestoreArray(out, &results));
  return 0;
}

/// For smoothers that want it: Chebyshev's with Jacobi's.
PetscErrorCode set_diagonal(Mat matrix, Vec diagonal) {
  const Level& level = level_of(matrix);
  double* values = nullptr;
  check(VecGetArray(diagonal, &values));
  level.for_rows([&](std::ptrdiff_t, std::ptrdiff_t number, PetscInt, double centre) {
    for (std::size_t x = 0; x < level.centre_x.size(); ++x)
      values[number + static_cast<std::ptrdiff_t>(x)] = centre + level.centre_x[x];
  });
  check(VecRestoreArray(diagonal, &values));
  return 0;
}

/// Red before black, or the other way round; each rank with its neighbours' former values.
void sweep_once(const Level& level, double* values, const double* rights, bool backward) {
  const PetscInt cells = level.info.xm;
  for (const int colour : {backward ? 1 : 0, backward ? 0 : 1})
    level.for_rows([&](std::ptrdiff_t place, std::ptrdiff_t number, PetscInt row, double centre) {
      double* const u = values + place;
      const double* const f = rights + number;
      const double* const centre_x = level.centre_x.data();
      for (PetscInt x = (row + level.info.xs + colour) % 2; x < cells; x += 2)
        u[x] = (f[x] + level.neighbours(u + x)) / (centre + centre_x[x]);
    });
}

PetscErrorCode sweep(Mat matrix, Vec right, PetscReal /*omega*/, MatSORType kind,
                     PetscReal /*shift*/, PetscInt times, PetscInt local, Vec solution) {
  Level& level = level_of(matrix);
  const bool backward = (kind & (SOR_BACKWARD_SWEEP | SOR_LOCAL_BACKWARD_SWEEP)) != 0;
  for (PetscInt time = 0; time < times * local; ++time) {
    if (time == 0 && (kind & SOR_ZERO_INITIAL_GUESS) != 0)
      check(VecZeroEntries(level.local));
    else
      check(DMGlobalToLocal(level.grid, solution, INSERT_VALUES, level.local));
    double* values = nullptr;
    const double* rights = nullptr;
    check(VecGetArray(level.local, &values));
    check(VecGetArrayRead(right, &rights));
    sweep_once(level, values, rights, backward);
    check(VecRestoreArrayRead(right, &rights));
    check(VecRestoreArray(level.local, &values));
    check(DMLocalToGlobal(level.grid, level.local, INSERT_VALUES, solution));
  }
  return 0;
}

Mat matrix_of(Level& level) {
  const PetscInt cells = level.info.xm * level.info.ym * level.info.zm;
  Mat matrix = nullptr;
  MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(level.grid));
  check(MatCreateShell(comm, cells, cells, PETSC_DETERMINE, PETSC_DETERMINE, &level, &matrix));
  check(MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  check(
      MatShellSetOperation(matrix, MATOP_GET_DIAGONAL, reinterpret_cast<void (*)()>(set_diagonal)));
  check(MatShellSetOperation(matrix, MATOP_SOR, reinterpret_cast<void (*)()>(sweep)));
  return matrix;
}

/// Sweeps before and after coarser grids, in opposite orders: symmetric for conjugate gradients.
/// Two each: quicker here than one, than W cycles, and than Chebyshev's polynomials with Jacobi's.
void set_smoother(KSP smoother, Mat matrix, MatSORType order) {
  PC sweeps = nullptr;
  check(KSPSetOperators(smoother, matrix, matrix));
  check(KSPSetType(smoother, KSPRICHARDSON));
  check(KSPSetTolerances(smoother, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 2));
  check(KSPSetNormType(smoother, KSP_NORM_NONE));
  check(KSPGetPC(smoother, &sweeps));
  check(PCSetType(sweeps, PCSOR));
  check(PCSORSetSymmetric(sweeps, order));
}

/// All levels, the coarsest first, and PETSc's multigrid on them.
class Multigrid {
 public:
  Multigrid(KSP solver, DM finest, const PoissonProblem& problem) {
    std::vector<DM> grids{finest};
    DMDALocalInfo info;
    for (check(DMDAGetLocalInfo(finest, &info)); info.mx > 8;
         check(DMDAGetLocalInfo(grids.back(), &info))) {
      DM coarse = nullptr;
      check(DMCoarsen(grids.back(), problem.comm, &coarse));
      grids.push_back(coarse);
    }
    for (auto grid = grids.rbegin(); grid != grids.rend(); ++grid) {
      levels_.push_back(std::make_unique<Level>(*grid, problem));
      matrices_.push_back(matrix_of(*levels_.back()));
    }
    const auto count = static_cast<PetscInt>(levels_.size());
    PC multigrid = nullptr;
    check(KSPSetOperators(solver, matrices_.back(), matrices_.back()));
    check(KSPGetPC(solver, &multigrid));
    check(PCSetType(multigrid, PCMG));
    check(PCMGSetLevels(multigrid, count, nullptr));
    check(PCMGSetDistinctSmoothUp(multigrid));
    for (PetscInt level = 1; level < count; ++level) {
      const auto at = static_cast<std::size_t>(level);
      Mat interpolation = nullptr;
      check(
          DMCreateInterpolation(levels_[at - 1]->grid, levels_[at]->grid, &interpolation, nullptr));
      check(PCMGSetInterpolation(multigrid, level, interpolation));
      check(MatDestroy(&interpolation));
      KSP down = nullptr, up = nullptr;
      check(PCMGGetSmootherDown(multigrid, level, &down));
      check(PCMGGetSmootherUp(multigrid, level, &up));
      set_smoother(down, matrices_[at], SOR_LOCAL_FORWARD_SWEEP);
      set_smoother(up, matrices_[at], SOR_LOCAL_BACKWARD_SWEEP);
    }
    KSP coarsest = nullptr;
    PC none = nullptr;
    check(PCMGGetCoarseSolve(multigrid, &coarsest));
    check(KSPSetOperators(coarsest, matrices_.front(), matrices_.front()));
    check(KSPSetType(coarsest, KSPCG));
    check(KSPGetPC(coarsest, &none));
    check(PCSetType(none, PCNONE));
    check(KSPSetTolerances(coarsest, 1e-10, 0.0, PETSC_DEFAULT, 100));
  }
  Multigrid(const Multigrid&) = delete;
  Multigrid& operator=(const Multigrid&) = delete;
  ~Multigrid() {
    for (Mat matrix : matrices_) MatDestroy(&matrix);
  }

 private:
  std::vector<std::unique_ptr<Level> > levels_;
  std::vector<Mat> matrices_;
};

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
  check(DMDACreate3d(problem.comm, DM_BOUNDARY_GHOSTED, DM_BOUNDARY_GHOSTED, DM_BOUNDARY_GHOSTED,
                     DMDA_STENCIL_STAR, cells(0), cells(1), cells(2), ranks(0), ranks(1), ranks(2),
                     1, 1, widths[0].data(), widths[1].data(), widths[2].data(), &grid));
  check(DMDASetInterpolationType(grid, DMDA_Q0));
  check(DMSetUp(grid));
  KSP solver = nullptr;
  check(KSPCreate(problem.comm, &solver));
  check(KSPSetType(solver, KSPCG));
  check(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
  check(KSPSetTolerances(solver, problem.tolerance, 0.0, PETSC_DEFAULT, 200));
  PetscInt iterations = 0;
  {
    const Multigrid multigrid(solver, grid, problem);
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
    check(KSPGetIterationNumber(solver, &iterations));
    check(VecDestroy(&left));
    check(VecDestroy(&right));
    check(KSPDestroy(&solver));
  }
  return static_cast<int>(iterations);
}

#endif

}  // namespace cartwright::bench::peer
