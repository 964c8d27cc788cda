// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/stages.hpp>
#include <cartwright/plan/cuts.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/models/network.hpp>
#include <cartwright/plan/models/time.hpp>

#include <cstdint>

namespace cartwright::plan {

/// What the stages of recursive multiplying consist of, for messages of one size, in the pipelined
/// latency-bandwidth model: b messages sent one behind the other take a_p + b a_r + n β (Rüfenacht
/// 2020, 4.4-4.6). In picoseconds: costs are sums of integers, so that equal ones are equal and all
/// ranks with the same parameters choose the same stages.
struct MultiplyingParameters {
  Count bytes = 0;                     ///< of a message
  Picoseconds pipelining_latency = 0;  ///< a_p
  Picoseconds required_latency = 0;    ///< a_r
  Picoseconds transfer = 0;            ///< n β
  Picoseconds combine_overhead = 0;    ///< once in a stage in which something is combined
  Picoseconds combine = 0;             ///< n γ, for each application of the operator

  /// What a stage of f costs: fixed() + (f - 1) each().
  [[nodiscard]] Picoseconds fixed() const {
    return pipelining_latency + transfer + combine_overhead;
  }
  [[nodiscard]] Picoseconds each() const { return required_latency + combine; }
};

/// The parameters in which only c = a_p / a_r counts: a_r is a second.
MultiplyingParameters multiplying_parameters(double c);
/// Messages of `bytes` bytes in a network whose latency is a_p and whose send overhead is a_r
/// (`pipelined`).
MultiplyingParameters multiplying_parameters(const Network& network, Count bytes);
/// The same between units of a machine's outermost level, with the machine's times of combining.
MultiplyingParameters multiplying_parameters(const Machine& machine, Count bytes);

/// Throws std::invalid_argument where nothing can be planned with: a_r must be above zero, all else
/// at least zero. (Fits to measured bursts of long messages do give such numbers.)
void require_physical(const MultiplyingParameters& parameters);

/// The time of one stage on the rank that it takes longest. Not simulated: the stages of different
/// ranks may overlap around collapse, expand and merges, where the sum over the stages is an upper
/// bound.
///
///     aF      a_p + (F - 1) a_r              F - 1 applications of the operator
///     mRgGaF  a_p + F a_r                    F - 1 + ceil(R/G)
///     nRgGaF  a_p + (F - 1 + ceil(R/G)) a_r  F - 1
///     cTmM    a_p + a_r                      M - 1
///     eTmM    a_p + (M - 1) a_r              none
///
/// each plus n β, and plus the times of combining where something is combined.
Picoseconds stage_time(const Stage& stage, const MultiplyingParameters& parameters);

/// The sum over the stages.
Picoseconds stages_time(const Stages& stages, const MultiplyingParameters& parameters);

/// Messages that all ranks together send, in stages for so many ranks: K (F - 1) in a factor stage
/// of K ranks, R F more in a merge or an inverse merge, (T / M)(M - 1) in collapse and expand.
std::int64_t stages_messages(const Stages& stages, int ranks);

}  // namespace cartwright::plan
