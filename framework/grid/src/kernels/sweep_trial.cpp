// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/grid/kernels/sweep_trial.hpp>

namespace cartwright::grid {
namespace {

constexpr int rounds_of_trial = 2;
/// Of each candidate in a round. The first ones find in the caches what another has left there, and
/// don't count: of two fields of 16 MiB the third sweep took 1.3 times as long as the eighth (a
/// Xeon of 2023).
constexpr int sweeps_of_turn = 6, sweeps_before = 3;

/// The share of the supposed manner's time from which on another one is kept. Near the size of a
/// cache it takes more sweeps than a turn has until values are back there (two fields of 31 MiB on
/// a core with 66: 4.3 ms in the trial, 3.3 at last), so passing it must gain more.
double share_that_pays(const SweepManner& manner) {
  return manner.past_caches ? 0.9 : 0.97;
}

}  // namespace

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
  is_under_way_ = count_ > 1;
}

int SweepTrial::most_sweeps() noexcept {
  return rounds_of_trial * sweeps_of_turn * static_cast<int>(most_candidates);
}

void SweepTrial::took(double seconds) noexcept {
  if (!is_under_way_) return;
  double& least = candidates_[next_].least;
  if (sweeps_ >= sweeps_before) least = std::min(least, seconds);
  if (++sweeps_ < sweeps_of_turn) return;
  sweeps_ = 0;
  if (++next_ < count_) return;
  next_ = 0;
  if (++rounds_ < rounds_of_trial) return;
  next_ = quickest();
  is_under_way_ = false;
}

std::size_t SweepTrial::quickest() const noexcept {
  std::size_t best = 0;
  double least = candidates_.front().least;
  for (std::size_t i = 1; i < count_; ++i) {
    const double judged = candidates_[i].least / share_that_pays(candidates_[i].manner);
    if (judged < least) best = i, least = judged;
  }
  return best;
}

}  // namespace cartwright::grid
