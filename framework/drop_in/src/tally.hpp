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

/// How many collectives of each kind were carried out by whom, and how long the program was in
/// them.
class Tally {
 public:
  void count(plan::Operation operation, CarriedBy whom, double seconds) {
    Counts& counts = counts_[static_cast<std::size_t>(operation)];
    ++counts.calls[static_cast<std::size_t>(whom)];
    counts.seconds += seconds;
  }
  /// A line `allreduce: 1000 by cartwright, 16 by the MPI library, 0.25 s`, and one of all
  /// together.
  [[nodiscard]] std::string text() const;

 private:
  struct Counts {
    std::array<long long, 3> calls{};
    double seconds = 0.0;
  };
  [[nodiscard]] static std::string line(std::string_view name, const Counts& counts);

  std::vector<Counts> counts_ = std::vector<Counts>(plan::operations().size());
};

}  // namespace cartwright::drop_in
