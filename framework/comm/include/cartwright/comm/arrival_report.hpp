// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/report.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::comm {

/// When the ranks came to the calls of a site, over a whole run, from some of its calls. Times in
/// s. Definitions: Marendic 2016, section 3; what isn't absorbed is time that the others' lateness
/// costs beyond the lateness itself.
struct ArrivalSummary {
  std::string name;  ///< "reduce, 4 MiB": for people; the first rank's line of the source
  std::string site;  ///< "solver.cpp:42"
  std::uint64_t calls = 0;
  double imbalance = 0;   ///< of the last arrival against the first, mean
  double after_last = 0;  ///< from the last arrival until all have left, mean
  double whole = 0;       ///< from the first arrival until all have left, mean
  /// What it takes when all come together: the least that was seen of calls that were balanced.
  std::optional<double> balanced{};
  /// Share of the imbalance that was hidden behind work: 0 none, 1 all. Nothing is known of it
  /// where no call was balanced.
  std::optional<double> absorbed{};
  /// Of arrivals, where they are forecast; else of a rank's busy time before a call. Mean of the
  /// ranks.
  double forecast_error = 0;
  /// What a call takes less now than the usual way did, where plans for arrivals are made.
  std::optional<double> gained{};
  std::vector<double> lateness{};  ///< by rank: behind the first arrival, mean
  std::vector<double> busy{};      ///< by rank: between the call before and this one, mean

  [[nodiscard]] int latest_rank() const;
  /// What a call would gain if the same work were spread evenly: the part of the lateness that
  /// doesn't change from call to call. Moving work gains that; another order of messages at most
  /// `after_last`.
  [[nodiscard]] double gain_of_moving_work() const;
};

/// Collective: of the `most` sites that took the most time, the costliest first, and of as many
/// reductions behind them; the same on all ranks. Empty where nobody watches.
[[nodiscard]] std::vector<ArrivalSummary> summarize_arrivals(const Collectives& collectives,
                                                             std::size_t most = 8);

/// Collective. Adds the section "arrivals", if anything was watched.
void report_arrivals(rt::Report& report, const Collectives& collectives);

}  // namespace cartwright::comm
