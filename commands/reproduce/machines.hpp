// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/machine.hpp>
#include <string>

namespace cartwright::reproduce {

/// A machine of inputs/machines.
plan::Machine machine_named(const std::string& name);

}  // namespace cartwright::reproduce
