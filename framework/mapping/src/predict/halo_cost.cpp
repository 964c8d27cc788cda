// SPDX-License-Identifier: Apache-2.0
#include "halo_cost.hpp"

#include <algorithm>
#include <cartwright/mapping/predict/node_channels.hpp>
#include <cmath>
#include <optional>

namespace cartwright::mapping {

namespace {

/// What comes to a rank of each message: packing it is a kernel that has to begin, and so is
/// unpacking (measured here: 0.1 to 0.3 us each).
constexpr double copy_overhead = 2.0e-7;
/// Ghosts beyond x faces are gathered number by number: so many bytes of a copy each, at least.
constexpr double strided_bytes = 16.0;
constexpr double usual_copy_byte_time = 1.0 / 10e9;

struct Channels {
  Channel between, inside;
  double farthest = 0.0;  ///< s that a message between nodes takes at most to begin
};

/// A machine of one rank a node has nothing inside of one.
Channels channels_of(const plan::Machine& machine) {
  const std::size_t node = node_level(machine);
  Channels channels;
  if (node + 1 < machine.levels.size()) {
    NodeChannels both = node_channels(machine);
    channels.between = std::move(both.between);
    channels.inside = std::move(both.inside);
  } else {
    channels.between = {machine.levels[node].network, machine.levels[node].leaving,
                        machine.levels[node].ports};
    channels.inside = channels.between;
  }
  return channels;
}

/// One exchange of one kind.
class OneExchange {
 public:
  OneExchange(const ExchangeKind& kind, const std::vector<long long>& block)
      : corners_(kind.corners) {
    std::vector<double> cells;
    cells.reserve(block.size());
    for (const long long extent : block)
      cells.push_back(
          std::max(1.0, std::ceil(std::ldexp(static_cast<double>(extent), -kind.coarser))));
    for (std::size_t axis = 0; axis < cells.size(); ++axis) {
      double face = kind.layer_bytes;
      for (std::size_t other = 0; other < cells.size(); ++other)
        if (other != axis) face *= cells[other];
      bytes_.push_back(face);
      const double rows = axis == 0 && cells.size() > 1 ? face / kind.layer_bytes : 0.0;
      copied_.push_back(std::max(face, rows * std::max(kind.layer_bytes, strided_bytes)));
    }
  }

  [[nodiscard]] double copying(const Surroundings& around, double byte_time) const {
    double seconds = 0.0;
    for (std::size_t axis = 0; axis < bytes_.size(); ++axis) {
      const int faces = around.off_node[axis] + around.on_node[axis];
      seconds += faces * 2.0 * (copy_overhead + copied_[axis] * byte_time);
    }
    return seconds;
  }

  /// The slowest of what a rank sends and what its node lets through.
  [[nodiscard]] double flight(const Surroundings& around, const Channels& channels,
                              Transport transport) const {
    const bool by_memory = transport == Transport::memory;
    double alone = 0.0, begin = 0.0;
    Sum out, inside;
    for (std::size_t axis = 0; axis < bytes_.size(); ++axis) {
      const double bytes = bytes_[axis];
      if (around.off_node[axis] > 0) {
        begin = std::max(begin, channels.between.start(bytes));
        alone += around.off_node[axis] * holding(channels.between, bytes);
      }
      if (around.on_node[axis] > 0) {
        // Through memory nothing is handed on: the reader sees a line of cache that has changed.
        begin =
            std::max(begin, by_memory ? latency(channels.inside) : channels.inside.start(bytes));
        if (!by_memory) alone += around.on_node[axis] * holding(channels.inside, bytes);
      }
      out.add(around.node_out[axis], bytes);
      inside.add(around.node_inside[axis], bytes);
    }
    if (corners_) alone += corner_messages(around) * channels.between.occupation(0.0);
    double slowest = alone;
    slowest = std::max(slowest, out.through(channels.between));
    if (!by_memory) slowest = std::max(slowest, inside.through(channels.inside));
    return begin + slowest;
  }

 private:
  struct Sum {
    double messages = 0.0, bytes = 0.0;
    void add(long long count, double each) {
      messages += static_cast<double>(count);
      bytes += static_cast<double>(count) * each;
    }
    [[nodiscard]] double through(const Channel& channel) const {
      return channel.shared_time(static_cast<int>(std::min(messages, 1e9)), bytes);
    }
  };
  static double latency(const Channel& channel) { return channel.network.latency.at(0); }
  static double holding(const Channel& channel, double bytes) {
    return (channel.occupation(bytes) + bytes * channel.byte_time(bytes)) / channel.ports;
  }
  /// To neighbours across edges and corners.
  [[nodiscard]] static double corner_messages(const Surroundings& around) {
    double all = 1.0, faces = 0.0;
    for (std::size_t axis = 0; axis < around.off_node.size(); ++axis) {
      const int along = around.off_node[axis] + around.on_node[axis];
      all *= 1.0 + along;
      faces += along;
    }
    return all - 1.0 - faces;
  }

  bool corners_;
  std::vector<double> bytes_, copied_;  // of a face, by axis
};

/// A grid with more cells than the one that exchanges were counted on is halved more often: what
/// happens on the last but one of its coarser grids happens on further ones, too.
std::vector<ExchangeKind> deepened(const StepProfile& profile,
                                   const std::vector<long long>& extents) {
  std::vector<ExchangeKind> kinds = profile.exchanges;
  double ratio = 0.0;
  int deepest = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    ratio = std::max(
        ratio, static_cast<double>(extents[axis]) / static_cast<double>(profile.sampled[axis]));
  for (const ExchangeKind& kind : kinds) deepest = std::max(deepest, kind.coarser);
  const int more = static_cast<int>(std::lround(std::log2(std::max(ratio, 1.0))));
  if (deepest < 2 || more < 1) return kinds;
  const std::vector<ExchangeKind> counted = kinds;
  for (ExchangeKind& kind : kinds)
    if (kind.coarser == deepest) kind.coarser += more;
  for (const ExchangeKind& kind : counted)
    for (int level = 1; kind.coarser == deepest - 1 && level <= more; ++level) {
      kinds.push_back(kind);
      kinds.back().coarser += level;
    }
  return kinds;
}

}  // namespace

HaloTime halo_time(const StepProfile& profile, const plan::Machine& machine, const DealtGrid& grid,
                   Transport transport, double kernels) {
  HaloTime all;
  if (grid.shape.size() < 2) return all;
  const Channels channels = channels_of(machine);
  const double byte_time =
      machine.copy_byte_time > 0.0 ? machine.copy_byte_time : usual_copy_byte_time;
  const auto share_of = [&](const ExchangeKind& kind) {
    return std::ldexp(kind.overlapped, -kind.coarser * grid.shape.dimensions());
  };
  const std::vector<ExchangeKind> kinds = deepened(profile, grid.extents);
  double shares = 0.0;
  for (const ExchangeKind& kind : kinds) shares += share_of(kind);
  for (const ExchangeKind& kind : kinds) {
    if (kind.times <= 0.0) continue;
    const OneExchange one(kind, grid.block);
    const double flight = one.flight(grid.around, channels, transport);
    const double beside = profile.overlap && kind.overlapped > 0.0
                              ? kernels * share_of(kind) / shares / kind.overlapped
                              : 0.0;
    all.copying += kind.times * one.copying(grid.around, byte_time);
    all.flight += kind.times * flight;
    all.exposed +=
        kind.overlapped * std::max(0.0, flight - beside) + (kind.times - kind.overlapped) * flight;
  }
  return all;
}

}  // namespace cartwright::mapping
