// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/execution/parted_message.hpp>
#include <cartwright/comm/execution/traffic.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/trace.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cartwright::comm {

class CartComm;
class DirectMemory;
class NeighbourEpochs;
class NodeMemory;
class Path;
template <class Access>
struct DirectWay;
struct LeasedPaths;
struct Piece;
struct SharedAccess;

/// What goes to one rank and comes from it each time, in bytes. 0: nothing.
struct NeighbourBytes {
  rt::Rank rank;
  std::size_t outgoing = 0;
  std::size_t incoming = 0;
  /// It had better be copied from memory to memory, where the ranks see each other's: said by both.
  bool prefers_direct = false;
};

/// Memory of a device in which messages are packed, and from which MPI sends them.
struct NeighbourMemory {
  std::shared_ptr<std::byte> data{};  ///< of NeighbourExchange::bytes_of
  void (*settle)() = nullptr;  ///< returns when all that was packed is there; null: the host's
};

/// From the memory of a neighbour, or to it.
enum class DirectCopy : std::uint8_t { none, from_neighbour, to_neighbour };

/// What the timeline calls the parts of an exchange.
struct NeighbourRegions {
  rt::RegionId pack, wait, unpack;
};

/// Messages of fixed lengths to and from some ranks, again and again: ghosts of fields, say.
/// Between `begin`, which has them packed and sent, and `complete`, which waits for what comes and
/// has it unpacked, the caller computes.
///
/// How they travel follows `comm.backend`. With `shared` and `auto` a message to a rank of the node
/// is packed into memory that both see, and unpacked from there: it is never copied in between, and
/// nobody waits for its reader, who may be one exchange behind; or, where both prefer that, not
/// packed at all but copied once, from memory to memory, by whichever of the two comes to it first.
/// With `rma` all go by one-sided epochs, each exposed one exchange ahead, on a node and between
/// nodes. All others are persistent messages of MPI's, which may wait for their receivers; so are
/// all from memory of a device that MPI takes itself, whatever the backend.
/// Allocates nothing after its construction.
class NeighbourExchange final : public rt::Operation {
 public:
  /// Collective over `cart`, which must outlive this. Each rank names a neighbour once; what is
  /// outgoing for the one is incoming for the other. `number`: unique among the exchanges of
  /// `cart`, alike on all ranks. `described`: bytes in which a rank says where its memory lies,
  /// alike on all; 0: all is packed. `memory`: of a device on all, or on none. Throws an internal
  /// failure for a rank named twice and, with `comm.checked`, for bytes that don't agree.
  NeighbourExchange(const CartComm& cart, const std::vector<NeighbourBytes>& neighbours, int number,
                    rt::Trace& trace, const NeighbourRegions& regions,
                    const rt::WaitSite& site = {"an exchange with neighbours"},
                    std::size_t described = 0, const NeighbourMemory& memory = {});
  /// Collective with `rma`, but while an exception unwinds.
  ~NeighbourExchange() override;

  /// What all its messages take, packed.
  [[nodiscard]] static std::size_t bytes_of(const std::vector<NeighbourBytes>& neighbours);

  /// What it sends each time.
  [[nodiscard]] const Traffic& traffic() const noexcept { return traffic_; }
  /// Begun and not completed.
  [[nodiscard]] bool busy() const noexcept { return busy_; }
  /// Messages are under way.
  [[nodiscard]] bool in_flight() const noexcept { return busy_ && !ways_.empty(); }

  /// `pack(n, to)` writes what goes to neighbour n: called for one after the other, in the order of
  /// the constructor, and each message leaves when it has returned (from a device's memory: when
  /// all are packed).
  template <class Pack>
  void begin(const Pack& pack) {
    begin(
        pack, [](std::span<std::byte>) { return false; },
        [](std::size_t, DirectCopy, std::span<const std::byte>) {});
  }
  /// With neighbours whose memory this rank sees. `describe(to)` writes where this rank's lies; if
  /// it returns false, others don't reach it, and all is packed. `copy(n, which, theirs)` copies
  /// from the memory of neighbour n, as it has described it, or to it.
  template <class Pack, class Describe, class Copy>
  void begin(const Pack& pack, const Describe& describe, const Copy& copy) {
    if (settle_ != nullptr) return begin_on_device(pack);
    post();
    if (direct_ != nullptr) publish(describe(my_description()));
    {
      const rt::Timed timed(*trace_, regions_.pack);
      for (std::size_t n = 0; n < ways_.size(); ++n) {
        if (ways_[n].bytes.outgoing == 0 || ways_[n].is_offered) continue;
        pack(n, place_to_pack(n));
        send(n);
      }
    }
    if (direct_ != nullptr)
      for (std::size_t n = 0; n < ways_.size(); ++n) copy_what_is_ready(n, copy);
    set_off();
  }

