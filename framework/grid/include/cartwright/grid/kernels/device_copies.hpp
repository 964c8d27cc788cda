// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/device_memory.hpp>

namespace cartwright::grid {

/// How collectives and epochs reach what lies where kernels run:
/// `comm::on_device(comm::in_view(view), grid::device_copies)`. A copy waits for the kernels that
/// were begun before it.
extern const comm::DeviceCopies device_copies;

}  // namespace cartwright::grid
