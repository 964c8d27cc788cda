// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>

namespace cartwright::grid {

/// Whether a sweep stores its new values past the caches, or so it is supposed.
struct StoreRule {
  bool past_caches = false;
  bool is_sure = true;
  friend bool operator==(const StoreRule&, const StoreRule&) = default;
};

/// Kernels, and sweeps of such, that can do both.
template <class T>
concept StoresEitherWay = requires(T thing) {
  { thing.stores() } -> std::same_as<StoreRule>;
  thing.store_past_caches(true);
};

/// How a sweep goes over a block, and where what it makes goes.
struct SweepManner {
  bool in_own_cache = false;  ///< planes stay in a core's own cache, not in any it has a share of
  bool past_caches = false;
  friend bool operator==(const SweepManner&, const SweepManner&) = default;
};

/// In which manner a sweep is quickest is found out in its first turns. Nobody can know: a step of
/// heat of 512³ takes 0.83 of its time in blocks for the own cache on one processor (2 MiB), 1.1 on
/// another (1 MiB); and virtual machines show caches whose most others use. The same bits.
class SweepTrial {
 public:
  /// `blocks_differ`: planes are cut in one way for a core's own cache, in another for the rest.
  SweepTrial(const StoreRule& stores, bool blocks_differ);

  /// Of any trial.
  [[nodiscard]] static int most_sweeps() noexcept;

  /// Of the next sweep.
  [[nodiscard]] const SweepManner& manner() const noexcept { return candidates_[next_].manner; }
  /// How long it took.
  void took(double seconds) noexcept;
  [[nodiscard]] bool is_under_way() const noexcept { return is_under_way_; }

 private:
  struct Candidate {
    SweepManner manner;
    double least = std::numeric_limits<double>::infinity();
  };
  void add(const SweepManner& manner) noexcept { candidates_[count_++].manner = manner; }
  [[nodiscard]] std::size_t quickest() const noexcept;

  static constexpr std::size_t most_candidates = 3;
  std::array<Candidate, most_candidates> candidates_;  ///< the first: supposed to be quickest
  std::size_t count_ = 0;
  std::size_t next_ = 0;  ///< behind the trial: the quickest
  int sweeps_ = 0;        ///< of this turn
  int rounds_ = 0;
  bool is_under_way_ = true;
};

}  // namespace cartwright::grid
