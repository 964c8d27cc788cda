// SPDX-License-Identifier: Apache-2.0
// Where results of a run lie, and how its grid is cut: by what its checkpoints know, too.
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/output/checkpoint.hpp>
#include <cartwright/grid/output/output_directory.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>

namespace cartwright::grid {

std::string Run::results() const {
  const auto& restart = runtime().command_line().restart;
  if (restart && !restart->empty()) return *restart;
  return results_directory(options().output.directory, runtime().deck().file_name()).string();
}

Cuts Run::cuts(const GridDescription& grid, const comm::CartComm& comm) {
  const std::vector<int> ranks(comm.dims().begin(), comm.dims().end());
  const long long least = options().grid.weights.least;
  const PlaneWeights weights = plane_weights(grid, comm.all());
  Cuts cuts = weights.empty() ? even_cuts(grid, ranks) : weighted_cuts(weights, ranks, least);
  if (work_ == nullptr) return cuts;
  std::vector<double> densities;
  if (work_->knows_nothing() && is_restart())
    densities = work_of_checkpoint(comm.all(), std::filesystem::path(results()) / "checkpoints");
  const std::vector<long long> extent(grid.extent.begin(), grid.extent.begin() + grid.dimensions);
  return work_->begin_grid(extent, weights, densities, cuts, least);
}

}  // namespace cartwright::grid
