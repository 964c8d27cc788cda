// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/output/solution_history.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace cartwright::grid {

class Run;

/// The histories of the loops inside of a run's steps, one for each of its `InnerLoop`s.
class SolutionFiles {
 public:
  SolutionFiles(const comm::Collectives& comm, const Run& run, std::filesystem::path directory,
                std::optional<long long> restart_step);

  /// What the step's loops have come to. Collective where one of them ended for the first time.
  void note(long long step);
  /// Collective. Writes all rows noted since.
  void flush();
  /// Collective. Writes all rows and draws the pictures.
  void finish();

 private:
  struct File {
    std::unique_ptr<SolutionHistory> history;  // none until a first solution
    long long solutions = 0, iterations = 0;   // up to the row before
  };

  const comm::Collectives& comm_;
  const Run& run_;
  std::filesystem::path directory_;
  std::optional<long long> restart_step_;
  std::vector<File> files_;  // as the run's records of loops
};

}  // namespace cartwright::grid
