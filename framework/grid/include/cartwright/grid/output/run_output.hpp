// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/block.hpp>
#include <filesystem>
#include <optional>
#include <string>

namespace cartwright::grid {

/// What a dataset of a run's output says of itself.
struct OutputDataset {
  std::array<long long, 3> points{1, 1, 1};  ///< of the whole field, x first
  int dimensions = 0;                        ///< of its shape, without components
  int components = 1;
  Centring centring = Centring::cell;
  std::string unit;
  std::optional<std::array<double, 3>> length, origin;  ///< of a 3-D grid, where the file tells
  long long step = 0;
  double time = 0;
};

/// The file of the newest step, or of `step`, that a run has written into the directory of its
/// results; a file is taken as it is. Local. Throws an input error that says which steps there are.
[[nodiscard]] std::filesystem::path output_file(const std::filesystem::path& given,
                                                std::optional<long long> step);

/// Local. Throws an input error that names the datasets there are. A shape of four axes has
/// components along the last one.
[[nodiscard]] OutputDataset describe_output(const std::filesystem::path& file,
                                            const std::string& dataset);

}  // namespace cartwright::grid
