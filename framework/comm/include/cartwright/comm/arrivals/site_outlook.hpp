// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/comm/arrivals/history.hpp>
#include <cartwright/comm/arrivals/synchronised_clock.hpp>
#include <cartwright/plan/arrivals/arrival_planner.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cartwright::comm {

/// What a rank tells the others of a site: plain words, in ns.
struct SiteReport {
  static constexpr std::size_t calls = 3;  ///< the last ones, of which medians count
  /// By the clock that all share.
  struct Call {
    std::int64_t begin = 0;  ///< it left what it had called before
    std::int64_t arrival = 0;
    std::int64_t exit = 0;  ///< `arrival`, where it isn't complete
  };

  std::int64_t busy = 0;       ///< forecast for the next call
  std::int64_t deviation = 0;  ///< how far that may be off
  std::int64_t plan = 0;       ///< a hash of what it goes by, to be the same on all ranks
  std::int64_t clock_error = 0;
  std::int64_t period = 0;  ///< between two calls of the communicator, lately
  std::array<Call, calls> last{};

  /// The history must have so many calls.
  [[nodiscard]] static SiteReport of(const History& history, const SynchronisedClock& clock);
};
inline constexpr std::size_t words_of_report = sizeof(SiteReport) / sizeof(std::int64_t);

/// What all ranks conclude from the same reports.
struct SiteOutlook {
  /// An arrival is the forecast busy time after the rank's exit from what it called before, as that
  /// has been lately: whom a plan lets go early comes early (Marendic 2016; digest's loop).
  plan::ArrivalForecast next;
  std::int64_t imbalance = 0;   ///< of the last calls: the last arrival behind the first
  std::int64_t after_last = 0;  ///< from the last arrival until all had left
  std::int64_t doubt = 0;       ///< half of how far these times of the calls lie apart
  bool is_complete = true;      ///< those calls had ended everywhere
  std::int64_t period = 0;      ///< of the slowest rank
  /// Mean distance of a former forecast from what came, where there was one.
  std::optional<std::int64_t> error{};
  bool plans_agree = true;

  /// By rank. `former`: what was expected of these calls; null: nothing.
  [[nodiscard]] static SiteOutlook of(std::span<const SiteReport> ranks,
                                      const plan::ArrivalForecast* former);
};

}  // namespace cartwright::comm
