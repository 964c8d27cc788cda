// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/window.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <chrono>
#include <thread>

#include "../common/statistics.hpp"
#include "../peer/mpi_window.hpp"
#include "ways.hpp"

namespace cartwright::bench {

namespace {

using Bytes = std::vector<std::byte>;

constexpr rt::Tag word{77};
constexpr int first = 0, target = 1, third = 2;

/// One pattern: what each rank does, ours and the peer's, when the late rank is late by so many
/// seconds. Gives the victim's time.
class Pattern {
 public:
  Pattern(const comm::CartComm& cart, std::size_t bytes, bool by_messages)
      : cart_(&cart),
        me_(cart.rank().value),
        world_(cart.communicator().duplicate()),
        data_(bytes, std::byte{42}),
        ours_(cart, by_messages, bytes),
        peer_(world_, bytes) {}

  // Rank 0 writes to rank 1, which posts late; then rank 0 talks to rank 2, if there is one.
  double late_post(double late) {
    if (me_ == first) {
      auto access = ours_->start({rt::Rank{target}});
      access.put(rt::Rank{target}, 0, data_);
      comm::EpochRequest sent = access.complete();
      tell(third);
      const double time = elapsed();
      sent.wait();
      return time;
    }
    if (me_ == third) hear(first);
    if (me_ == target) {
      work(late);
      ours_->post({rt::Rank{first}}).wait().wait();
    }
    return 0;
  }
  double peer_late_post(double late) {
    if (me_ == first) {
      peer_.start({target});
      peer_.put(target, data_.data(), data_.size());
      peer_.complete();
      tell(third);
      return elapsed();
    }
    if (me_ == third) hear(first);
    if (me_ == target) {
      work(late);
      peer_.post({first});
      peer_.wait();
    }
    return 0;
  }

  // Rank 0 computes when its transfers are under way.
  double late_complete(double late) {
    if (me_ == first) {
      auto access = ours_->start({rt::Rank{target}});
      access.put(rt::Rank{target}, 0, data_);
      comm::EpochRequest sent = access.complete();
      work(late);
      sent.wait();
    }
    if (me_ == target) {
      ours_->post({rt::Rank{first}}).wait().wait();
      return elapsed();
    }
    return 0;
  }
  double peer_late_complete(double late) {
    if (me_ == first) {
      peer_.start({target});
      peer_.put(target, data_.data(), data_.size());
      work(late);
      peer_.complete();
    }
    if (me_ == target) {
      peer_.post({first});
      peer_.wait();
      return elapsed();
    }
    return 0;
  }

  // Rank 1 has work to do while much comes: its epoch and its work.
  double early_fence(double late) {
    auto fence = ours_->fence();
    if (me_ == first) fence.put(rt::Rank{target}, 0, data_);
    comm::EpochRequest closed = fence.close();
    if (me_ == target) work_with_polls(late);
    closed.wait();
    return me_ == target ? elapsed() : 0;
  }
  double peer_early_fence(double late) {
    peer_.fence();
    if (me_ == first) peer_.put(target, data_.data(), data_.size());
    peer_.close_fence();
    if (me_ == target) work(late);
    return me_ == target ? elapsed() : 0;
  }

  // Rank 0 computes when its transfers are under way; all meet in a fence.
  double wait_at_fence(double late) {
    auto fence = ours_->fence();
    if (me_ == first) fence.put(rt::Rank{target}, 0, data_);
    comm::EpochRequest closed = fence.close();
    if (me_ == first) work(late);
    closed.wait();
    return me_ == target ? elapsed() : 0;
  }
  double peer_wait_at_fence(double late) {
    peer_.fence();
    if (me_ == first) {
      peer_.put(target, data_.data(), data_.size());
      work(late);
    }
    peer_.close_fence();
    return me_ == target ? elapsed() : 0;
  }

  // Rank 0 holds the lock that rank 2 wants, and computes when its transfers are under way.
  double late_unlock(double late) {
    if (me_ == first) {
      auto lock = ours_->lock(rt::Rank{target});
      lock.put(0, data_);
      comm::EpochRequest unlocked = lock.unlock();
      tell(third);
      work(late);
      unlocked.wait();
    }
    if (me_ == third) {
      hear(first);
      auto lock = ours_->lock(rt::Rank{target});
      lock.put(0, data_);
      lock.unlock().wait();
      return elapsed();
    }
    return 0;
  }
  double peer_late_unlock(double late) {
    if (me_ == first) {
      peer_.lock(target);
      peer_.put(target, data_.data(), data_.size());
      tell(third);
      work(late);
      peer_.unlock(target);
    }
    if (me_ == third) {
      hear(first);
      peer_.lock(target);
      peer_.put(target, data_.data(), data_.size());
      peer_.unlock(target);
      return elapsed();
    }
    return 0;
  }

  /// All begin together; what others need until the end, they get. The victim's time.
  template <class Run>
  double time(const Run& run) {
    cart_->start_barrier().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    cart_->start_barrier().wait();
    begin_ = std::chrono::steady_clock::now();
    double time = run();
    cart_->start_barrier().wait();
    cart_->start_allreduce(std::span(&time, 1), comm::Operator::maximum).wait();
    return time;
  }

