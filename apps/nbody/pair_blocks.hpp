// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <string>

#include "gravity_kernel.hpp"
#include "pack.hpp"

namespace nbody {

/// What blocks of so many sources do to all targets, a pack of these at a time, on the host's
/// threads. `of_block(target, begin, end)` finds what the sources from `begin` up to before `end`
/// do to the pack at these places; `count(parts, first, lanes)` adds that to the sums of the
/// targets in its first lanes, `first` and those behind it.
template <class OfBlock, class Count>
void add_by_blocks(const std::string& name, const Bodies& targets, std::size_t sources,
                   const OfBlock& of_block, const Count& count) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const auto packs =
      static_cast<std::ptrdiff_t>((targets.size() + Pack::size() - 1) / Pack::size());
  Kokkos::parallel_for(
      name, Kokkos::RangePolicy<Host, Kokkos::IndexType<std::ptrdiff_t>>(0, packs),
      [&](std::ptrdiff_t pack) {
        const std::size_t first = static_cast<std::size_t>(pack) * Pack::size();
        const std::size_t lanes = std::min(Pack::size(), targets.size() - first);
        std::array<Pack, 3> target;
        for (std::size_t axis = 0; axis < 3; ++axis)
          target[axis] = Pack([&](std::size_t lane) {
            return targets.x[axis][first + std::min<std::size_t>(lane, lanes - 1)];
          });
        for (std::size_t begin = 0; begin < sources; begin += block_of_sources)
          count(of_block(target, begin, std::min(begin + block_of_sources, sources)), first, lanes);
      });
  Host().fence();
}

}  // namespace nbody
