// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/memory_room.hpp>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "process_parking.hpp"
#include "random_word.hpp"
#include "shared_file.hpp"

namespace cartwright::rt {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();

enum class Pages { refused, at_once, when_touched };

/// What a rank of the group says of itself.
struct Wish {
  std::uint64_t bytes;
  std::uint64_t room;           ///< that it sees
  std::uint64_t untouched;      ///< promised before, and perhaps not touched yet
  std::uint64_t must_be_taken;  ///< 1: reserving is no promise here
  std::uint64_t parking;        ///< where it sleeps; 0: nowhere
  std::int64_t place;           ///< … its number there
};

/// What an arena keeps for itself: this with the node's first rank, and then a place of each.
struct alignas(line) Head {
  std::atomic<std::uint64_t> untouched{0};
  std::uint64_t id = 0;  ///< of this memory: no other on this host has it
};

ParkingPlace& place_in(const Lease& head, int member) {
  return *reinterpret_cast<ParkingPlace*>(head.part(member).data() + sizeof(Head));
}

/// Those of the group that sleep where this rank sees it.
std::vector<Waker> wakers_of(const std::vector<Wish>& wishes, std::size_t me) {
  const ProcessParking mine = process_parking();
  std::vector<Waker> wakers(wishes.size());
  for (std::size_t member = 0; member < wishes.size(); ++member)
    if (member != me && mine.id != 0 && wishes[member].parking == mine.id)
      wakers[member] = Waker(place_in(*mine.memory, static_cast<int>(wishes[member].place)));
  return wakers;
}

std::size_t rounded_up(std::size_t bytes, std::size_t multiple) {
  if (bytes > everything - multiple) return everything / multiple * multiple;
  return (bytes + multiple - 1) / multiple * multiple;
}

/// Where the parts of a lease lie.
struct Layout {
  std::vector<std::size_t> begins;
  std::size_t bytes = 0;  ///< whole pages

  explicit Layout(const std::vector<Wish>& wishes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (const Wish& wish : wishes) {
      bytes = rounded_up(bytes, wish.bytes >= page ? page : line);
      begins.push_back(bytes);
      bytes = wish.bytes > everything - bytes ? everything : bytes + wish.bytes;
    }
    bytes = rounded_up(bytes, page);
  }
};

/// Little is always taken at once. Much is only where it would be missed: pages of large leases may
/// never be touched.
Pages decide(const std::vector<Wish>& wishes, std::size_t bytes) {
  constexpr std::size_t little = std::size_t{1} << 20;
  std::uint64_t room = everything;
  bool must_be_taken = false;
  for (const Wish& wish : wishes) {
    room = std::min(room, wish.room - std::min(wish.untouched, wish.room));
    must_be_taken = must_be_taken || wish.must_be_taken != 0;
  }
  if (bytes > room - room / 8) return Pages::refused;  // the system needs some, too
  if (must_be_taken || bytes <= little || bytes > room / 4) return Pages::at_once;
  return Pages::when_touched;
}

/// For a rank that shares with nobody.
Mapping map_alone(std::size_t bytes, Pages pages) {
  Mapping mapping(-1, bytes);
  if (pages == Pages::at_once && !mapping.bytes().empty())
    std::memset(mapping.bytes().data(), 0, bytes);
  return mapping;
}

/// Bytes that are reserved, counted where all ranks of the node see them.
class Promise {
 public:
  Promise(std::shared_ptr<const Lease> head, std::atomic<std::uint64_t>& count, std::uint64_t bytes)
      : head_(std::move(head)), count_(count), bytes_(bytes) {
    count_.fetch_add(bytes_, std::memory_order_relaxed);
  }
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise() { count_.fetch_sub(bytes_, std::memory_order_relaxed); }

 private:
  std::shared_ptr<const Lease> head_;
  std::atomic<std::uint64_t>& count_;
  std::uint64_t bytes_;
};

/// From now on this process sleeps there, where those that share its memory see it.
void sleep_in(const std::shared_ptr<const Lease>& head) {
  if (head->members() == 1) return;
  offer_parking({.memory = head,
                 .id = reinterpret_cast<const Head*>(head->part(0).data())->id,
                 .place = &place_in(*head, head->me())});
}

}  // namespace

struct Arena::State {
  State(const Communicator& world, Options wanted) : nodes(world), options(std::move(wanted)) {
    if (options.folders.empty()) options.folders = folders_in_memory();
  }

