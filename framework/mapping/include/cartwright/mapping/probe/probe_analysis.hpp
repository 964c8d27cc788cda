// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/probe_samples.hpp>
#include <cartwright/plan/models/burst_fit.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/models/multicast_fit.hpp>
#include <cartwright/plan/models/ping_pong_fit.hpp>
#include <cartwright/plan/models/prtt_fit.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// What so many pairs reach at the same time.
struct PairsPoint {
  int pairs;
  double value;
};

/// All fits of one level, through quiet times: lower quartiles of the samples. Each says itself
/// whether it means something.
struct LevelFits {
  std::string name;
  std::vector<plan::fits::RoundTrip> round_trips;  ///< quiet times of one pair at a time, by size
  plan::fits::HockneyFit hockney;
  std::vector<plan::fits::RoundTripSample> parametrised_samples;
  plan::fits::RoundTripFit log_gp;
  std::vector<plan::fits::BurstSample> burst_samples;
  plan::fits::BurstFit log_fp;
  std::vector<plan::fits::MulticastSample> multicast_samples;
  plan::fits::PipelinedFit pipelined;
  double window_bandwidth = 0.0;     ///< B/s, one way, the best of all sizes; 0: not measured
  double both_ways_bandwidth = 0.0;  ///< B/s, the sum of both directions
  plan::Count pairs_bytes = 0;       ///< of the messages of the next two
  std::vector<PairsPoint> pairs_bandwidth;  ///< B(j) = 2 j m / RTT(j), B/s
  std::vector<PairsPoint> pairs_window;     ///< the same of windows
  std::vector<PairsPoint> pairs_latency;    ///< half a round trip of a small message, s

  plan::Network network;           ///< what the machine is described with
  std::string model;               ///< its name
  double error = 0.0;              ///< mean of |ln(predicted / measured round trip)|
  std::vector<std::string> notes;  ///< what was refused, and why; what stands for it

  /// B_max / B(1); 0 if not measured.
  [[nodiscard]] double channels() const;
};

struct ProbeAnalysis {
  plan::Machine machine;
  std::vector<LevelFits> levels;
  std::vector<std::string> notes;
  int unsettled = 0;  ///< records that were stopped before their confidence interval was narrow
};

/// The fits of one level, by its number in the hierarchy.
[[nodiscard]] LevelFits fit_level(const ProbeSamples& samples, std::size_t number);

/// With which model a machine is described.
enum class ProbeModel { automatic, hockney, loggp, pipelined };

/// A machine from samples alone. Every level gets a model that is physical. Automatic: LogGP where
/// its fit stands and predicts round trips nearly as well as Hockney's; else Hockney's, where it
/// does so within a factor of 1.5; else what was measured, as a bandwidth for each size. A model
/// that was asked for is taken wherever its fit stands. Throws an input error if a level has no
/// round trips.
[[nodiscard]] ProbeAnalysis analyse(const ProbeSamples& samples,
                                    ProbeModel model = ProbeModel::automatic);
/// All fits of all levels for programs, as JSON: parameters in seconds and bytes, or the reason of
/// a refusal.
[[nodiscard]] std::string fits_text(const ProbeAnalysis& analysis);

/// A round trip of a message there and the same back.
[[nodiscard]] double round_trip_on(const plan::Network& network, plan::Count bytes);

}  // namespace cartwright::mapping
