// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bitset>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/window/epoch_request.hpp>
#include <cartwright/comm/window/messenger.hpp>
#include <cartwright/comm/window/pool.hpp>
#include <cartwright/rt/request.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace cartwright::comm {

class CartComm;

/// Lanes of long messages (see Messenger), by number.
using LaneSet = std::bitset<Messenger::lanes>;

/// All windows of a CartComm: drives them from one operation of the progress engine, or from a
/// thread too, and brings them their records. Costs the engine nothing while no window has work.
class WindowSpace final : public rt::Operation {
 public:
  /// Local.
  WindowSpace(rt::ProgressEngine& engine, P2pChannel channel, int ranks, int me);
  ~WindowSpace() override;

  /// While it lives, the thread (if there is one) is kept out. Throws what that has met.
  class Guard {
   public:
    explicit Guard(WindowSpace& space) {
      if (space.thread_) keep_out(space);
    }

   private:
    void keep_out(WindowSpace& space);

    std::unique_lock<std::mutex> lock_;
  };

  [[nodiscard]] rt::ProgressEngine& engine() const noexcept { return *engine_; }
  [[nodiscard]] Messenger& messenger() noexcept { return *messenger_; }
  /// Collective over the ranks of each node: paths for messages, once.
  void connect(const CartComm& cart);
  /// Ranks that share memory may send each other records, too, as long ones may go by MPI.
  [[nodiscard]] bool may_push() const noexcept {
    return messenger_ != nullptr && (!thread_ || mpi_serves_threads_);
  }

  /// Collective; tried once.
  [[nodiscard]] bool mpi_windows_need_no_target(const CartComm& cart);

  /// The number of a further window: all ranks make them in the same order.
  [[nodiscard]] std::uint32_t add(WindowCore& core, bool by_messages);
  void remove(const WindowCore& core, bool by_messages) noexcept;
  /// Lanes for a further window's long messages; given back once all ranks know that none is under
  /// way: what a window leaves behind that ended otherwise must not meet another one's.
  [[nodiscard]] const LaneSet& free_lanes() const noexcept { return free_lanes_; }
  /// One of these, which are free on all ranks. Throws an internal failure on all of them for none.
  [[nodiscard]] int take_lane(const LaneSet& free_everywhere);
  void give_back_lane(int lane) noexcept { free_lanes_.set(static_cast<std::size_t>(lane)); }
  /// The window has something to advance: it is asked until it hasn't. Within a Guard.
  void keep_busy(WindowCore& core);
  /// The caller's thread, which polls the engine, has given a window work.
  void drive();
  /// Sends what was appended for others.
  void send();

  /// Every so often a thread advances what is under way, until the last that asked takes it back.
  /// Throws an input error where MPI doesn't serve several threads and windows send messages.
  void start_thread(bool by_messages);
  void stop_thread() noexcept;

  [[nodiscard]] RequestState& new_request(WindowCore& core, const Epoch* epoch, const char* what,
                                          CallSite site);
  /// A part of it is over.
  void complete_part(RequestState& request);
  /// Nobody will complete those of a window that goes.
  void end_requests(const WindowCore& core) noexcept;
  void release(RequestState& request) noexcept;
  [[nodiscard]] bool test(RequestState& request);
  void wait(RequestState& request);

  bool advance() override;
  [[nodiscard]] std::uint64_t moves() const noexcept override { return taken_; }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return awaited_; }

 private:
  void progress();
  void run_thread();
  void take(int from, std::span<const std::byte> records);

  rt::ProgressEngine* engine_;
  P2pChannel channel_;
  int ranks_;
  int me_;
  std::unique_ptr<Messenger> messenger_;
  std::vector<WindowCore*> windows_;  // by number; null: freed
  std::vector<WindowCore*> busy_;
  int by_messages_ = 0;      // windows
  std::uint64_t taken_ = 0;  // records
  LaneSet free_lanes_ = LaneSet().set();
  bool mpi_serves_threads_ = false;
  std::optional<bool> mpi_windows_need_no_target_;
  Pool<RequestState> requests_;
  rt::WaitSite awaited_{"an epoch of a window"};
  std::mutex mutex_;
  std::optional<std::thread> thread_;
  std::atomic<bool> thread_ends_{false};
  int thread_users_ = 0;
  std::exception_ptr fault_;
};

}  // namespace cartwright::comm
