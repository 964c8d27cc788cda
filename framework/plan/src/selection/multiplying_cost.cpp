// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/selection/multiplying_cost.hpp>

#include <stdexcept>

namespace cartwright::plan {

namespace {

std::int64_t remainders_in_a_group(const Stage& stage) {
  return (std::int64_t{stage.remainders} + stage.groups - 1) / stage.groups;
}

}  // namespace

MultiplyingParameters multiplying_parameters(double c) {
  return {.pipelining_latency = picoseconds(c), .required_latency = picoseconds(1.0)};
}

MultiplyingParameters multiplying_parameters(const Network& network, Count bytes) {
  return {.bytes = bytes,
          .pipelining_latency = picoseconds(network.latency.at(bytes)),
          .required_latency = picoseconds(network.send_overhead.at(bytes)),
          .transfer = picoseconds(network.byte_time.at(bytes) * static_cast<double>(bytes))};
}

MultiplyingParameters multiplying_parameters(const Machine& machine, Count bytes) {
  if (machine.levels.empty())
    throw std::invalid_argument("machine '" + machine.name + "' has no level");
  auto parameters = multiplying_parameters(machine.levels.front().network, bytes);
  parameters.combine_overhead = picoseconds(machine.reduce_overhead + machine.stage_overhead);
  parameters.combine = picoseconds(machine.reduce_byte_time * static_cast<double>(bytes));
  return parameters;
}

void require_physical(const MultiplyingParameters& p) {
  if (p.required_latency <= 0 || p.pipelining_latency < 0 || p.transfer < 0 ||
      p.combine_overhead < 0 || p.combine < 0)
    throw std::invalid_argument("recursive multiplying can't be planned with a_p = " +
                                std::to_string(p.pipelining_latency) +
                                " ps, a_r = " + std::to_string(p.required_latency) +
                                " ps: a_r must be above zero and no other time below it");
}

Picoseconds stage_time(const Stage& stage, const MultiplyingParameters& p) {
  const Picoseconds factor = p.fixed() + (stage.factor - 1) * p.each();
  switch (stage.kind) {
    case StageKind::factor:
      return factor;
    case StageKind::merge:
      return factor + p.required_latency + remainders_in_a_group(stage) * p.combine;
    case StageKind::inverse_merge:
      return factor + remainders_in_a_group(stage) * p.required_latency;
    case StageKind::collapse:
      return p.fixed() + p.required_latency + (stage.base - 1) * p.combine;
    case StageKind::expand:
      return p.pipelining_latency + p.transfer + (stage.base - 1) * p.required_latency;
  }
  return 0;
}

Picoseconds stages_time(const Stages& stages, const MultiplyingParameters& parameters) {
  Picoseconds sum = 0;
  for (const Stage& stage : stages) sum += stage_time(stage, parameters);
  return sum;
}

std::int64_t stages_messages(const Stages& stages, int ranks) {
  const auto folded = [](const Stage& stage) {
    return std::int64_t{stage.threshold / stage.base} * (stage.base - 1);
  };
  std::int64_t core = ranks;
  for (const Stage& stage : stages) {
    if (stage.kind == StageKind::merge) core -= stage.remainders;
    if (stage.kind == StageKind::collapse) core -= folded(stage);
  }
  std::int64_t sum = 0;
  for (const Stage& stage : stages) {
    if (stage.kind == StageKind::collapse || stage.kind == StageKind::expand)
      sum += folded(stage);
    else
      sum += core * (stage.factor - 1) + std::int64_t{stage.remainders} * stage.factor;
  }
  return sum;
}

}  // namespace cartwright::plan
