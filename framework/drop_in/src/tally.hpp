// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/plan/selection/operation.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::drop_in {

/// Who carries a collective out, and why the MPI library does.
enum class CarriedBy {
  us,
  mpi_for_communicator,  ///< between groups, not taken over yet, or nonblocking unasked for
  mpi_for_arguments,     ///< wrong ones, or a type that comm can't combine
};

/// How many collectives of each kind were carried out by whom.
class Tally {
 public:
  void count(plan::Operation operation, CarriedBy whom) {
    ++counts_[static_cast<std::size_t>(operation)][static_cast<std::size_t>(whom)];
  }
  /// A line `allreduce: 1000 by cartwright, 16 by the MPI library`, and one of all together.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::size_t kinds = 3;
  using Counts = std::array<long long, kinds>;

  std::vector<Counts> counts_ = std::vector<Counts>(plan::operations().size());
};

}  // namespace cartwright::drop_in
