// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/predict.hpp>
#include <limits>
#include <utility>

#include "line_messages.hpp"
#include "step_load.hpp"

namespace cartwright::mapping {

namespace {

/// Steps that follow each other; those of a chain are one, which is repeated.
struct Run {
  /// Steps of the chains along one axis before the last rank has the first segment.
  struct Filling {
    StepLoad step;
    int hops;
  };
  std::vector<StepLoad> steps;
  std::vector<Filling> fillings;  // of a chain, by axis

  [[nodiscard]] LimitedTime time(const NodeChannels& channels, LineTree tree, double bytes,
                                 double segment) const {
    LimitedTime sum;
    double longest_part = -1.0;
    for (const StepLoad& step : steps) {
      LimitedTime part = step.time(channels, tree == LineTree::chain ? segment : bytes);
      if (tree == LineTree::chain) part.seconds *= bytes / segment;
      sum.seconds += part.seconds;
      if (part.seconds > longest_part) sum.limit = part.limit;
      longest_part = std::max(longest_part, part.seconds);
    }
    double filling = 0.0;
    for (const auto& [step, hops] : fillings)
      filling = std::max(filling, hops * step.time(channels, segment).seconds);
    sum.seconds += filling;
    return sum;
  }
};

using Messages = std::vector<std::vector<GridMessage>>;

Run run_of(const NodeMap& map, const Messages& messages) {
  Run run;
  run.steps.reserve(messages.size());
  for (const auto& step : messages) run.steps.emplace_back(map, step);
  return run;
}

void add_beside(Messages& all, Messages more) {
  if (all.size() < more.size()) all.resize(more.size());
  for (std::size_t step = 0; step < more.size(); ++step) {
    all[step].insert(all[step].end(), more[step].begin(), more[step].end());
  }
}

std::vector<Run> runs_of(const NodeMap& map, const AxisSchedule& schedule,
                         const std::vector<std::size_t>& axes) {
  std::vector<Run> runs;
  Messages together;
  std::vector<Run::Filling> fillings;
  for (const std::size_t axis : axes) {
    const int extent = map.shape.dims[axis];
    if (extent < 2) continue;
    auto messages = line_messages(map, axis, schedule.tree);
    if (schedule.tree == LineTree::chain)
      fillings.push_back({StepLoad(map, messages.front()), extent - 2});
    if (schedule.overlapped) {
      add_beside(together, std::move(messages));
    } else {
      runs.push_back(run_of(map, messages));
      runs.back().fillings = std::exchange(fillings, {});
    }
  }
  if (!together.empty()) {
    runs.push_back(run_of(map, together));
    runs.back().fillings = std::move(fillings);
  }
  return runs;
}

AxisPrediction time_of(const std::vector<Run>& runs, const NodeChannels& channels,
                       const AxisSchedule& schedule, double bytes) {
  AxisPrediction prediction{.schedule = schedule};
  double longest = -1.0;
  for (const Run& run : runs) {
    const LimitedTime part = run.time(channels, schedule.tree, bytes, schedule.segment);
    prediction.seconds += part.seconds;
    if (part.seconds > longest) prediction.limit = part.limit;
    longest = std::max(longest, part.seconds);
  }
  return prediction;
}

AxisPrediction predict(const NodeMap& map, const NodeChannels& channels, AxisSchedule schedule,
                       double bytes, const std::vector<std::size_t>& axes) {
  const auto runs = runs_of(map, schedule, axes);
  if (schedule.tree != LineTree::chain) schedule.segment = bytes;
  if (schedule.segment > 0.0 || bytes <= 0.0) {
    schedule.segment = std::max(1.0, schedule.segment);
    return time_of(runs, channels, schedule, bytes);
  }
  constexpr double smallest = 512.0;
  AxisPrediction best;
  schedule.segment = bytes;
  do {
    const auto attempt = time_of(runs, channels, schedule, bytes);
    if (schedule.segment == bytes || attempt.seconds < best.seconds) best = attempt;
    schedule.segment /= 2;
  } while (schedule.segment >= smallest);
  return best;
}

std::string bytes_text(double bytes) {
  constexpr double kibi = 1024.0;
  if (bytes >= kibi * kibi) return fmt::format("{:.4g} MiB", bytes / kibi / kibi);
  return bytes >= kibi ? fmt::format("{:.4g} KiB", bytes / kibi) : fmt::format("{:.4g} B", bytes);
}

/// What a rank or a node has to send.
struct Sending {
  int messages_between = 0;
  int messages_inside = 0;
  double bytes_between = 0.0;
  double bytes_inside = 0.0;
  double alone = 0.0;  ///< seconds, one message after the other
};

}  // namespace

double halo_time(const NodeMap& map, const NodeChannels& channels,
                 const std::vector<double>& face_bytes) {
  const FaceTable faces(map.shape);
  std::vector<Sending> nodes(static_cast<std::size_t>(map.node_count));
  LimitedTime longest;
  for (int position = 0; position < faces.positions(); ++position) {
    Sending rank;
    const int here = map.nodes[static_cast<std::size_t>(position)];
    Sending& node = nodes[static_cast<std::size_t>(here)];
    for (std::size_t direction = 0; direction < faces.directions(); ++direction) {
      const int next = faces.of(position)[direction];
      if (next == faces.positions()) continue;
      const double bytes = face_bytes[std::min(direction / 2, face_bytes.size() - 1)];
      const bool stays = map.nodes[static_cast<std::size_t>(next)] == here;
      const Channel& channel = stays ? channels.inside : channels.between;
      rank.alone += (channel.start(bytes) + bytes * channel.byte_time(bytes)) / channel.ports;
      ++(stays ? node.messages_inside : node.messages_between);
      (stays ? node.bytes_inside : node.bytes_between) += bytes;
    }
    longest.at_least(rank.alone, Limit::rank);
  }
  for (const Sending& node : nodes) {
    const auto time = [](const Channel& channel, int messages, double bytes) {
      if (messages == 0) return 0.0;
      return channel.start(bytes / messages) + channel.shared_time(messages, bytes);
    };
    longest.at_least(time(channels.between, node.messages_between, node.bytes_between),
                     Limit::between_nodes);
    longest.at_least(time(channels.inside, node.messages_inside, node.bytes_inside),
                     Limit::inside_nodes);
  }
  return longest.seconds;
}

std::string AxisSchedule::describe() const {
  const auto name = [this]() -> std::string {
    switch (tree) {
      case LineTree::chain:
        return "chains" + (segment > 0.0 ? " of " + bytes_text(segment) : std::string());
      case LineTree::low_binomial:
        return "binomial trees";
      case LineTree::high_binomial:
        return "high-bit binomial trees";
      case LineTree::hierarchical:
        return "two-level trees";
    }
    return {};
  };
  return name() + (overlapped ? ", overlapped" : ", axis by axis");
}

AxisPrediction axis_time(const NodeMap& map, const NodeChannels& channels, AxisSchedule schedule,
                         double bytes) {
  std::vector<std::size_t> axes(map.shape.dims.size());
  for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis] = axis;
  return predict(map, channels, schedule, bytes, axes);
}

AxisPrediction axis_time(const NodeMap& map, const NodeChannels& channels, AxisSchedule schedule,
                         double bytes, std::size_t axis) {
  return predict(map, channels, schedule, bytes, {axis});
}

bool overlap_pays(const NodeMap& map, NodeChannels channels, double bytes) {
  if (!channels.between.together.limited())
    channels.between.together.bandwidth = {1.0 / channels.between.byte_time(bytes)};
  double at_once = std::numeric_limits<double>::max();
  double in_turn = at_once;
  for (const AxisPrediction& prediction : axis_times(map, channels, bytes)) {
    double& best = prediction.schedule.overlapped ? at_once : in_turn;
    best = std::min(best, prediction.seconds);
  }
  return at_once <= in_turn;
}

std::vector<AxisPrediction> axis_times(const NodeMap& map, const NodeChannels& channels,
                                       double bytes) {
  std::vector<AxisPrediction> all;
  for (const LineTree tree : {LineTree::chain, LineTree::low_binomial}) {
    for (const bool overlapped : {false, true}) {
      all.push_back(axis_time(map, channels,
                              {.tree = tree, .overlapped = overlapped, .segment = 0.0}, bytes));
    }
  }
  return all;
}

}  // namespace cartwright::mapping
