// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/window/epoch.hpp>
#include <cartwright/comm/window/epoch_list.hpp>
#include <cartwright/comm/window/epoch_request.hpp>
#include <cartwright/comm/window/mpi_window.hpp>
#include <cartwright/comm/window/peer.hpp>
#include <cartwright/comm/window/pool.hpp>
#include <cartwright/comm/window/records.hpp>
#include <cartwright/comm/window/shared_block.hpp>
#include <cartwright/comm/window/under_way.hpp>
#include <cartwright/comm/window/window_options.hpp>
#include <cartwright/comm/window/window_space.hpp>
#include <cartwright/rt/aligned_memory.hpp>
#include <cartwright/rt/lease.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

namespace cartwright::comm {

class CartComm;
class NodeMemory;

/// What a window is of: memory of its caller, of the host or (`device`) of a device; or, without
/// any, its own.
struct WindowMemory {
  std::byte* first = nullptr;
  const DeviceCopies* device = nullptr;
};

/// A window without its type: the state machine of its epochs on this rank. Origins write into
/// shared memory where target and origin have it (SharedBlock); to others they push what an epoch
/// does, at once: the target holds it back until its own epoch is active. So nothing depends on an
/// origin that computes (Zounmevo 2016, chapter 5, repaired: docs/epochs).
class WindowCore {
 public:
  /// What a rank may have pushed to another one that hasn't carried it out, in bytes of records.
  static constexpr std::uint64_t credit = 128 << 10;
  /// More than so many bytes, where they are contiguous, travel as a message of their own.
  static constexpr std::size_t largest_inline = 2048;
  /// Up to so many, they leave together with what is said next; longer ones at once.
  static constexpr std::size_t largest_unhurried = 64 << 10;

  /// Collective. Throws an internal failure for a negative number of elements.
  WindowCore(const CartComm& cart, WindowMemory memory, plan::Count elements,
             const std::type_info& element, std::size_t element_size, WindowOptions options);
  WindowCore(const WindowCore&) = delete;
  WindowCore& operator=(const WindowCore&) = delete;
  ~WindowCore();
  /// Collective. Throws an internal failure that lists epochs that aren't complete.
  void free();

  [[nodiscard]] std::byte* memory() const noexcept { return memory_; }
  [[nodiscard]] plan::Count elements_of(int rank) const { return peer(rank).elements; }
  /// Null: only epochs reach it.
  [[nodiscard]] std::byte* direct(int rank) const;
  [[nodiscard]] const WindowOptions& options() const noexcept { return options_; }
  [[nodiscard]] bool has_mpi_window() const noexcept { return mpi_window_ != nullptr; }

  // What a program does.
  [[nodiscard]] Epoch& open(EpochKind kind, std::span<const int> group, Lock lock, CallSite site);
  void issue(Epoch& epoch, int target, const RemoteOperation& operation);
  [[nodiscard]] RequestState& flush(Epoch& epoch, std::optional<int> target, bool local,
                                    CallSite site);
  /// Null: it is complete already.
  [[nodiscard]] RequestState* close(Epoch& epoch, const char* what, CallSite site);
  [[noreturn]] void refuse_open_end(const Epoch& epoch) const;

  // What the space does.
  void progress();
  /// Long messages, behind their records.
  void send_long();
  [[nodiscard]] bool has_work() const noexcept {
    return !epochs_.is_empty() || !transfers_.empty() || !served_.empty() || !lock_waiters_.empty();
  }
  void receive(int from, const Record& record, std::span<const std::byte> bytes);
  void check_time(const RequestState& request, std::chrono::steady_clock::time_point begin) const;

 private:
  friend class WindowSpace;
  [[nodiscard]] Peer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Peer& peer(int rank) const { return peers_[static_cast<std::size_t>(rank)]; }

  // Set-up: window_setup.cpp.
  void make_memory(const CartComm& cart, plan::Count elements, bool is_own);
  void share_memory(const CartComm& cart, const NodeMemory& node, std::size_t data);
  void learn_peers(const CartComm& cart, plan::Count elements, const std::type_info& element);
  void make_mpi_window(const CartComm& cart);