  [[nodiscard]] std::optional<Lease> lease(const Communicator& group, std::size_t bytes) const;
  [[nodiscard]] Mapping map_shared(const Communicator& group, const Layout& layout,
                                   std::size_t my_bytes, Pages pages) const;
  [[nodiscard]] Wish wish_for(std::size_t bytes) const;
  [[nodiscard]] std::atomic<std::uint64_t>* untouched() const {
    return head ? &reinterpret_cast<Head*>(head->part(0).data())->untouched : nullptr;
  }

  NodeGroup nodes;
  Options options;
  std::optional<Way> way;
  mutable RecentMemoryRoom recent_room;
  std::shared_ptr<const Lease> head;  ///< memory of the whole node for the arena itself
};

Wish Arena::State::wish_for(std::size_t bytes) const {
  const MemoryRoom seen = recent_room.before(bytes);
  const auto* const promised = untouched();
  const ProcessParking sleeps = process_parking();
  return {.bytes = bytes,
          .room = options.room.value_or(seen.bytes),
          .untouched = promised != nullptr ? promised->load(std::memory_order_relaxed) : 0,
          .must_be_taken = seen.reserving_is_no_promise || way == Way::file ? 1U : 0U,
          .parking = sleeps.id,
          .place = sleeps.id != 0 ? sleeps.memory->me() : 0};
}

/// Empty on all ranks if it fails on one.
Mapping Arena::State::map_shared(const Communicator& group, const Layout& layout,
                                 std::size_t my_bytes, Pages pages) const {
  SharedFile file;
  if (group.is_root()) file = SharedFile::create(*way, options.folders, layout.bytes);
  const SharedFile::Address address = shared(group, file.address());
  if (!group.is_root()) file = SharedFile::open(address);
  Mapping mapping;
  if (file) mapping = Mapping(file.descriptor(), layout.bytes);
  const std::size_t my_begin = layout.begins[static_cast<std::size_t>(group.rank().value)];
  const bool here =
      !mapping.bytes().empty() && (pages != Pages::at_once || file.take_pages(my_begin, my_bytes));
  if (!on_all_ranks(group, here)) mapping = {};
  return mapping;  // and closes the file, and removes its name, as all have it by now
}

std::optional<Lease> Arena::State::lease(const Communicator& group, std::size_t bytes) const {
  const std::vector<Wish> wishes = collected(group, wish_for(bytes));
  const Layout layout(wishes);
  const Pages pages = decide(wishes, layout.bytes);
  const bool alone = group.size() == 1;
  if (pages == Pages::refused || (!alone && !way)) return std::nullopt;
  Lease lease;
  lease.me_ = group.rank().value;
  lease.parts_.resize(wishes.size());
  lease.wakers_ = wakers_of(wishes, static_cast<std::size_t>(lease.me_));
  if (layout.bytes == 0) return lease;
  lease.mapping_ = alone ? map_alone(layout.bytes, pages) : map_shared(group, layout, bytes, pages);
  const auto all = lease.mapping_.bytes();
  if (all.empty()) return std::nullopt;
  for (std::size_t member = 0; member < wishes.size(); ++member)
    lease.parts_[member] = all.subspan(layout.begins[member], wishes[member].bytes);
  if (pages == Pages::when_touched && head)
    lease.promise_ = std::make_shared<const Promise>(head, *untouched(), bytes);
  return lease;
}

Arena::Arena(const Communicator& world, Options options) {
  const auto state = std::make_shared<State>(world, std::move(options));
  const Communicator& node = state->nodes.comm();
  for (const Way way : state->options.ways) {
    state->way = way;
    auto head = state->lease(node, sizeof(Head) + sizeof(ParkingPlace));
    if (!head) continue;
    state->head = std::make_shared<const Lease>(std::move(*head));
    if (node.is_root()) new (state->head->mine().data()) Head{.id = random_word() | 1U};
    node.barrier();
    sleep_in(state->head);
    break;
  }
  if (!state->head) state->way.reset();
  state_ = state;
}

bool Arena::usable() const noexcept {
  return state_->way.has_value();
}

const NodeGroup& Arena::nodes() const {
  if (!state_) throw internal_failure("an arena that shares nothing was asked for its nodes");
  return state_->nodes;
}

std::string Arena::describe() const {
  if (!available()) return "the ranks of this node can't share memory";
  return *state_->way == Way::descriptor ? "memory without a name (memfd)"
                                         : "an unlinked file in " + state_->options.folders.front();
}

std::optional<Lease> Arena::lease(const Communicator& group, std::size_t bytes) const {
  if (!state_) return std::nullopt;
  return state_->lease(group, bytes);
}

}  // namespace cartwright::rt
