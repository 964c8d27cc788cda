// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <HYPRE_utilities.h>
#include <mpi.h>

#include <cartwright/linear/hypre/hypre_system.hpp>
#include <memory>

namespace cartwright::linear {

/// One of hypre's methods with its matrix.
struct HypreSystem::Method {
  Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;
  virtual ~Method() = default;
  virtual void set(std::span<const double> coefficients) = 0;
  virtual void cycle(std::span<const double> r, std::span<double> z) = 0;
};

/// Throws an internal failure if hypre reports an error in the call `name`.
void check_hypre(HYPRE_Int code, const char* name);

[[nodiscard]] std::unique_ptr<HypreSystem::Method> make_hypre_method(
    MPI_Comm comm, const HypreSystem::Cells& cells, MultigridKind kind, bool is_singular);

/// PFMG or SMG, on hypre's structured grids.
[[nodiscard]] std::unique_ptr<HypreSystem::Method> make_hypre_struct(
    MPI_Comm comm, const HypreSystem::Cells& cells, MultigridKind kind);

/// BoomerAMG, which sees a matrix and no grid.
[[nodiscard]] std::unique_ptr<HypreSystem::Method> make_hypre_algebraic(
    MPI_Comm comm, const HypreSystem::Cells& cells, bool is_singular);

}  // namespace cartwright::linear
