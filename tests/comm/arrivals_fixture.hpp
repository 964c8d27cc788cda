// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <vector>

namespace cartwright::comm {

/// Ranks whose arrivals are watched or forecast, and the same without.
class ArrivalsTest : public testing::Test {
 protected:
  static constexpr std::int64_t hour = 3'600'000'000'000;

  ArrivalsTest() { engine_.set_oversubscribed(true); }

  [[nodiscard]] Context context(ArrivalUse use, bool checked = false) {
    Context options{.settings = {.checked = checked, .is_resolved = true}};
    options.settings.arrivals = use;
    options.nodes = NodeView::of(comm_, topology_);
    options.memory = std::make_shared<NodeMemory>(comm_, topology_);
    return options;
  }
  [[nodiscard]] std::unique_ptr<Collectives> collectives(ArrivalUse use, bool checked = false) {
    return std::make_unique<Collectives>(comm_, engine_, context(use, checked));
  }
  /// The rank's clock, `shift` ahead, and by what `shift_` says later.
  [[nodiscard]] TimeSource own_time(std::int64_t shift) {
    shift_ = shift;
    return {[](const void* state) {
              return TimeSource().now() + *static_cast<const std::int64_t*>(state);
            },
            &shift_};
  }
  static void sleep_for(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }
  /// The site of reductions that was called most often.
  [[nodiscard]] static const Site& site_of_reduce(const Collectives& collectives) {
    const auto& all = collectives.arrivals()->sites().all();
    const Site* best = &all.front();
    for (const Site& site : all)
      if (site.key.call.operation == plan::Operation::reduce &&
          site.history.calls() >= best->history.calls())
        best = &site;
    return *best;
  }

  /// Calls that rank 0's dice choose for all, made by both: the same bits?
  void run_random_program(const Collectives& plain, const Collectives& other, int program,
                          int calls) {
    std::mt19937_64 dice(static_cast<std::uint64_t>(program));
    std::mt19937_64 own(1000 * static_cast<std::uint64_t>(program) +
                        static_cast<std::uint64_t>(comm_.rank().value));
    // Some calls come round again and again, as those of a loop do.
    std::array<std::uint64_t, 5> loop{};
    for (auto& call : loop) call = dice();
    for (int call = 0; call < calls; ++call) {
      const std::uint64_t what =
          dice() % 4 == 0 ? dice() : loop[static_cast<std::size_t>(call) % 5];
      if (what % 3 == 0)
        compare<std::int32_t>(what, own, plain, other);
      else
        compare<double>(what, own, plain, other);
      if (testing::Test::HasFailure()) return;
    }
  }

  template <class T>
  void compare(std::uint64_t what, std::mt19937_64& own, const Collectives& plain,
               const Collectives& other) {
    const auto ranks = static_cast<std::size_t>(comm_.size());
    const auto count = std::array<std::size_t, 4>{1, 40, 700, 9000}[what / 3 % 4];
    const auto op = std::array{Operator::sum, Operator::sum, Operator::maximum,
                               Operator::minimum}[what / 12 % 4];
    const rt::Rank root{static_cast<int>(what / 48 % ranks)};
    const auto kind = what / 1000 % 8;
    std::vector<T> input(count);
    for (T& number : input) {
      const double value = std::uniform_real_distribution<double>(-1, 1)(own);
      number = static_cast<T>(value * (own() % 5 == 0 ? 1e9 : 1e3));
    }
    std::vector<T> one(kind == 7 ? count * ranks : count, T{3}), two(one);
    for (const auto& [c, output] : {std::pair(&plain, &one), std::pair(&other, &two)}) {
      if (kind == 0) c->allreduce(input, *output, op);
      if (kind == 1 || kind == 6) c->reduce(input, *output, op, root);
      if (kind == 2) c->scan(input, *output, op);
      if (kind == 3) {
        Pending pending = c->start_reduce(input, *output, op, root);
        if (own() % 2 == 0) c->engine().poll();
        pending.wait();
      }
      if (kind == 4) {
        Pending pending = c->start_allreduce(input, *output, op);
        pending.wait();
      }
      if (kind == 5) {
        *output = input;
        c->broadcast(*output, root);
      }
      if (kind == 7) c->allgather(input, *output);
    }
    EXPECT_EQ(std::memcmp(one.data(), two.data(), one.size() * sizeof(T)), 0)
        << "kind " << kind << ", " << count << " elements, " << name(op);
  }

  rt::Communicator comm_ = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine_;
  mapping::Topology topology_ = mapping::discover(comm_);
  std::int64_t shift_ = 0;
};

}  // namespace cartwright::comm
