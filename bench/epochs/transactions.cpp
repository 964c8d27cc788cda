// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/window.hpp>
#include <deque>
#include <random>

#include "../common/race.hpp"
#include "../peer/mpi_window.hpp"
#include "rates.hpp"
#include "ways.hpp"

namespace cartwright::bench {

namespace {

constexpr int words = 32;
constexpr std::size_t under_way = 8;

using Window = WindowByWay<long long>;

class Transactions {
 public:
  Transactions(const comm::CartComm& cart, bool by_messages, int how_many)
      : cart_(&cart),
        ours_(cart, by_messages, words),
        overtaking_(cart, by_messages, words,
                    {.name = "transactions", .reorder = {.access_after_access = true}}),
        peer_(cart.communicator(), words * sizeof(long long)),
        amounts_(words, 1),
        how_many_(how_many),
        random_(static_cast<unsigned>(cart.rank().value) + 1) {}

  void blocking() { run(ours_, 1); }
  void nonblocking() { run(ours_, under_way); }
  void overtaking() { run(overtaking_, under_way); }
  void peer() {
    for (int i = 0; i < how_many_; ++i) {
      const int target = next().value;
      peer_.lock(target);
      peer_.add(target, amounts_.data(), words);
      peer_.unlock(target);
    }
  }
  /// Collective: whether as many have come as were made.
  [[nodiscard]] bool is_right() {
    std::vector<long long> sums(words + 1, made_);
    for (int i = 0; i < words; ++i)
      sums[static_cast<std::size_t>(i)] = ours_->local()[static_cast<std::size_t>(i)] +
                                          overtaking_->local()[static_cast<std::size_t>(i)];
    cart_->start_allreduce(sums, comm::Operator::sum).wait();
    for (const long long sum : sums)
      if (sum != sums.back()) return false;
    return true;
  }

 private:
  [[nodiscard]] rt::Rank next() {
    return {static_cast<int>(random_() % static_cast<unsigned>(cart_->size()))};
  }
  void run(Window& window, std::size_t most) {
    std::deque<comm::EpochRequest> pending;
    for (int i = 0; i < how_many_; ++i) {
      auto lock = window->lock(next());
      lock.accumulate(0, amounts_, comm::Operator::sum);
      pending.push_back(lock.unlock());
      while (!pending.empty() && pending.front().is_complete()) pending.pop_front();
      if (pending.size() >= most) pending.pop_front();  // waits
    }
    pending.clear();
    made_ += how_many_;
    cart_->start_barrier().wait();  // serves others until then
  }

  const comm::CartComm* cart_;
  Window ours_, overtaking_;
  MpiWindow peer_;
  std::vector<long long> amounts_;
  int how_many_;
  long long made_ = 0;
  std::minstd_rand random_;
};

}  // namespace

void measure_transactions(const comm::CartComm& cart, const Setting& setting, Results& results) {
  for (const bool by_messages : {true, false}) {
    const int how_many = by_messages ? 200 : 2000;
    Transactions transactions(cart, by_messages, how_many);
    std::vector<std::function<void()>> all{
        [&] { transactions.blocking(); }, [&] { transactions.nonblocking(); },
        [&] { transactions.overtaking(); }, [&] { transactions.peer(); }};
    const auto samples = race(setting.world, all, {.seconds = setting.options.quick ? 4.0 : 20.0});
    const std::array<const char*, 4> names{"", "nonblocking", "nonblocking, overtaking", "MPI's"};
    for (std::size_t i = 1; i < samples.size(); ++i) {
      results.add(Case::of_times(fmt::format("transactions {}, {}, {}", names[i],
                                             name_of_way(by_messages), setting.layout),
                                 {{"way", name_of_way(by_messages)},
                                  {"layout", setting.layout},
                                  {"transactions", how_many},
                                  {"under_way", under_way}},
                                 samples[i], samples[0]));
      results.note(fmt::format(
          "transactions {:<24} {:<8}: {:.2f} times as many as ours that wait for each ({:.1f} "
          "thousand in a second)",
          names[i], name_of_way(by_messages), 1 / summarize_ratios(samples[i], samples[0]).median,
          how_many * setting.world.size() / summarize(samples[i]).median * 1e-3));
    }
    if (!transactions.is_right())
      throw rt::numerical_failure("transactions were lost", {}, rt::Reach::all_ranks);
  }
}

}  // namespace cartwright::bench
