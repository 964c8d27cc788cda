// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/network.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cartwright::plan {

/// Total bytes per second that j concurrent messages reach, j = 1, 2, …; beyond the last as the
/// last.
struct Concurrency {
  std::vector<double> bandwidth;  ///< [j - 1]

  [[nodiscard]] bool limited() const { return !bandwidth.empty(); }
  [[nodiscard]] double at(int messages) const {
    const auto last = static_cast<int>(bandwidth.size());
    return bandwidth[static_cast<std::size_t>((messages < last ? messages : last) - 1)];
  }
};

/// One level of a hierarchical machine: units of one kind, and how two of them in the same unit
/// above talk.
struct Level {
  std::string name;  ///< of a unit: "node", "socket", "core"
  int units = 0;     ///< in each unit of the level above; 0 at the outermost: as many as it takes
  Network network;   ///< between ranks in different units of this level and the same unit above
  int ports = 1;     ///< messages of this level that a rank can inject at the same time
  Concurrency
      leaving;  ///< messages of this level that leave one unit share this; none: they don't share
  /// All messages that stay inside one unit share this, whatever they cross in there; none: they
  /// don't. Levels further in share nothing else then: a message goes through one channel at most.
  Concurrency inside = {};
};

/// A machine as levels from the outermost in; the units of the innermost hold one rank each.
struct Machine {
  std::string name;
  std::string about;
  std::string source;  ///< where the numbers come from
  std::vector<Level> levels;
  double reduce_overhead =
      0;  ///< s, of the combining of one stage (consecutive combines count as one)
  double reduce_byte_time = 0;  ///< s per byte that is combined (γ)
  double copy_byte_time = 0;    ///< s per byte that is copied (κ)
  /// s, after a rank's last receive of each round, whatever becomes of the data: what the simulator
  /// of Rüfenacht 2020 computes in each stage, in place of reduce_overhead.
  double stage_overhead = 0;
  /// Bytes per second that 1, 2, 3… cores of a node read and write together, from memory; none: not
  /// known.
  Concurrency memory = {};
  std::int64_t cache_of_core = 0;  ///< bytes, its share of shared ones included; 0: not known
  /// The same of 1, 2, 3… nodes that write files; none: not known.
  Concurrency files = {};
  double file_time = 0;  ///< s, of a file besides its bytes

  /// Ranks in one unit of a level. Of the outermost: of one of its units.
  [[nodiscard]] int ranks_in_unit(std::size_t level) const {
    int ranks = 1;
    for (std::size_t l = level + 1; l < levels.size(); ++l) ranks *= levels[l].units;
    return ranks;
  }
};

/// The level at which two ranks part: the outermost whose units differ. Ranks fill units in order
/// (block placement). Two equal ranks: levels.size().
std::size_t parting_level(const Machine& machine, int a, int b);

/// A bandwidth that messages share.
struct SharedChannel {
  const Concurrency* bandwidth = nullptr;  ///< none: they share nothing
  std::size_t owner = 0;                   ///< the level whose units have one each
};

/// What messages of a level share: what leaves their unit, else what is inside of a unit around.
SharedChannel channel_of(const Machine& machine, std::size_t level);

/// Throws std::invalid_argument when a machine has no levels, or messages of one go through two
/// channels.
void check_levels(const Machine& machine);

}  // namespace cartwright::plan
