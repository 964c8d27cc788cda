// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/grid/app/region_parts.hpp>

namespace cartwright::grid {
namespace {

using mapping::RunPart;

struct RegionPart {
  std::string_view region;
  std::optional<RunPart> part;
};

constexpr std::array region_parts{
    RegionPart{"boundary", RunPart::boundary},
    RegionPart{"halo pack", RunPart::halo},
    RegionPart{"halo unpack", RunPart::halo},
    RegionPart{"halo wait", RunPart::halo},
    RegionPart{"reduce across ranks", RunPart::reductions},
    RegionPart{"exchange", RunPart::loop},
    RegionPart{"between steps", RunPart::loop},
    RegionPart{"stop control", RunPart::loop},
    RegionPart{"output", RunPart::output},
    RegionPart{"fields for output", RunPart::output},
    RegionPart{"pictures", RunPart::output},
    RegionPart{"render", RunPart::output},
    RegionPart{"render: values", RunPart::output},
    RegionPart{"render: cast rays", RunPart::output},
    RegionPart{"render: composite", RunPart::output},
    RegionPart{"render: picture file", RunPart::output},
    RegionPart{"checkpoint", RunPart::output},
    RegionPart{"diagnostics", RunPart::output},
    RegionPart{"energies", RunPart::output},
    RegionPart{"check for NaN", RunPart::output},
    RegionPart{"start-up", {}},
    RegionPart{"grid and mapping", {}},
    RegionPart{"memory of fields", {}},
    RegionPart{"halo plans", {}},
    RegionPart{"initial data", {}},
    RegionPart{"restart", {}},
    RegionPart{"before the steps", {}},
    RegionPart{"linear solver set-up", {}},
    RegionPart{"final report", {}},
};

}  // namespace

std::optional<mapping::RunPart> part_of_region(std::string_view region) {
  const auto* const found = std::ranges::find(region_parts, region, &RegionPart::region);
  return found == region_parts.end() ? RunPart::kernels : found->part;
}

}  // namespace cartwright::grid
