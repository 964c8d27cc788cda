// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/kernels/sweep_trial.hpp>

namespace cartwright::grid {

/// Values that are stored past the caches leave the next level to what is read: blocks are for a
/// core's own then.
SweepTrial::SweepTrial(const StoreRule& stores, bool blocks_differ) {
  constexpr SweepManner past_caches{true, true};
  if (stores.past_caches) add(past_caches);
  if (!stores.past_caches || !stores.is_sure) {
    add({false, false});
    if (blocks_differ) add({true, false});
  }
  if (!stores.past_caches && !stores.is_sure) add(past_caches);
  if (count_ == 1) rounds_ = rounds_of_trial;
}

void SweepTrial::took(double seconds) noexcept {
  if (!is_under_way()) return;
  double& least = candidates_[next_].least;
  if (sweeps_ > 0) least = std::min(least, seconds);
  if (++sweeps_ < sweeps_of_turn) return;
  sweeps_ = 0;
  if (++next_ < count_) return;
  next_ = 0;
  if (++rounds_ == rounds_of_trial) next_ = quickest();
}

std::size_t SweepTrial::quickest() const noexcept {
  constexpr double clearly = 0.97;
  std::size_t best = 0;
  for (std::size_t i = 1; i < count_; ++i)
    if (candidates_[i].least < (best == 0 ? clearly : 1.0) * candidates_[best].least) best = i;
  return best;
}

}  // namespace cartwright::grid
