// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/mapping/probe/short_probe.hpp>
#include <cartwright/plan/models/typical_machine.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/rank.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cmath>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::mapping {

namespace {

/// Messages that are sent back to back, and for how long they go there and back.
struct Train {
  std::size_t bytes;  ///< of each
  int messages;
  double seconds;
};

/// The smallest of all messages, the size of a piece of a pipeline, the least for which transports
/// ask the receiver first (TCP at 64 KiB, others not far from it), a long one, and a pipeline: what
/// follows a message may take longer than its bytes do, where both ends copy them.
constexpr plan::Count asked_from = plan::Count{64} << 10;
constexpr Train smallest{8, 1, 2e-3};
constexpr Train piece{std::size_t{32} << 10, 1, 2e-3};
constexpr Train asking_first{std::size_t{asked_from}, 1, 3e-3};
constexpr Train largest{std::size_t{512} << 10, 1, 4e-3};
constexpr Train pipeline{piece.bytes, 8, 3e-3};
constexpr std::array trains{smallest, piece, asking_first, largest, pipeline};
static_assert(pipeline.bytes < asked_from && pipeline.messages * pipeline.bytes <= largest.bytes);

/// Rank 0 and the first rank that isn't on its node, in turns. The first byte of a train says
/// whether there is one more.
class PingPong {
 public:
  PingPong(const rt::Communicator& comm, int partner) : comm_(comm), partner_(partner) {}

  /// Seconds until the last message of a train has arrived, the least of those for which there is
  /// time. Of rank 0.
  [[nodiscard]] double first(const Train& train) {
    constexpr int least = 3;
    constexpr int most = 40;
    double best = 1e9;
    const rt::Ticks begin = rt::now();
    for (int turn = 0;; ++turn) {
      const bool over =
          turn >= most || (turn >= least && rt::seconds_between(begin, rt::now()) > train.seconds);
      memory_[0] = static_cast<std::byte>(over ? 1 : 0);
      const rt::Ticks start = rt::now();
      send(train, partner_);
      receive(train, partner_);
      best = std::min(best, rt::seconds_between(start, rt::now()) / 2);
      if (over) return best;
    }
  }
  void second(const Train& train) {
    do {
      receive(train, 0);
      send(train, 0);
    } while (memory_[0] == std::byte{0});
  }

 private:
  void send(const Train& train, int to) {
    move(train, [&](std::span<std::byte> data) {
      return rt::isend(comm_, data, rt::Rank{to}, rt::Tag{0});
    });
  }
  void receive(const Train& train, int from) {
    move(train, [&](std::span<std::byte> data) {
      return rt::ireceive(comm_, data, rt::Rank{from}, rt::Tag{0});
    });
  }
  template <class Begin>
  void move(const Train& train, const Begin& begin) {
    std::array<rt::Message, pipeline.messages> messages;
    const auto first = messages.begin(), last = first + train.messages;
    std::span<std::byte> rest = memory_;
    std::generate(first, last, [&] {
      const auto data = rest.first(train.bytes);
      rest = rest.subspan(train.bytes);
      return begin(data);
    });
    std::for_each(first, last, [](rt::Message& message) { message.wait(); });
  }

