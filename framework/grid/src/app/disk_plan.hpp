// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/grid/run/sample.hpp>
#include <string>

namespace cartwright::grid {

/// What a run writes, and how often.
struct Disk {
  long long outputs = 0, bytes_an_output = 0;
  long long checkpoints = 0, bytes_a_checkpoint = 0;  ///< that are kept at the end
  long long checkpoints_written = 0;
  long long pictures = 0, bytes_a_picture = 0, bytes_a_slice = 0;

  [[nodiscard]] long long bytes() const;
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] Disk disk_of(const RunRequest& request, const Sample& sample);

}  // namespace cartwright::grid
