// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/grid/output/convergence_history.hpp>
#include <cartwright/grid/output/picture.hpp>

namespace cartwright::grid {

ConvergenceHistory::ConvergenceHistory(const comm::Collectives& comm,
                                       const std::filesystem::path& directory, std::string title,
                                       std::optional<long long> restart_step)
    : table_(comm, directory / "convergence.csv", {"residual", "relative"}, restart_step),
      picture_(directory / "convergence.png"),
      title_(std::move(title)) {}

void ConvergenceHistory::add(long long iteration, double residual, double relative) {
  table_.add(iteration, std::array{residual, relative});
}

void ConvergenceHistory::finish(double tolerance) {
  table_.finish("relative", [&](const StepTable::Column& residuals) {
    draw_convergence(picture_, residuals, tolerance, title_);
  });
}

}  // namespace cartwright::grid
