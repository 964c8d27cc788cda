// SPDX-License-Identifier: Apache-2.0
#ifdef CARTWRIGHT_HAS_HYPRE
#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/mpi_check.hpp>
#include <numeric>
#include <vector>

#include "hypre_methods.hpp"

namespace cartwright::linear {
namespace {

using Cells = HypreSystem::Cells;

/// How hypre numbers the cells: each rank's one after the other, rank by rank.
class Numbering {
 public:
  Numbering(MPI_Comm comm, const Cells& mine) : mine_(mine) {
    int ranks = 1;
    rt::mpi_check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    const std::array<long long, 6> own{mine.start[0], mine.start[1], mine.start[2],
                                       mine.count[0], mine.count[1], mine.count[2]};
    boxes_.resize(static_cast<std::size_t>(ranks));
    rt::mpi_blocking("MPI_Allgather", MPI_Allgather, own.data(), 6, MPI_LONG_LONG, boxes_.data(), 6,
                     MPI_LONG_LONG, comm);
    first_.assign(boxes_.size() + 1, 0);
    for (std::size_t rank = 0; rank < boxes_.size(); ++rank)
      first_[rank + 1] = first_[rank] + boxes_[rank][3] * boxes_[rank][4] * boxes_[rank][5];
    int me = 0;
    rt::mpi_check(MPI_Comm_rank(comm, &me), "MPI_Comm_rank");
    me_ = static_cast<std::size_t>(me);
  }
  [[nodiscard]] long long begin() const { return first_[me_]; }
  [[nodiscard]] long long end() const { return first_[me_ + 1]; }
  /// Of a cell of the whole grid.
  [[nodiscard]] long long of(const std::array<long long, 3>& cell) const {
    if (is_in(me_, cell)) return number(me_, cell);
    for (std::size_t rank = 0; rank < boxes_.size(); ++rank)
      if (is_in(rank, cell)) return number(rank, cell);
    return -1;
  }

 private:
  [[nodiscard]] bool is_in(std::size_t rank, const std::array<long long, 3>& cell) const {
    const auto& box = boxes_[rank];
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (cell[axis] < box[axis] || cell[axis] >= box[axis] + box[axis + 3]) return false;
    return true;
  }
  [[nodiscard]] long long number(std::size_t rank, const std::array<long long, 3>& cell) const {
    const auto& box = boxes_[rank];
    return first_[rank] + ((cell[2] - box[2]) * box[4] + cell[1] - box[1]) * box[3] + cell[0] -
           box[0];
  }

  Cells mine_;
  std::vector<std::array<long long, 6>> boxes_;  // start and count, by rank
  std::vector<long long> first_;
  std::size_t me_ = 0;
};

class AlgebraicMethod final : public HypreSystem::Method {
 public:
  AlgebraicMethod(MPI_Comm comm, const Cells& cells, bool is_singular)
      : comm_(comm), cells_(cells), is_singular_(is_singular), numbering_(comm, cells) {
    begin_ = static_cast<HYPRE_BigInt>(numbering_.begin());
    end_ = static_cast<HYPRE_BigInt>(numbering_.end()) - 1;
    rows_.resize(cells.number());
    std::iota(rows_.begin(), rows_.end(), begin_);
    for (HYPRE_IJVector* const vector : {&r_, &z_}) {
      check_hypre(HYPRE_IJVectorCreate(comm, begin_, end_, vector), "IJVectorCreate");
      check_hypre(HYPRE_IJVectorSetObjectType(*vector, HYPRE_PARCSR), "IJVectorSetObjectType");
      check_hypre(HYPRE_IJVectorInitialize(*vector), "IJVectorInitialize");
      check_hypre(HYPRE_IJVectorAssemble(*vector), "IJVectorAssemble");
    }
  }
  ~AlgebraicMethod() override {
    forget();
    HYPRE_IJVectorDestroy(z_);
    HYPRE_IJVectorDestroy(r_);
  }