  const rt::Communicator& comm_;
  int partner_;
  std::vector<std::byte> memory_ = std::vector<std::byte>(largest.bytes);
};

int first_on_another_node(const Topology& topology) {
  for (int rank = 0;; ++rank)
    if (!std::ranges::binary_search(topology.ranks_on_node, rank)) return rank;
}

/// The nearest power of the fourth root of two: what is measured twice gives about the same.
double round_number(double value) {
  return std::exp2(std::round(4 * std::log2(value)) / 4);
}

/// What counts of it: a disturbed measurement only ever takes longer, so the best of some runs
/// does.
struct Measured {
  double runs = 0;
  std::array<double, trains.size()> seconds{};  ///< of each of the trains, one way
};
constexpr double most_runs = 5;
constexpr const char* about =
    "messages and pipelines between two nodes, the best of {} runs; inside of them round numbers";

Measured best_of(const Measured& a, const Measured& b) {
  if (a.runs == 0) return b;
  Measured best{a.runs + b.runs, {}};
  for (std::size_t i = 0; i < trains.size(); ++i)
    best.seconds[i] = std::min(a.seconds[i], b.seconds[i]);
  return best;
}

/// The parameters that tell these times: bytes that leave at once cost others than those for which
/// the receiver is asked, which costs a way there and back besides.
struct Parameters {
  double latency;          // s of a small message
  double byte_time;        // s
  double gap;              // s between messages of a pipeline, besides their bytes
  double asking;           // s more, from `asked_from` on
  double asked_byte_time;  // s, from there on
};

Parameters parameters_of(const Measured& measured) {
  const auto [small, medium, large, longest, together] = measured.seconds;
  const auto byte_time = [](double more, std::size_t bytes) {
    return round_number(std::max(more / static_cast<double>(bytes), 1e-13));
  };
  Parameters found{};
  found.latency = round_number(std::max(small, 1e-9));
  found.byte_time = byte_time(medium - small, piece.bytes - smallest.bytes);
  const double each = (together - medium) / (pipeline.messages - 1);
  found.gap = round_number(
      std::max(each - static_cast<double>(pipeline.bytes) * found.byte_time, found.latency / 4));
  found.asked_byte_time = byte_time(longest - large, largest.bytes - asking_first.bytes);
  const double asking =
      large - small - static_cast<double>(asking_first.bytes) * found.asked_byte_time;
  found.asking = asking < found.latency / 4 ? 0.0 : round_number(asking);
  return found;
}

/// The inverse.
Measured measured_of(const plan::Network& network, double runs) {
  const double small = 2 * network.latency.at(0);
  const double asking = network.latency.at(asked_from) - network.latency.at(0);
  Measured measured{runs, {}};
  for (std::size_t i = 0; i < trains.size(); ++i) {
    const auto bytes = static_cast<plan::Count>(trains[i].bytes);
    const double data = static_cast<double>(i == 0 ? 0 : bytes) * network.byte_time.at(bytes);
    measured.seconds[i] = small + (bytes < asked_from ? 0.0 : asking) + data +
                          (trains[i].messages - 1) * (network.gap.at(bytes) + data);
  }
  return measured;
}

plan::BySize with_step(double before, double from) {
  return plan::BySize({{asked_from - 1, before}, {asked_from, from}});
}

plan::Machine machine_of(const Measured& measured, const Topology& topology) {
  const Parameters found = parameters_of(measured);
  // Of the way of a small message about a quarter is work at each end.
  const double work = found.latency / 4;
  plan::Machine machine = plan::typical_machine(topology.largest_node);
  machine.name = "a short measurement";
  machine.about = fmt::format(about, measured.runs);
  machine.source = "some milliseconds at the start of a run";
  plan::Network network = plan::log_gp(found.latency / 2, work, work, work, found.byte_time);
  network.latency = with_step(found.latency / 2, found.latency / 2 + found.asking);
  network.byte_time = with_step(found.byte_time, found.asked_byte_time);
  // So it is with asking.
  const auto pipelined = static_cast<plan::Count>(pipeline.bytes);
  network.gap = plan::BySize({{0, work},
                              {pipelined, found.gap},
                              {asked_from - 1, found.gap},
                              {asked_from, work + found.asking / 4}});
  machine.levels.front().network = std::move(network);
  return machine;
}

std::string path_of(const ProbeIdentity& identity) {
  return std::filesystem::path(probed_machine_path(identity))
      .replace_extension(".short.yaml")
      .string();
}

/// Of former runs on these hosts; a file that can't be read, or is another machine's, is as if it
/// weren't there.
Measured remembered(const ProbeIdentity& identity) {
  try {
    const plan::Machine machine = read_machine(path_of(identity));
    if (machine.source != identity.fingerprint()) return {};
    const plan::Network& network = machine.levels.at(0).network;
    for (int runs = 1; runs <= static_cast<int>(most_runs); ++runs)
      if (machine.about == fmt::format(about, static_cast<double>(runs)))
        return measured_of(network, static_cast<double>(runs));
  } catch (const std::exception&) {
    return {};
  }
  return {};
}

void remember(const ProbeIdentity& identity, plan::Machine machine) {
  machine.source = identity.fingerprint();
  try {
    prepare_store(path_of(identity));
    rt::write_file(path_of(identity), machine_text(machine));
  } catch (const rt::Error&) {
    return;  // it is only a cache
  }
}

/// Collective; of rank 0. The first of the trains, so many.
Measured measure(const rt::Communicator& comm, const Topology& topology, std::size_t how_many) {
  const rt::Communicator own = comm.duplicate();
  const int partner = rt::shared(own, own.is_root() ? first_on_another_node(topology) : 0);
  PingPong messages(own, partner);
  Measured found{1, {}};
  for (std::size_t i = 0; i < how_many; ++i) {
    if (own.is_root())
      found.seconds[i] = messages.first(trains[i]);
    else if (own.rank().value == partner)
      messages.second(trains[i]);
  }
  return own.is_root() ? found : Measured{};
}

/// Collective. Whether the smallest messages take so much less now that the hosts must have been
/// busy with something else in all runs that were measured.
bool was_disturbed(const Measured& known, const rt::Communicator& comm, const Topology& topology) {
  const double now = measure(comm, topology, 1).seconds.front();
  return rt::shared(comm, comm.is_root() && now < known.seconds.front() / 4);
}

}  // namespace

plan::Machine measured_shortly(const rt::Communicator& comm, const Topology& topology) {
  std::optional<ProbeIdentity> identity;  // of the rank that remembers
  if (comm.is_root()) identity = identify(topology);
  Measured known = rt::shared(comm, identity ? remembered(*identity) : Measured{});
  if (known.runs >= most_runs && was_disturbed(known, comm, topology)) known.runs = 1;
  if (known.runs < most_runs) {
    known = best_of(known, measure(comm, topology, trains.size()));
    if (identity) remember(*identity, machine_of(known, topology));
    known = rt::shared(comm, known);
  }
  return machine_of(known, topology);
}

}  // namespace cartwright::mapping
