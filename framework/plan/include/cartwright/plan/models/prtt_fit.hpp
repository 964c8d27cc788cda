// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/fit.hpp>
#include <cartwright/plan/models/log_gp.hpp>
#include <span>
#include <string>
#include <vector>

namespace cartwright::plan::fits {

/// PRTT(n, d, s), the parametrised round trip (Hoefler 2007; Viertel 2007, 4.1.2): one side sends
/// `messages` messages of `bytes`, busy for `delay` between them; the other answers once, after the
/// last. Seconds.
struct RoundTripSample {
  int messages;
  double delay;
  Count bytes;
  double time;
};

/// How the samples were taken.
struct RoundTripSetting {
  Count reply_bytes = 0;  ///< of the answer; 0: as large as the messages
  int credits = 0;        ///< receives that the other side has posted; 0: as many as messages
};

/// What the model says: 2 (L + o_s + o_r) + (s - 1) G + (reply - 1) G + (n - 1) max{o_s + d, g +
/// (s - 1) G}.
double round_trip_time(const formulas::LogGp& model, int messages, double delay, Count bytes,
                       const RoundTripSetting& setting = {});

/// Parameters from such samples. Both overheads are taken as equal: a round trip can't tell them
/// apart.
struct RoundTripFit {
  formulas::LogGp model;
  /// Lines of y(s) over s - 1, intercept g and slope G: one for each protocol (eager, rendezvous);
  /// `model` has the first.
  std::vector<Piece> gaps;
  std::vector<Count> sizes;   ///< bytes of the points that `gaps` go through
  std::vector<Count> limits;  ///< bytes of the first message after each change of protocol
  int hidden_sizes = 0;       ///< sizes left out since the overhead hides the gap there
  std::string refusal;        ///< why the parameters mean nothing; empty if they do

  [[nodiscard]] bool usable() const { return refusal.empty(); }
};

/// Medians of the samples, then: o = (PRTT(n,d,s) - PRTT(1,0,s)) / (n-1) - d where d ≥ PRTT(1,0,s)
/// (so the gap is hidden); y(s) = (PRTT(n,0,s) - PRTT(1,0,s)) / (n-1), of which sizes where y is no
/// larger than o say nothing of the gap; pieces of lines through the rest, each point within
/// `tolerance`; L from the smallest PRTT(1,0,s) less overheads and bytes. Bursts beyond the
/// credits time flow control and are refused.
RoundTripFit fit_round_trips(std::span<const RoundTripSample> samples,
                             const RoundTripSetting& setting = {}, double tolerance = 0.05);

/// L from a round trip of one byte and overheads measured one by one (Viertel 2007, 4.1.3):
/// RTT / 2 - o_s - o_r. Netgauge's "L" is RTT / 2 and has the overheads in it.
double latency_of_round_trip(double round_trip, double send_overhead, double receive_overhead);

}  // namespace cartwright::plan::fits
