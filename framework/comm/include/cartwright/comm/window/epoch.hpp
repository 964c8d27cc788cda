// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/window/remote_operation.hpp>
#include <cartwright/comm/window/staged_operand.hpp>
#include <cartwright/comm/window/ticket_lock.hpp>
#include <cstdint>
#include <vector>

namespace cartwright::comm {

struct RequestState;

enum class EpochKind : std::uint8_t { access, exposure, fence, lock, lock_all };

/// What was issued before its epoch could carry it out; or, without elements, a flush.
struct QueuedOperation {
  RemoteOperation operation{};
  plan::Count issued = 0;           ///< elements of it
  RequestState* flushed = nullptr;  ///< what a flush completes
  std::uint64_t staged = 0;         ///< operands on devices before the flush
  bool is_local = false;            ///< the flush
  QueuedOperation* next = nullptr;
};

/// An epoch's part with one other rank.
struct Side {
  enum class Stage : std::uint8_t {
    open,     ///< operations may follow
    closing,  ///< all is sent; the other rank has to say something
    finished,
  };

  struct Epoch* epoch = nullptr;
  int rank = 0;
  Stage stage = Stage::open;
  bool is_granted = false;     ///< shared memory: operations may be carried out
  bool has_asked = false;      ///< for the lock
  bool is_pushed = false;      ///< as records, though there is shared memory
  bool asks_for_lock = false;  ///< whether it is held, for operations that need no more then
  bool has_records = false;    ///< of operations, sent to the other rank
  bool has_put = false;        ///< by MPI's window, since it was flushed
  bool follows = false;        ///< a lock: its target hears from the one before it when to begin
  std::uint64_t id = 0;        ///< among those of its class of this ordered pair of ranks
  std::uint64_t ticket = 0;    ///< of the lock, in shared memory
  std::uint32_t pending = 0;   ///< operations that have left and aren't complete here
  std::uint32_t direct = 0;    ///< of these by MPI's window
  QueuedOperation* first = nullptr;
  QueuedOperation* last = nullptr;
  const Side* follower = nullptr;  ///< a lock of this rank's memory: who hears that it is over
  Side* behind = nullptr;          ///< the next one in its SideQueue
};

/// An epoch, as the engine sees it: opened and closed by the program, active and complete when the
/// engine says so. May be closed before it is active.
struct Epoch {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  EpochKind kind = EpochKind::access;
  Lock lock = Lock::shared;
  bool is_active = false;
  bool is_chained = false;      ///< a lock that comes behind the active one before it by itself
  std::uint64_t number = 0;     ///< of the window's, on this rank
  std::uint64_t opened_at = 0;  ///< counts the openings and closings of the window
  std::uint64_t closed_at = never;
  std::uint64_t fence = 0;       ///< a fence's number
  std::uint32_t unfinished = 0;  ///< sides
  std::uint32_t pending = 0;     ///< operations that have left and aren't complete here
  std::vector<Side> sides;       ///< never more than there is room for from the beginning
  std::vector<int> side_of;      ///< by rank: its side, -1: none
  std::vector<StagedOperand> staged;
  std::uint64_t operands_staged = 0;
  RequestState* request = nullptr;
  CallSite site{};
  Epoch* before = nullptr;  ///< in the EpochList
  Epoch* after = nullptr;

  [[nodiscard]] bool is_closed() const noexcept { return closed_at != never; }
  [[nodiscard]] bool is_complete() const noexcept {
    return is_active && is_closed() && unfinished == 0 && pending == 0;
  }
};

/// Which epochs of a window may be active before those that were opened earlier are complete
/// (Zounmevo 2016, 5.5: the flags A_A_A_R, A_A_E_R, E_A_E_R and E_A_A_R). What such epochs read and
/// write must be disjoint: the caller's promise.
struct Reorder {
  bool access_after_access = false;
  bool access_after_exposure = false;
  bool exposure_after_exposure = false;
  bool exposure_after_access = false;
};

/// Whether `later` may be active beside `active`, which was opened before it and isn't complete
/// (rules 12 to 19, for every active one, not only the last). Those that the program held open at
/// the same time may always (post and start of a stencil would wait for each other otherwise).
/// `is_locked`: somebody holds this rank's memory.
[[nodiscard]] bool may_join(const Epoch& later, const Epoch& active, const Reorder& reorder,
                            bool is_locked);

}  // namespace cartwright::comm
