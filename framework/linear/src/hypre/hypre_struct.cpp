// SPDX-License-Identifier: Apache-2.0
#ifdef CARTWRIGHT_HAS_HYPRE
#include <HYPRE_struct_ls.h>

#include <fmt/format.h>
#include <array>
#include <cartwright/rt/error.hpp>

#include "hypre_methods.hpp"

namespace cartwright::linear {
namespace {

class StructMethod final : public HypreSystem::Method {
 public:
  StructMethod(MPI_Comm comm, const HypreSystem::Cells& cells, MultigridKind kind)
      : comm_(comm), cells_(cells), is_pfmg_(kind == MultigridKind::pfmg) {
    std::array<HYPRE_Int, 3> period{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lower_[axis] = static_cast<HYPRE_Int>(cells.start[axis]);
      upper_[axis] = static_cast<HYPRE_Int>(cells.start[axis] + cells.count[axis] - 1);
      if (cells.periodic[axis]) period[axis] = static_cast<HYPRE_Int>(cells.global[axis]);
    }
    check_hypre(HYPRE_StructGridCreate(comm, cells.dimensions, &grid_), "StructGridCreate");
    check_hypre(HYPRE_StructGridSetExtents(grid_, lower_.data(), upper_.data()),
                "StructGridSetExtents");
    check_hypre(HYPRE_StructGridSetPeriodic(grid_, period.data()), "StructGridSetPeriodic");
    check_hypre(HYPRE_StructGridAssemble(grid_), "StructGridAssemble");
    make_stencil();
    for (HYPRE_StructVector* const vector : {&r_, &z_}) {
      check_hypre(HYPRE_StructVectorCreate(comm, grid_, vector), "StructVectorCreate");
      check_hypre(HYPRE_StructVectorInitialize(*vector), "StructVectorInitialize");
      check_hypre(HYPRE_StructVectorSetConstantValues(*vector, 0.0), "StructVectorSetValues");
      check_hypre(HYPRE_StructVectorAssemble(*vector), "StructVectorAssemble");
    }
  }
  ~StructMethod() override {
    forget();
    HYPRE_StructVectorDestroy(z_);
    HYPRE_StructVectorDestroy(r_);
    HYPRE_StructStencilDestroy(stencil_);
    HYPRE_StructGridDestroy(grid_);
  }

  void set(std::span<const double> coefficients) override {
    forget();
    check_hypre(HYPRE_StructMatrixCreate(comm_, grid_, stencil_, &matrix_), "StructMatrixCreate");
    check_hypre(HYPRE_StructMatrixInitialize(matrix_), "StructMatrixInitialize");
    std::array<HYPRE_Int, 7> entries{0, 1, 2, 3, 4, 5, 6};
    check_hypre(
        HYPRE_StructMatrixSetBoxValues(matrix_, lower_.data(), upper_.data(), entries_used(),
                                       entries.data(), const_cast<double*>(coefficients.data())),
        "StructMatrixSetBoxValues");
    check_hypre(HYPRE_StructMatrixAssemble(matrix_), "StructMatrixAssemble");
    if (is_pfmg_)
      begin_pfmg();
    else
      begin_smg();
  }
  void cycle(std::span<const double> r, std::span<double> z) override {
    check_hypre(HYPRE_StructVectorSetBoxValues(r_, lower_.data(), upper_.data(),
                                               const_cast<double*>(r.data())),
                "StructVectorSetBoxValues");
    check_hypre(HYPRE_StructVectorAssemble(r_), "StructVectorAssemble");
    check_hypre(is_pfmg_ ? HYPRE_StructPFMGSolve(solver_, matrix_, r_, z_)
                         : HYPRE_StructSMGSolve(solver_, matrix_, r_, z_),
                is_pfmg_ ? "StructPFMGSolve" : "StructSMGSolve");
    check_hypre(HYPRE_StructVectorGetBoxValues(z_, lower_.data(), upper_.data(), z.data()),
                "StructVectorGetBoxValues");
  }

