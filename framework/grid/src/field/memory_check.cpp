// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/run/app.hpp>

namespace cartwright::grid {

void GridBase::require_memory_for(double bytes, const std::string& field) const {
  require_memory(comm(), bytes, fmt::format("field '{}' needs", field),
                 "Use a smaller grid or more nodes; --dry-run says what a run needs.");
}

}  // namespace cartwright::grid