  // Epochs: window_core.cpp.
  void require_openable(EpochKind kind, std::span<const int> group) const;
  [[nodiscard]] std::uint64_t next_id(EpochKind kind, int rank);
  Side& add_side(Epoch& epoch, int rank);
  [[nodiscard]] Side& side_for(Epoch& epoch, int rank);
  [[nodiscard]] RequestState* close_guarded(Epoch& epoch, const char* what, CallSite site);
  [[nodiscard]] bool enters_at_once(Epoch& epoch);
  [[nodiscard]] bool leaves_at_once(Epoch& epoch);
  void activate_ready();
  [[nodiscard]] bool may_activate(Epoch& epoch);
  [[nodiscard]] bool joins_active(const Epoch& epoch) const;
  /// Its locks can follow others: those of this rank's own memory, and by records.
  [[nodiscard]] bool is_told_to_begin(int rank) const { return rank == me_ || !peer(rank).block; }
  [[nodiscard]] bool ends_chain(const Epoch& active) const;
  [[nodiscard]] bool follows_by_itself(const Epoch& lock) const;
  void let_follow(Epoch& lock);
  [[nodiscard]] bool accesses_are_done(const Epoch& lock);
  [[nodiscard]] bool accesses_are_done(int rank);
  void begin(Epoch& epoch);
  void activate(Epoch& epoch);
  void tell_of_fence(const Epoch& epoch);
  void note_if_complete(Epoch& epoch);
  void finish_complete();
  void finish(Epoch& epoch);
  void finish(Side& side);
  void issue_on_host(Side& side, const RemoteOperation& operation);
  void require_inside(int target, const RemoteOperation& operation) const;

  // Origins: window_origin.cpp.
  void take_turn(Side& side);
  void await_answer(Side& side);
  void watch(int rank);
  void advance_watched();
  void advance(Peer& other);
  void drain(Side& side);
  void close_side(Side& side);
  void leave_lock(const SharedBlock& block, Lock kind);
  [[nodiscard]] bool has_answered(const Side& side) const;
  [[nodiscard]] bool may_send(Side& side);
  [[nodiscard]] bool enter_memory(Side& side);
  [[nodiscard]] bool goes_by_records(const Side& side) const {
    return side.is_pushed || !peer(side.rank).block;
  }
  /// An epoch of this rank's, sent as records, hasn't been carried out there.
  [[nodiscard]] bool has_pushed(const Side& side) const {
    const Peer& target = peer(side.rank);
    return target.block && target.pushes > 0 && !side.is_pushed &&
           SharedAccess::load(target.block.grant(peer(me_).member).pushes) < target.pushes;
  }
  [[nodiscard]] bool may_push(const Side& side) const;
  /// How many of its elements have left by now.
  [[nodiscard]] plan::Count send(Side& side, const RemoteOperation& operation, plan::Count first);
  [[nodiscard]] bool send_large(Side& side, const RemoteOperation& operation);
  [[nodiscard]] bool send_direct(Side& side, const RemoteOperation& operation);
  [[nodiscard]] bool is_known_ready(const Side& side) const;
  [[nodiscard]] bool awaits_lock(Side& side);
  [[nodiscard]] bool has_landed(Side& side) const;
  void carry_out_in_memory(int target, const RemoteOperation& operation);
  [[nodiscard]] bool send_part(Side& side, const RemoteOperation& operation, OperationPart part);
  /// Of elements: null where no other rank reaches the memory by itself.
  [[nodiscard]] std::uint64_t* guard_of(const SharedBlock& block) const {
    return lease_ ? &block.guard().word : nullptr;
  }
  [[nodiscard]] bool take_credit(Peer& to, std::size_t bytes);
  std::byte* append(int to, Record record);
  void queue(Side& side, const QueuedOperation& operation);
  void start_flush(Side& side, const QueuedOperation& flush);
  void complete_flush(const Flush& flush);
  void test_transfers();
  void receive_answer(int from, const Record& record, std::span<const std::byte> bytes);

