// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/arrivals/history.hpp>
#include <cartwright/comm/arrivals/sampled_calls.hpp>
#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/selection/decision.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace cartwright::comm {

/// What makes calls of a communicator alike: what is called, and which calls came before, as branch
/// predictors know a branch. The same on all ranks, since all make the same calls; lines of the
/// source needn't be.
struct SiteKey {
  CallKey call;
  int root = 0;
  std::uint64_t before = 0;  ///< a hash of the three calls before
  friend bool operator==(const SiteKey&, const SiteKey&) = default;
};

/// Calls of one key, on one rank.
struct Site {
  SiteKey key;
  std::size_t number = 0;  ///< in the order in which sites were first met: the same on all ranks
  Call last;               ///< without buffers and lists
  plan::Count bytes = 0;   ///< of its vector, or of all its blocks; of the last one that was found
  History history{};
  SampledCalls sampled{};

  // Of the table: how calls follow each other.
  std::array<std::uint64_t, 3> passed{};  ///< hashes of this one's call and those before
  Site* next = nullptr;                   ///< what was called after it the last time
};

/// The sites of a communicator. Calls that come round again, as those of a loop do, are found by
/// what followed the last time, in some ns.
class SiteTable {
 public:
  /// A program whose calls never repeat has no more; the rest is one site.
  static constexpr std::size_t most = 512;

  explicit SiteTable(int ranks) : ranks_(ranks) { (void)add({}, {}); }

  /// Of the next call of this communicator.
  [[nodiscard]] Site& next(const Call& call) {
    Site* const expected = last_->next;
    if (expected != nullptr && is_as(expected->last, call)) [[likely]]
      return *(last_ = expected);
    return find(call);
  }
  /// In the order of their numbers; the first is none: where the program begins.
  [[nodiscard]] const std::deque<Site>& all() const noexcept { return sites_; }
  [[nodiscard]] std::deque<Site>& all() noexcept { return sites_; }
  /// Whether a site stands for all sorts of calls.
  [[nodiscard]] static bool is_mixed(const Site& site) noexcept { return site.number >= most; }

 private:
  struct Hash {
    std::size_t operator()(const SiteKey& key) const noexcept;
  };

  /// Then the keys are the same; not the other way round.
  [[nodiscard]] static bool is_as(const Call& a, const Call& b) noexcept {
    return a.operation == b.operation && a.count == b.count && a.element.size == b.element.size &&
           a.root == b.root && a.waiting == b.waiting && a.reduction.exact == b.reduction.exact &&
           a.reduction.commutes == b.reduction.commutes && !a.has_uneven_blocks() &&
           !b.has_uneven_blocks();
  }
  [[nodiscard]] Site& find(const Call& call);
  [[nodiscard]] Site& add(const SiteKey& key, const Call& call);

  int ranks_;
  std::deque<Site> sites_;  // stay where they are
  std::unordered_map<SiteKey, Site*, Hash> known_;
  Site* last_ = nullptr;
};

}  // namespace cartwright::comm
