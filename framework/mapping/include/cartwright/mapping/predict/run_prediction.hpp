// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/mapping/predict/rank_surroundings.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::mapping {

/// What the time of a run goes into.
enum class RunPart : std::uint8_t { kernels, boundary, halo, reductions, loop, output };
inline constexpr std::size_t run_parts = 6;
[[nodiscard]] std::string_view name_of(RunPart part);

/// Who carries messages, as comm.backend says. `memory`: ranks of a node talk through memory that
/// they share, nodes by schedules of nodes (auto, shared); `messages`: all by messages, with the
/// quickest schedule of each collective (p2p, rma); `native`: the same with recursive doubling.
enum class Transport : std::uint8_t { memory, messages, native };
/// Of "auto", "shared", "rma", "p2p", "native". Throws an input error for others.
[[nodiscard]] Transport transport_of(std::string_view backend);

struct PredictionRequest {
  int ranks = 1;
  std::vector<long long> extents = {};  ///< empty: the profile's
  std::vector<int> process_grid = {};   ///< empty: the best one
  int node_size = 0;                    ///< ranks of a full node; 0: each thread has a core
  bool remapped = true;
  Transport transport = Transport::memory;
  bool is_here = false;  ///< the machine is the one on which the profile was measured
};

/// A run on a machine: seconds of a step, of the slowest rank.
struct PredictedRun {
  int ranks = 1;
  long long nodes = 1;
  int cores_of_node = 1;
  std::vector<int> process_grid;
  std::vector<long long> block;  ///< cells of the largest
  int steps_at_once = 1;
  Surroundings around;
  std::array<double, run_parts> seconds{};
  double flight = 0.0;     ///< of messages between neighbours, whether hidden behind kernels or not
  double turns = 1.0;      ///< ranks that share a core
  bool by_memory = false;  ///< kernels wait for memory, by what is known of it
  std::vector<std::string> remarks;

  [[nodiscard]] double of(RunPart part) const { return seconds[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double step() const;  ///< the sum
  [[nodiscard]] RunPart largest() const;
};

/// Pure, without MPI, and quick for any number of ranks: one rank, one node and the tree of a
/// reduction stand for all (docs/prediction.md says what is assumed). Throws the run's own input
/// error where so many ranks can't share the grid.
[[nodiscard]] PredictedRun predict_run(const StepProfile& profile, const plan::Machine& machine,
                                       const PredictionRequest& request);

/// Seconds of a step's kernels on a rank with so many cells, as measured: straight lines between
/// what was measured, beyond it in proportion.
[[nodiscard]] KernelSample kernels_of(std::span<const KernelSample> samples, double cells);

/// Strong scaling keeps the grid, weak scaling the cells of a rank: those of the deck's grid on
/// `base` ranks.
enum class Scaling : std::uint8_t { strong, weak };
/// The request for `ranks` of them.
[[nodiscard]] PredictionRequest scaled(const StepProfile& profile, Scaling scaling, int ranks,
                                       int base);

/// Where a scaling bends: the first number of ranks whose efficiency is below half of the best one
/// before, since the last bend.
struct Bend {
  int ranks = 0;
  RunPart part = RunPart::kernels;  ///< that has grown most, beyond its share of ideal scaling
  std::string why;  ///< "output (95 % of the loss)": this one, and others that matter
};
/// Of runs ascending by ranks. Bends that follow each other for the same reason count once.
[[nodiscard]] std::vector<Bend> bends(std::span<const PredictedRun> runs, Scaling scaling);
/// Work of a core against that of the first: 1 is ideal.
[[nodiscard]] double efficiency(const PredictedRun& first, const PredictedRun& run,
                                Scaling scaling);

}  // namespace cartwright::mapping
