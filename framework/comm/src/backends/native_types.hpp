// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/elements/element.hpp>
#include <cartwright/comm/elements/reduction.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::comm {

/// MPI's names for elements and operators; ours where libraries get theirs wrong. Those that had to
/// be made are kept: made once, freed with this.
class NativeTypes {
 public:
  NativeTypes() = default;
  NativeTypes(const NativeTypes&) = delete;
  NativeTypes& operator=(const NativeTypes&) = delete;
  ~NativeTypes();

  [[nodiscard]] MPI_Datatype of(const Element& element);
  /// Throws internal_failure for an operator with a state.
  [[nodiscard]] MPI_Op of(const Reduction& reduction, const Element& element);

 private:
  struct Bytes {
    std::size_t size;
    MPI_Datatype type;
  };
  struct Function {
    Reduction::MpiFunction function;
    bool commutes;
    MPI_Op op;
  };
  [[nodiscard]] MPI_Op made(Reduction::MpiFunction function, bool commutes);

  std::vector<Bytes> bytes_;
  std::vector<Function> functions_;
};

}  // namespace cartwright::comm
