// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/trace.hpp>

namespace cartwright::grid {

/// What the timeline and the report call the phases of an exchange, and the exchange itself: its
/// own time is what none of them takes.
struct HaloRegions {
  explicit HaloRegions(rt::Trace& trace)
      : exchange(trace.region("exchange")),
        plan(trace.region("halo plans")),
        pack(trace.region("halo pack")),
        boundary(trace.region("boundary")),
        interior(trace.region("kernel interior")),
        wait(trace.region("halo wait")),
        unpack(trace.region("halo unpack")),
        shell(trace.region("kernel shell")) {}

  rt::RegionId exchange, plan, pack, boundary, interior, wait, unpack, shell;
};

}  // namespace cartwright::grid