  /// `unpack(n, from)` reads what neighbour n has sent: called in the order in which messages come.
  /// Returns when all have come and left, with the seconds in which there was nothing to do.
  template <class Unpack>
  double complete(const Unpack& unpack) {
    return complete(unpack, [](std::size_t, DirectCopy, std::span<const std::byte>) {});
  }
  /// `copy`: as for `begin`.
  template <class Unpack, class Copy>
  double complete(const Unpack& unpack, const Copy& copy) {
    double waited = 0;
    while (left_ > 0) {
      const std::size_t before = left_;
      for (std::size_t n = 0; n < ways_.size(); ++n) {
        copy_what_is_ready(n, copy);
        if (ways_[n].is_taken || !has_come(n)) continue;
        const rt::Timed timed(*trace_, regions_.unpack);
        unpack(n, ways_[n].arrived);
        release(ways_[n]);
        --left_;
      }
      if (left_ == before) waited += wait_for_next();
    }
    return waited + finish();
  }

  /// A neighbour has begun one that this rank hasn't: then they don't do the same.
  [[nodiscard]] bool is_behind() const;
  /// Polls once; true when all messages have left and come.
  bool test();
  /// The run ends: nobody waits any more.
  void abandon() noexcept;

  bool advance() override;
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return site_; }

 private:
  /// The way to one neighbour and back: a path, epochs, or messages of MPI's.
  struct Way {
    NeighbourBytes bytes;
    Path* path = nullptr;
    std::size_t staged = 0;  // on a path: where its two places to pack begin; else in `buffers_`
    std::size_t stride = 0;  // between the two
    PartedMessage outgoing, incoming;
    std::byte* landing = nullptr;        // where MPI puts what comes
    const std::byte* arrived = nullptr;  // where it lies; null: it hasn't come
    bool is_taken = true;
    // Where it may be copied.
    bool is_direct = false;
    DirectWay<SharedAccess>* in = nullptr;
    DirectWay<SharedAccess>* out = nullptr;
    bool is_offered = false;  // what goes there: not packed in this exchange
    bool is_given = true;     // that has been copied
  };

  /// What comes may land when what came before is unpacked, which one wait for the device tells, as
  /// it tells that all is packed.
  template <class Pack>
  void begin_on_device(const Pack& pack) {
    {
      const rt::Timed timed(*trace_, regions_.pack);
      for (std::size_t n = 0; n < ways_.size(); ++n)
        if (ways_[n].bytes.outgoing > 0) pack(n, place_to_pack(n));
      settle_();
    }
    post();
    for (std::size_t n = 0; n < ways_.size(); ++n)
      if (ways_[n].bytes.outgoing > 0) send(n);
    set_off();
  }

  void make_paths(const CartComm& cart);
  void make_direct_ways(const CartComm& cart, std::size_t described);
  [[nodiscard]] std::span<std::byte> my_description() const;
  void publish(bool is_open);
  /// Claims what there is to copy now; and notes what the neighbour has copied.
  [[nodiscard]] DirectCopy next_copy(std::size_t n);
  [[nodiscard]] std::span<const std::byte> their_description(std::size_t n) const;
  void note_copied(std::size_t n, DirectCopy which);
  void note_done(bool& done);
  /// Both have begun.
  [[nodiscard]] bool is_ready(const Way& way) const;
  [[nodiscard]] bool is_open(const Way& way) const;
  [[nodiscard]] bool may_go_on(const Way& way) const;
  template <class Copy>
  void copy_what_is_ready(std::size_t n, const Copy& copy) {
    if (!ways_[n].is_direct || (ways_[n].is_taken && ways_[n].is_given)) return;
    for (DirectCopy which; (which = next_copy(n)) != DirectCopy::none; note_copied(n, which)) {
      const rt::Timed timed(*trace_,
                            which == DirectCopy::to_neighbour ? regions_.pack : regions_.unpack);
      copy(n, which, their_description(n));
    }
  }
  void make_messages(const CartComm& cart, int number);
  void make_epochs(const CartComm& cart, int number);
  void post();
  [[nodiscard]] bool has_room();
  [[nodiscard]] std::byte* place_to_pack(std::size_t n) const;
  void send(std::size_t n);
  void set_off();
  [[nodiscard]] bool has_come(std::size_t n);
  [[nodiscard]] bool something_has_come();
  void release(Way& way);
  double wait_for_next();
  double finish();
  /// Nothing else is in flight, and MPI carries everything: MPI knows best how to wait.
  [[nodiscard]] bool may_block() const;
  void require_length(const Way& way, const Piece& piece) const;

  rt::ProgressEngine* engine_;
  rt::Trace* trace_;
  NeighbourRegions regions_;
  rt::WaitSite site_;
  std::shared_ptr<NodeMemory> memory_;
  std::shared_ptr<const rt::Communicator> messenger_;
  rt::Tag tag_{};
  std::unique_ptr<const LeasedPaths> paths_;
  std::unique_ptr<NeighbourEpochs> epochs_;
  std::shared_ptr<std::byte> buffers_;  // of MPI's messages
  void (*settle_)() = nullptr;          // where they lie on a device
  std::vector<Way> ways_;
  std::unique_ptr<DirectMemory> direct_;
  rt::Rank me_;
  std::uint64_t begun_ = 0;   // exchanges with direct ways
  std::size_t incoming_ = 0;  // messages
  std::size_t left_ = 0;      // in the present exchange: messages, and what others copy from here
  Traffic traffic_;
  bool is_all_on_paths_ = false;
  bool is_all_by_messages_ = true;
  bool busy_ = false;
};

}  // namespace cartwright::comm
