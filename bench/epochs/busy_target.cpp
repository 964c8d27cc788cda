// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/comm/window.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../common/statistics.hpp"
#include "../peer/mpi_window.hpp"
#include "rates.hpp"
#include "ways.hpp"

namespace cartwright::bench {

namespace {

constexpr rt::Rank origin{0}, target{1};

enum class Way { memory, messages, mpi_window };

constexpr std::array<std::pair<Way, const char*>, 3> ways{
    {{Way::memory, "memory"}, {Way::messages, "messages"}, {Way::mpi_window, "MPI's window"}}};

/// Rank 0 holds a lock of all, and reads from rank 1 or writes there, which computes.
class BusyTarget {
 public:
  BusyTarget(const comm::CartComm& cart, Way way, std::size_t bytes)
      : cart_(&cart),
        is_origin_(cart.rank() == origin),
        data_(bytes),
        ours_(cart, way != Way::memory, bytes, {.mpi_window = way == Way::mpi_window}),
        peer_(cart.communicator(), bytes) {}

  [[nodiscard]] bool has_mpi_window() { return ours_->has_mpi_window(); }
  void begin() {
    if (is_origin_) {
      epoch_.emplace(ours_->lock_all());
      read();
    }
    cart_->start_barrier().wait();
  }
  void end() {
    if (epoch_) epoch_->unlock().wait();
    epoch_.reset();
    cart_->start_barrier().wait();
  }
  void read() {
    epoch_->get(target, 0, data_);
    epoch_->flush(target).wait();
  }
  void write() {
    epoch_->put(target, 0, data_);
    epoch_->flush(target).wait();
  }
  void peer_write() {
    peer_.lock_all();
    peer_.put(target.value, data_.data(), data_.size());
    peer_.flush(target.value);
    peer_.unlock_all();
  }

  /// What rank 0 needs for it while rank 1 is busy for so long.
  template <class Act>
  double time(double busy, const Act& act) {
    cart_->start_barrier().wait();
    double taken = 0;
    if (is_origin_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));  // the other one is busy now
      const auto begin = std::chrono::steady_clock::now();
      act();
      taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    } else {
      std::this_thread::sleep_for(std::chrono::duration<double>(busy));
    }
    cart_->start_barrier().wait();
    return cart_->allreduce(taken, comm::Operator::maximum);
  }

 private:
  const comm::CartComm* cart_;
  bool is_origin_;
  std::vector<std::byte> data_;
  WindowByWay<std::byte> ours_;
  MpiWindow peer_;
  std::optional<comm::LockAllEpoch<std::byte>> epoch_;
};

double median(const std::vector<double>& samples) {
  return summarize(samples).median;
}

}  // namespace

void measure_busy_target(const comm::CartComm& cart, const Setting& setting, double busy,
                         Results& results) {
  const int rounds = setting.options.quick ? 3 : 9;
  for (const auto& [way, name] : ways)
    for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{4} << 20}) {
      BusyTarget pair(cart, way, bytes);
      if (way == Way::mpi_window && !pair.has_mpi_window()) {
        results.note("Windows of MPI's need their targets here: long operations are messages.");
        return;
      }
      pair.begin();
      std::vector<double> read, write, peer;
      for (int round = 0; round < rounds; ++round) {
        read.push_back(pair.time(busy, [&] { pair.read(); }));
        write.push_back(pair.time(busy, [&] { pair.write(); }));
        peer.push_back(pair.time(busy, [&] { pair.peer_write(); }));
      }
      pair.end();
      results.add(Case::of_times(
          fmt::format("put, {} bytes, {}, {}", bytes, name, setting.layout),
          {{"bytes", bytes}, {"way", name}, {"busy", busy}, {"get", median(read)}}, write, peer));
      results.note(fmt::format(
          "{:>8} bytes, target busy for {:.0f} ms, {:<12}: get {:8.3f} ms, put {:8.3f} ms, "
          "MPI's own put {:8.3f} ms",
          bytes, 1e3 * busy, name, 1e3 * median(read), 1e3 * median(write), 1e3 * median(peer)));
    }
}

}  // namespace cartwright::bench