  void set(std::span<const double> coefficients) override {
    forget();
    check_hypre(HYPRE_IJMatrixCreate(comm_, begin_, end_, begin_, end_, &matrix_),
                "IJMatrixCreate");
    check_hypre(HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR), "IJMatrixSetObjectType");
    check_hypre(HYPRE_IJMatrixInitialize(matrix_), "IJMatrixInitialize");
    set_rows(coefficients);
    check_hypre(HYPRE_IJMatrixAssemble(matrix_), "IJMatrixAssemble");
    check_hypre(HYPRE_BoomerAMGCreate(&solver_), "BoomerAMGCreate");
    HYPRE_BoomerAMGSetMaxIter(solver_, 1);
    HYPRE_BoomerAMGSetTol(solver_, 0.0);
    HYPRE_BoomerAMGSetPrintLevel(solver_, 0);
    HYPRE_BoomerAMGSetCoarsenType(solver_, 10);  // HMIS
    HYPRE_BoomerAMGSetInterpType(solver_, 6);    // extended, over two layers
    HYPRE_BoomerAMGSetPMaxElmts(solver_, 4);
    HYPRE_BoomerAMGSetStrongThreshold(solver_, cells_.dimensions == 3 ? 0.5 : 0.25);
    HYPRE_BoomerAMGSetRelaxType(solver_, 8);  // Gauss-Seidel, there and back: symmetric
    if (is_singular_) HYPRE_BoomerAMGSetCycleRelaxType(solver_, 8, 3);  // no elimination
    check_hypre(HYPRE_BoomerAMGSetup(solver_, matrix(), vector(r_), vector(z_)), "BoomerAMGSetup");
  }
  void cycle(std::span<const double> r, std::span<double> z) override {
    const auto count = static_cast<HYPRE_Int>(rows_.size());
    check_hypre(HYPRE_IJVectorSetValues(r_, count, rows_.data(), r.data()), "IJVectorSetValues");
    std::fill(z.begin(), z.end(), 0.0);
    check_hypre(HYPRE_IJVectorSetValues(z_, count, rows_.data(), z.data()), "IJVectorSetValues");
    check_hypre(HYPRE_BoomerAMGSolve(solver_, matrix(), vector(r_), vector(z_)), "BoomerAMGSolve");
    check_hypre(HYPRE_IJVectorGetValues(z_, count, rows_.data(), z.data()), "IJVectorGetValues");
  }

 private:
  /// Couplings of 0 are none; where a periodic axis has few cells, two may be of the same.
  void set_rows(std::span<const double> coefficients) {
    const auto entries = static_cast<std::size_t>(2 * cells_.dimensions + 1);
    std::array<HYPRE_BigInt, 7> columns{};
    std::array<double, 7> values{};
    for (std::size_t cell = 0; cell < rows_.size(); ++cell) {
      HYPRE_Int used = 0;
      for (std::size_t entry = 0; entry < entries; ++entry) {
        const double value = coefficients[cell * entries + entry];
        if (entry > 0 && value == 0.0) continue;
        add(static_cast<HYPRE_BigInt>(column_of(cell, entry)), value, columns, values, used);
      }
      check_hypre(
          HYPRE_IJMatrixSetValues(matrix_, 1, &used, &rows_[cell], columns.data(), values.data()),
          "IJMatrixSetValues");
    }
  }
  static void add(HYPRE_BigInt column, double value, std::array<HYPRE_BigInt, 7>& columns,
                  std::array<double, 7>& values, HYPRE_Int& used) {
    for (std::size_t at = 0; at < static_cast<std::size_t>(used); ++at)
      if (columns[at] == column) {
        values[at] += value;
        return;
      }
    columns[static_cast<std::size_t>(used)] = column;
    values[static_cast<std::size_t>(used)] = value;
    ++used;
  }
  [[nodiscard]] long long column_of(std::size_t cell, std::size_t entry) const {
    const auto number = static_cast<long long>(cell);
    std::array<long long, 3> at{cells_.start[0] + number % cells_.count[0],
                                cells_.start[1] + number / cells_.count[0] % cells_.count[1],
                                cells_.start[2] + number / (cells_.count[0] * cells_.count[1])};
    if (entry > 0) {
      const std::size_t axis = (entry - 1) / 2;
      const long long extent = cells_.global[axis];
      at[axis] = (at[axis] + (entry % 2 == 1 ? -1 : 1) + extent) % extent;
    }
    return numbering_.of(at);
  }
  [[nodiscard]] HYPRE_ParCSRMatrix matrix() const {
    void* object = nullptr;
    check_hypre(HYPRE_IJMatrixGetObject(matrix_, &object), "IJMatrixGetObject");
    return static_cast<HYPRE_ParCSRMatrix>(object);
  }
  [[nodiscard]] static HYPRE_ParVector vector(HYPRE_IJVector of) {
    void* object = nullptr;
    check_hypre(HYPRE_IJVectorGetObject(of, &object), "IJVectorGetObject");
    return static_cast<HYPRE_ParVector>(object);
  }
  void forget() {
    if (solver_ != nullptr) HYPRE_BoomerAMGDestroy(solver_);
    if (matrix_ != nullptr) HYPRE_IJMatrixDestroy(matrix_);
    solver_ = nullptr;
    matrix_ = nullptr;
  }

  MPI_Comm comm_;
  Cells cells_;
  bool is_singular_;
  Numbering numbering_;
  HYPRE_BigInt begin_ = 0, end_ = 0;
  std::vector<HYPRE_BigInt> rows_;
  HYPRE_IJMatrix matrix_ = nullptr;
  HYPRE_IJVector r_ = nullptr, z_ = nullptr;
  HYPRE_Solver solver_ = nullptr;
};

}  // namespace

std::unique_ptr<HypreSystem::Method> make_hypre_algebraic(MPI_Comm comm, const Cells& cells,
                                                          bool is_singular) {
  return std::make_unique<AlgebraicMethod>(comm, cells, is_singular);
}

}  // namespace cartwright::linear

#endif