 private:
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  static void work(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  /// As kernels that are overlapped do, between their chunks.
  void work_with_polls(double seconds) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      cart_->engine().poll();
      std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(
          std::chrono::milliseconds(1), end - std::chrono::steady_clock::now()));
    }
  }
  /// Of two ranks, none is left to hear of it.
  void tell(int rank) {
    if (rank >= cart_->size()) return;
    rt::Message message =
        rt::isend(world_, std::span<const std::byte>(data_).first(8), rt::Rank{rank}, word);
    while (!message.test()) cart_->engine().poll();
  }
  void hear(int rank) {
    std::array<std::byte, 8> said{};
    rt::Message message = rt::ireceive(world_, std::span<std::byte>(said), rt::Rank{rank}, word);
    while (!message.test()) cart_->engine().poll();
  }

  const comm::CartComm* cart_;
  int me_;
  rt::Communicator world_;
  Bytes data_;
  WindowByWay<std::byte> ours_;
  MpiWindow peer_;
  std::chrono::steady_clock::time_point begin_{};
};

using Run = double (Pattern::*)(double);

struct Named {
  std::string name;
  Run ours, peer;
  bool has_late_work;  ///< the delay is the victim's own work
  int ranks = 2;       ///< that it takes
};

const std::array<Named, 5>& patterns() {
  static const std::array<Named, 5> all{
      {{"Late Post", &Pattern::late_post, &Pattern::peer_late_post, false},
       {"Late Complete", &Pattern::late_complete, &Pattern::peer_late_complete, false},
       {"Early Fence", &Pattern::early_fence, &Pattern::peer_early_fence, true},
       {"Wait at Fence", &Pattern::wait_at_fence, &Pattern::peer_wait_at_fence, false},
       {"Late Unlock", &Pattern::late_unlock, &Pattern::peer_late_unlock, false, 3}}};
  return all;
}

struct Times {
  std::vector<double> ours, ours_undelayed, peer, peer_undelayed;
};

Times times_of(Pattern& pattern, const Named& named, double delay, int rounds) {
  Times times;
  const auto once = [&](Run run, double late) {
    return pattern.time([&] { return (pattern.*run)(late); });
  };
  (void)once(named.ours, 0);
  (void)once(named.peer, 0);
  for (int round = 0; round < rounds; ++round) {
    times.ours_undelayed.push_back(once(named.ours, 0));
    times.ours.push_back(once(named.ours, delay));
    times.peer_undelayed.push_back(once(named.peer, 0));
    times.peer.push_back(once(named.peer, delay));
  }
  return times;
}

void add(const Named& named, const std::string& way, std::size_t bytes, double delay,
         const std::string& layout, const Times& times, Results& results) {
  const auto median = [](const std::vector<double>& samples) { return summarize(samples).median; };
  // The victim's own work takes as long as the delay: that's no loss.
  const double ours_free = named.has_late_work ? delay : median(times.ours_undelayed);
  const double peer_free = named.has_late_work ? delay : median(times.peer_undelayed);
  const double lost = (median(times.ours) - ours_free) / delay;
  const double peer_lost = (median(times.peer) - peer_free) / delay;
  results.add(Case::of_times(fmt::format("{}, {} bytes, {}, {}", named.name, bytes, way, layout),
                             {{"pattern", named.name},
                              {"bytes", bytes},
                              {"way", way},
                              {"layout", layout},
                              {"delay", delay},
                              {"undelayed", median(times.ours_undelayed)},
                              {"peer_undelayed", median(times.peer_undelayed)},
                              {"lost_share_of_delay", lost},
                              {"peer_lost_share_of_delay", peer_lost}},
                             times.ours, times.peer));
  results.note(
      fmt::format("{:<14} {:>9} bytes, {:<8}: the victim loses {:6.2f} % of the delay, "
                  "MPI's {:6.2f} %",
                  named.name, bytes, way, 100 * lost, 100 * peer_lost));
}

}  // namespace

void measure_patterns(const comm::CartComm& cart, const Setting& setting, double delay,
                      Results& results) {
  const int rounds = setting.options.quick ? 3 : 9;
  for (const bool by_messages : {false, true})
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{1} << 20}) {
      Pattern pattern(cart, bytes, by_messages);
      for (const Named& named : patterns()) {
        if (named.has_late_work || cart.size() < named.ranks) continue;
        add(named, name_of_way(by_messages), bytes, delay, setting.layout,
            times_of(pattern, named, delay, rounds), results);
      }
    }
  constexpr std::size_t much = std::size_t{32} << 20;
  for (const bool by_messages : {false, true}) {
    Pattern pattern(cart, much, by_messages);
    add(patterns()[2], name_of_way(by_messages), much, delay, setting.layout,
        times_of(pattern, patterns()[2], delay, rounds), results);
  }
}

}  // namespace cartwright::bench
