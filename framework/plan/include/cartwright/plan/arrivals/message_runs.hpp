// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cartwright/plan/models/machine.hpp>
#include <cartwright/plan/selection/catalogue.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cartwright::plan {

/// Times of one thing in several simulated runs, in ns. Whole numbers, of which doubles hold those
/// up to 2^53: sums and maxima are exact, and the processor does several at once.
struct alignas(64) Samples {
  static constexpr std::size_t count = 8;
  std::array<double, count> of_run{};
};

/// What a message of a size costs, in ns.
struct MessageTimes {
  double transfer = 0.0;  ///< from when both ends are ready to when it is there
  double port = 0.0;      ///< for so long the sender can't send another one
};

/// What messages between the ranks of a problem cost on a machine: inside of a node and between
/// nodes, where these are known, or are the machine's outermost units.
class PairCosts {
 public:
  PairCosts(const Problem& problem, const Machine& machine);

  [[nodiscard]] int node_of(int rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] bool near(int a, int b) const { return nodes_ > 1 && node_of(a) == node_of(b); }
  [[nodiscard]] MessageTimes times(bool is_near, Count bytes) const;
  [[nodiscard]] double combine(Count bytes) const;
  /// To send so many bytes between nodes (between ranks, where there is one only), and combine
  /// them.
  [[nodiscard]] Nanoseconds round(Count bytes) const;

 private:
  Network inside_, between_;
  double combine_byte_time_;
  std::vector<int> node_of_;
  int nodes_ = 1;
};

/// When a rank sends again.
enum class AfterSend : std::uint8_t {
  at_once,    ///< what it sends waits until the message before it is through; the rank doesn't
  when_sent,  ///< the rank waits: rounds as in Marendic 2016
};

/// How long it takes at least from each rank's arrival to the end of all, ns. A run takes nothing
/// but sums and maxima of times, so this tells the end for any arrivals: the latest of these, each
/// with what is left behind it.
class TimesToEnd {
 public:
  TimesToEnd() = default;
  explicit TimesToEnd(std::vector<double> of_rank) : of_rank_(std::move(of_rank)) {}
  /// Of a plan, of whose messages ranks send one and receive one in a round.
  TimesToEnd(const TransferPlan& plan, const PairCosts& costs, Count bytes,
             AfterSend after_send = AfterSend::at_once);

  /// When all are done, in each run; `arrivals` by rank.
  [[nodiscard]] Samples finish(std::span<const Samples> arrivals) const;
  /// The same in the first of the runs.
  [[nodiscard]] double finish_of_one(std::span<const Samples> arrivals) const;

 private:
  std::vector<double> of_rank_;
};

/// The messages of all ranks in an operation, for many quick simulations: a rank sends one message
/// and receives one at a time, each begins once both ends have come to it, and a rank that combines
/// does nothing else.
class MessageRuns {
 public:
  MessageRuns() = default;  ///< no messages
  MessageRuns(const TransferPlan& plan, const PairCosts& costs, Count bytes);
  /// Of the schedules of all ranks, by what each does in its order.
  MessageRuns(const Problem& problem, const PairCosts& costs, const Choice& choice);

  [[nodiscard]] std::size_t messages() const { return messages_.size(); }
  /// When all are done, in each run; `arrivals` by rank.
  [[nodiscard]] Samples finish(std::span<const Samples> arrivals,
                               AfterSend after_send = AfterSend::at_once) const;
  /// The same in the first of the runs.
  [[nodiscard]] double finish_of_one(std::span<const Samples> arrivals,
                                     AfterSend after_send = AfterSend::at_once) const;
  /// Of that many ranks.
  [[nodiscard]] TimesToEnd times_to_end(int ranks, AfterSend after_send = AfterSend::at_once) const;

 private:
  struct Message {
    std::int32_t from = 0, to = 0;
    std::int32_t slot = 0;  ///< where it is noted when its sender came to it
    double transfer = 0.0, port = 0.0, combine = 0.0;
  };

  template <std::size_t runs>
  void run(std::span<const Samples> arrivals, AfterSend after_send, Samples& last) const;

  std::vector<Message> messages_;
  /// What happens one after the other: m, a message is received; ~m, its sender comes to it.
  std::vector<std::int32_t> events_;
  std::size_t slots_ = 0;
};

}  // namespace cartwright::plan
