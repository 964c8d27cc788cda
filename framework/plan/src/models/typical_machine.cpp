// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/models/typical_machine.hpp>

namespace cartwright::plan {

Machine typical_machine(int ranks_of_node) {
  Machine machine{.name = "typical", .about = "round numbers", .source = "estimate", .levels = {}};
  machine.levels.push_back({.name = "node",
                            .network = log_gp(1.5e-6, 0.3e-6, 0.3e-6, 0.3e-6, 1.0 / 12e9),
                            .leaving = {}});
  machine.levels.push_back({.name = "core",
                            .units = ranks_of_node,
                            .network = log_gp(0.3e-6, 0.1e-6, 0.1e-6, 0.1e-6, 1.0 / 10e9),
                            .leaving = {}});
  machine.reduce_byte_time = 1.0 / 20e9;
  machine.copy_byte_time = 1.0 / 20e9;
  return machine;
}

}  // namespace cartwright::plan
