// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/operation.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::mapping {

/// Of a block, or a whole grid, of these extents.
[[nodiscard]] double cells_of(const std::vector<long long>& extents);

/// What a step took on one rank alone whose block had so many cells: seconds.
struct KernelSample {
  double cells = 0.0;
  double kernels = 0.0;   ///< all that the step computes
  double boundary = 0.0;  ///< setting ghosts at physical faces, or across periodic ones
  double loop = 0.0;      ///< what the loop itself takes: exchanges that send nothing, questions
};

/// Exchanges of ghosts of one kind.
struct ExchangeKind {
  int coarser = 0;          ///< how often the grid was halved along each axis: 0 is the run's own
  double layer_bytes = 0;   ///< for each cell of a face
  bool corners = false;     ///< also across edges and corners
  double times = 0.0;       ///< a step
  double overlapped = 0.0;  ///< of them: so many run beside a kernel
};

/// A loop that makes so many steps at once: ghosts as many times as wide are exchanged once for all
/// of them, and computed on both sides in between.
struct StepsAtOnce {
  int steps = 1;
  std::vector<KernelSample> kernels;    ///< of one of them; ascending by cells, at least one
  std::vector<ExchangeKind> exchanges;  ///< of one of them
};
/// That ranks try when nobody says how many (see grid's TurnChoice): up to 4, where the smallest
/// block leaves room for ghosts that are computed twice. `reach`: layers that one step reads.
[[nodiscard]] int most_steps_at_once(const std::vector<long long>& smallest_block, int reach);

/// Collectives of one kind.
struct CollectiveKind {
  plan::Operation operation = plan::Operation::allreduce;
  plan::Count bytes = 0;  ///< of the vector, or of each rank's block
  double times = 0.0;     ///< a step
};

/// How ranks learn where all particles are: everybody gets all positions; they go round, while
/// those that are here are worked with; or they go along rows and columns of ranks, and sums along
/// the shorter of both (Driscoll et al. 2013).
enum class PairWay : std::uint8_t { allgather, ring, rows_and_columns };
/// With their names, in decks and profiles.
[[nodiscard]] const std::vector<std::pair<std::string, PairWay>>& pair_ways();

/// What ranks tell each other in a step for forces between all pairs of particles, which are dealt
/// evenly.
struct PairTraffic {
  PairWay way = PairWay::allgather;
  double particles = 0.0;       ///< of the run
  double position_bytes = 0.0;  ///< that others get of each
  double sum_bytes = 0.0;       ///< of what is added up for each, by rows and columns
};

/// What is due between steps now and then.
struct OutputKind {
  std::string name;           ///< "output", "pictures", …
  double times = 0.0;         ///< in the whole run
  double bytes = 0.0;         ///< of a file, each time; 0: writes none
  double seconds = 0.0;       ///< each time, whatever the grid
  double cell_seconds = 0.0;  ///< each time and for each cell of a rank
};

/// What a loop of steps does, counted and measured while it ran on a small grid of the same kind.
/// Made by the loop itself, for every solver alike.
struct StepProfile {
  std::string solver, deck;
  std::string machine;             ///< on which it was measured: YAML (see machine_file.hpp)
  std::string measured;            ///< where the times come from, in words
  std::vector<long long> extents;  ///< of the run's grid
  std::vector<bool> periodic;
  std::vector<int> process_grid;     ///< as the deck wants it; 0 or empty: free
  std::vector<long long> sampled;    ///< extents of the grid that exchanges were counted on
  double steps = 0.0;                ///< of the run
  int threads = 1;                   ///< of a rank
  int halo = 0;                      ///< the widest of a field
  double cell_bytes = 0.0;           ///< memory of all fields, for a cell
  double memory_bandwidth = 0.0;     ///< bytes/s of a rank, where kernels were measured
  int together = 1;                  ///< ranks that were measured at the same time
  std::vector<double> core_speeds;   ///< of one, when 1, 2, … compute where kernels were measured
  double turn_seconds = 0.0;         ///< what a wait takes more where ranks share cores
  double beside_waiting = 1.0;       ///< times as long one computes there while others wait
  double pair_seconds = 0.0;         ///< where kernels go over all pairs of particles: of a step
                                     ///< on one rank alone, instead of `kernels`
  std::optional<PairTraffic> pairs;  ///< there, where it is known
  bool overlap = true;               ///< kernels run beside exchanges
  std::string output_source;         ///< where the times of output come from, in words
  std::vector<KernelSample> kernels;  ///< ascending by cells, at least one
  std::vector<ExchangeKind> exchanges;
  std::vector<StepsAtOnce> at_once;  ///< that ranks choose from, instead of these; `halo` is the
                                     ///< reach of one step then; empty: there is no choice
  std::vector<CollectiveKind> collectives;
  std::vector<OutputKind> outputs;
};

/// JSON from which `parse_profile` makes the same.
[[nodiscard]] std::string profile_text(const StepProfile& profile);
/// Throws an input error for what isn't a profile; `name`: of the file.
[[nodiscard]] StepProfile parse_profile(const std::string& text, const std::string& name);

}  // namespace cartwright::mapping
