// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/solver.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/communicator.hpp>
#include <string>

namespace cartwright::bench {

/// Collective. Runs `solver` in this process with a deck that is given as text (without the key
/// `solver`), as its own program would, but silently. MPI and Kokkos must have been started.
/// `work`: what is found out of it where the deck says grid.balance.
void run_deck(const grid::SolverEntry& solver, const std::string& deck_text,
              grid::WorkBalance* work = nullptr);

/// Collective. A folder of this run's own for what a deck's output leaves behind; removed at the
/// end of the scope.
class ScratchDirectory {
 public:
  explicit ScratchDirectory(const rt::Communicator& world);
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  bool removes_ = false;
};

}  // namespace cartwright::bench
