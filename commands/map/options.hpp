// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cartwright::command {

/// What `cartwright map` is asked for, as it was written.
struct MapOptions {
  std::string dims;     ///< 24x24
  std::string extents;  ///< cells along each axis, from which the process grid is chosen
  long long ranks = 0;  ///< 0: as many as dims hold
  std::string periodic;
  std::string machine;
  std::string nodes;  ///< 4, or 5x8,2x4
  int ranks_per_node = 0;
  std::vector<double> weights;
  std::vector<long long> face_bytes;
  long long line_bytes = 1 << 20;
  double effort = 1.0;
  bool compare = false;
  bool simulate = false;
  bool no_picture = false;
  std::string picture;  ///< SVG
  std::string json;     ///< "-" is standard output
};

/// Tasks on the nodes of the Slurm allocation in which this runs; null outside of one.
const char* slurm_tasks();

/// Answers --help by itself. Nothing: the program is to end with the code `exit_code`.
std::optional<MapOptions> parse_map_options(int argc, char** argv, int& exit_code);

}  // namespace cartwright::command
