// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/decision.hpp>
#include <cartwright/grid/run/halo_statistics.hpp>
#include <cartwright/grid/run/run_state.hpp>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::grid {

/// A few steps on a small grid, from which --dry-run estimates the whole run; or none, for --check.
struct Sample {
  struct StorageNote {
    std::size_t bytes_per_point;
    int halo;   ///< that it has
    int reach;  ///< what one step reads of it
  };
  struct FieldNote {
    std::string name;
    std::size_t bytes_per_point;
    std::size_t output_bytes_per_point;
    std::size_t bytes = 0, output_bytes = 0;  ///< of particles: whatever the grid
  };
  std::vector<StorageNote> storages;  ///< all memory that the solver allocated for fields
  std::vector<FieldNote> fields;      ///< what checkpoints hold
  std::size_t output_only_bytes = 0;  ///< a point, of fields that checkpoints don't hold
  std::vector<SavedNumbers> numbers;  ///< what they hold besides
  bool only_checks = false;           ///< for --check: no step is made
  std::vector<long long> blocks;      ///< the least cells of a rank of the run, along each axis
  double share = 1.0;                 ///< cells of this grid over those of the run's
  double particles_scale = 1.0;       ///< particles of the run over those of this sample
  bool all_pairs = false;             ///< some stay where their identities are, for such forces
  std::optional<mapping::PairTraffic> pairs;  ///< then, as far as the solver tells
  std::size_t pictures = 0;                   ///< fields that pictures show
  double time_step = 0.0;
  long long last_step = 0;
  std::pair<std::string, std::string> course;  ///< how the run goes on, in words

  /// What the steps that were timed did on this rank: where their time went, by region, and what
  /// they said to other ranks, or would have said if there were any.
  struct Loop {
    long long steps = 0;
    double seconds = 0.0;
    std::map<std::string, double> regions;  ///< seconds
    std::vector<ExchangeCount> exchanges;
    std::vector<comm::CallCount> collectives;
  };
  Loop loop;
};

}  // namespace cartwright::grid