  // Operands on devices: window_staging.cpp.
  [[nodiscard]] StagedOperand& stage(Epoch& epoch, int target, plan::Count elements) const;
  /// The same operation with memory of the host, which is the epoch's.
  [[nodiscard]] RemoteOperation staged(Epoch& epoch, int target, RemoteOperation operation) const;
  void deliver_staged(Epoch& epoch, int target, std::uint64_t last);
  void deliver_staged(Epoch& epoch);
  void deliver(const StagedOperand& staged) const;

  // Targets: window_target.cpp.
  [[nodiscard]] bool process(int from, const Record& record, std::span<const std::byte> bytes);
  [[nodiscard]] bool is_ready_for(const Peer& from, const Record& record) const;
  void apply(int from, const Record& record, std::span<const std::byte> bytes);
  void carry_out_here(const RemoteOperation& operation, const OperationPart& part);
  void apply_large(int from, const OperationRecord& operation);
  void report_credit(int to);
  void let_begin(int rank, int origin, std::uint64_t id);
  void note_done(int from, const Record& record);
  void require_all_done(int from, const Record& record) const;
  void retry_held();
  void serve_locks();

  // Words: window_diagnosis.cpp.
  [[nodiscard]] std::string describe(const Epoch& epoch) const;
  [[nodiscard]] std::string list_of_epochs() const;
  [[nodiscard]] std::string missing(const Side& side) const;
  [[nodiscard]] std::string incomplete(const Epoch& epoch) const;
  [[nodiscard]] std::string awaited_while_open(const Epoch& epoch) const;

  const CartComm* cart_;
  std::shared_ptr<WindowSpace> space_;
  WindowOptions options_;
  std::size_t element_size_;
  int me_;
  std::byte* memory_ = nullptr;
  const DeviceCopies* device_ = nullptr;  // of memory_; null: of the host
  bool has_message_peers_ = false;
  std::unique_ptr<MpiWindow> mpi_window_;  // null: long operations are messages
  bool is_freed_ = false;
  bool is_listed_ = false;  // among the busy ones of the space
  std::uint32_t number_ = 0;
  int lane_ = 0;  // of its long messages
  std::optional<rt::Lease> lease_;
  rt::AlignedMemory own_memory_;
  SharedBlock mine_;
  std::vector<Peer> peers_;
  std::vector<int> everybody_;

  Pool<Epoch> epoch_pool_;
  Pool<QueuedOperation> operation_pool_;
  EpochList epochs_;              // that aren't complete
  std::size_t active_locks_ = 0;  // epochs of that kind
  std::vector<Epoch*> open_;      // the program hasn't closed them
  std::vector<Epoch*> complete_;  // and have to be finished
  std::vector<int> watched_;      // ranks with sides that take turns or wait for answers
  std::uint64_t epochs_opened_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t closed_at_once_ = 0;
  std::uint64_t fences_ = 0;  // opened
  std::uint64_t fences_active_ = 0;
  bool has_moved_ = false;       // something, so that others may go on
  bool is_dirty_ = false;        // something has come, or waits to leave
  bool watches_memory_ = false;  // what others write there completes something
  std::vector<Unsent> unsent_;   // in the order of their records
  std::vector<Transfer> transfers_;
  std::vector<Served> served_;
  std::vector<Awaited> awaited_;  // by number
  std::vector<std::uint64_t> free_awaited_;
  std::vector<Flush> flushes_;  // by number
  std::vector<std::uint64_t> free_flushes_;
  std::vector<Flush> late_flushes_;  // long messages are still under way
  std::vector<int> held_peers_;
  std::vector<int> unconfirmed_;  // ranks that may not have exposed their memory to what was sent
  std::vector<int> lock_waiters_;
};

}  // namespace cartwright::comm