 private:
  [[nodiscard]] HYPRE_Int entries_used() const { return 2 * cells_.dimensions + 1; }
  void make_stencil() {
    check_hypre(HYPRE_StructStencilCreate(cells_.dimensions, entries_used(), &stencil_),
                "StructStencilCreate");
    for (HYPRE_Int entry = 0; entry < entries_used(); ++entry) {
      std::array<HYPRE_Int, 3> offset{};
      if (entry > 0) offset[static_cast<std::size_t>(entry - 1) / 2] = entry % 2 == 1 ? -1 : 1;
      check_hypre(HYPRE_StructStencilSetElement(stencil_, entry, offset.data()),
                  "StructStencilSetElement");
    }
  }
  void begin_pfmg() {
    check_hypre(HYPRE_StructPFMGCreate(comm_, &solver_), "StructPFMGCreate");
    HYPRE_StructPFMGSetMaxIter(solver_, 1);
    HYPRE_StructPFMGSetTol(solver_, 0.0);
    HYPRE_StructPFMGSetZeroGuess(solver_);
    HYPRE_StructPFMGSetRelaxType(solver_, 2);  // red-black, there and back: symmetric
    HYPRE_StructPFMGSetNumPreRelax(solver_, 1);
    HYPRE_StructPFMGSetNumPostRelax(solver_, 1);
    check_hypre(HYPRE_StructPFMGSetup(solver_, matrix_, r_, z_), "StructPFMGSetup");
  }
  void begin_smg() {
    check_hypre(HYPRE_StructSMGCreate(comm_, &solver_), "StructSMGCreate");
    HYPRE_StructSMGSetMaxIter(solver_, 1);
    HYPRE_StructSMGSetTol(solver_, 0.0);
    HYPRE_StructSMGSetZeroGuess(solver_);
    HYPRE_StructSMGSetNumPreRelax(solver_, 1);
    HYPRE_StructSMGSetNumPostRelax(solver_, 1);
    check_hypre(HYPRE_StructSMGSetup(solver_, matrix_, r_, z_), "StructSMGSetup");
  }
  void forget() {
    if (solver_ != nullptr) {
      if (is_pfmg_)
        HYPRE_StructPFMGDestroy(solver_);
      else
        HYPRE_StructSMGDestroy(solver_);
    }
    if (matrix_ != nullptr) HYPRE_StructMatrixDestroy(matrix_);
    solver_ = nullptr;
    matrix_ = nullptr;
  }

  MPI_Comm comm_;
  HypreSystem::Cells cells_;
  bool is_pfmg_;
  std::array<HYPRE_Int, 3> lower_{}, upper_{};
  HYPRE_StructGrid grid_ = nullptr;
  HYPRE_StructStencil stencil_ = nullptr;
  HYPRE_StructMatrix matrix_ = nullptr;
  HYPRE_StructVector r_ = nullptr, z_ = nullptr;
  HYPRE_StructSolver solver_ = nullptr;
};

}  // namespace

void check_hypre(HYPRE_Int code, const char* name) {
  if (code == 0) return;
  HYPRE_ClearAllErrors();
  throw rt::internal_failure(fmt::format("HYPRE_{} reports error {}", name, code));
}

std::unique_ptr<HypreSystem::Method> make_hypre_struct(MPI_Comm comm,
                                                       const HypreSystem::Cells& cells,
                                                       MultigridKind kind) {
  return std::make_unique<StructMethod>(comm, cells, kind);
}

std::unique_ptr<HypreSystem::Method> make_hypre_method(MPI_Comm comm,
                                                       const HypreSystem::Cells& cells,
                                                       MultigridKind kind, bool is_singular) {
  // hypre begins with the first system, and never ends: the process does.
  static const bool begun = [] {
    check_hypre(HYPRE_Init(), "Init");
    return true;
  }();
  (void)begun;
  if (kind == MultigridKind::boomeramg) return make_hypre_algebraic(comm, cells, is_singular);
  return make_hypre_struct(comm, cells, kind);
}

}  // namespace cartwright::linear

#endif
