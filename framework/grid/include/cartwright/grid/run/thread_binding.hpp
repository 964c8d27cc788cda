// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <string>
#include <vector>

namespace cartwright::grid {

/// The cores on which the threads of this rank's kernels may run, asked from each of them.
struct ThreadBinding {
  int threads = 1;
  std::vector<int> cpus;  ///< of all threads together, sorted
  int own_cores = 0;  ///< threads that are bound to one core which no other thread of the rank uses
  [[nodiscard]] static ThreadBinding of_this_rank();
};

/// Collective. What a run says about it, and whether threads have to share cores.
struct ThreadReport {
  std::string text;
  bool is_doubtful = false;
};
[[nodiscard]] ThreadReport describe(const rt::Communicator& comm, const ThreadBinding& binding);

}  // namespace cartwright::grid
