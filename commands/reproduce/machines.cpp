// SPDX-License-Identifier: Apache-2.0
#include "machines.hpp"

#include <cartwright/mapping/machine/machine_file.hpp>

namespace cartwright::reproduce {

plan::Machine machine_named(const std::string& name) {
  return mapping::read_machine(mapping::find_machine(name, CARTWRIGHT_INPUTS "/machines"));
}

}  // namespace cartwright::reproduce
