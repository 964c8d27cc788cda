// SPDX-License-Identifier: Apache-2.0
#include "solution_files.hpp"

#include <cartwright/grid/run/inner_loop.hpp>
#include <cartwright/grid/run/run.hpp>
#include <utility>

namespace cartwright::grid {

SolutionFiles::SolutionFiles(const comm::Collectives& comm, const Run& run,
                             std::filesystem::path directory, std::optional<long long> restart_step)
    : comm_(comm), run_(run), directory_(std::move(directory)), restart_step_(restart_step) {
  // Work that has moved goes on with the records of before.
  for (const InnerLoopRecord& record : run.inner_loops())
    files_.push_back({nullptr, record.solutions, record.iterations});
}

void SolutionFiles::note(long long step) {
  const auto& records = run_.inner_loops();
  files_.resize(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const InnerLoopRecord& record = records[i];
    File& file = files_[i];
    if (record.solutions == file.solutions) continue;
    if (!file.history)
      file.history = std::make_unique<SolutionHistory>(comm_, directory_, run_.solver().name,
                                                       record.name, restart_step_);
    file.history->add(step, record.solutions - std::exchange(file.solutions, record.solutions),
                      record.iterations - std::exchange(file.iterations, record.iterations),
                      record.latest);
  }
}

void SolutionFiles::flush() {
  for (File& file : files_)
    if (file.history) file.history->flush();
}

void SolutionFiles::finish() {
  for (File& file : files_)
    if (file.history) file.history->finish();
}

}  // namespace cartwright::grid
