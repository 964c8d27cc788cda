// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/calls/blocks.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::comm {

Blocks Blocks::balanced(int ranks, plan::Count total) {
  const auto cuts = plan::Cuts::balanced(ranks, total);
  Blocks blocks;
  for (int rank = 0; rank <= ranks; ++rank) blocks.offsets_.push_back(cuts.offset(rank));
  return blocks;
}

Blocks Blocks::at_root(Blocks of_all) {
  of_all.known_at_root_only_ = true;
  return of_all;
}

Blocks Blocks::away_from_root(int ranks, int rank, plan::Count mine) {
  Blocks blocks;
  blocks.offsets_.push_back(0);
  for (int other = 0; other < ranks; ++other) blocks.add(other == rank ? mine : 0);
  blocks.known_at_root_only_ = true;
  return blocks;
}

void Blocks::add(plan::Count count) {
  if (count < 0) {
    throw rt::internal_failure(fmt::format("the block of rank {} of a collective has {} elements",
                                           offsets_.size() - 1, count));
  }
  offsets_.push_back(offsets_.back() + count);
}

}  // namespace cartwright::comm
