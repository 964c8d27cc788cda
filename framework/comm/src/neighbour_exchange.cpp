// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/execution/tag_space.hpp>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/aligned_memory.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "direct_memory.hpp"
#include "neighbour_epochs.hpp"
#include "neighbour_parts.hpp"

namespace cartwright::comm {

namespace {

/// One message that waits to be read, and one that is written meanwhile.
constexpr std::uint32_t places = 2;

constexpr int channel_of_neighbours = 2;

void require_one_of_each(const std::vector<NeighbourBytes>& neighbours, int ranks,
                         const char* name) {
  std::vector<int> named;
  for (const NeighbourBytes& each : neighbours) {
    named.push_back(each.rank.value);
    if (named.back() < 0 || named.back() >= ranks)
      throw rt::internal_failure(
          fmt::format("{}: rank {} is a neighbour, of {} ranks", name, named.back(), ranks),
          "A rank without a neighbour in some direction names none there.");
  }
  std::ranges::sort(named);
  if (const auto twice = std::ranges::adjacent_find(named); twice != named.end())
    throw rt::internal_failure(fmt::format("{}: rank {} is named twice", name, *twice),
                               "All that goes to one rank is one message: add its bytes up.");
}

/// Checked mode. Collective.
void require_agreement(const CartComm& cart, const std::vector<NeighbourBytes>& neighbours,
                       const char* name) {
  const auto ranks = static_cast<std::size_t>(cart.size());
  std::vector<std::uint64_t> outgoing(ranks), incoming(ranks), theirs(ranks);
  for (const NeighbourBytes& each : neighbours) {
    const auto rank = static_cast<std::size_t>(each.rank.value);
    outgoing[rank] = each.outgoing;
    incoming[rank] = each.incoming;
  }
  cart.all().alltoall(std::span<const std::uint64_t>(outgoing), std::span<std::uint64_t>(theirs));
  struct Dispute {
    std::size_t sender;  // as many as there are ranks: none
    std::uint64_t sent = 0, expected = 0;
  };
  Dispute mine{
      static_cast<std::size_t>(std::ranges::mismatch(theirs, incoming).in1 - theirs.begin())};
  if (mine.sender < ranks) mine = {mine.sender, theirs[mine.sender], incoming[mine.sender]};
  // So that all ranks say the same.
  const auto all = rt::collected(cart.communicator(), mine);
  const auto first =
      std::ranges::find_if(all, [ranks](const Dispute& each) { return each.sender < ranks; });
  if (first != all.end())
    throw rt::internal_failure(
        fmt::format("{}: rank {} sends {} bytes to rank {}, which expects {}", name, first->sender,
                    first->sent, first - all.begin(), first->expected),
        "What is outgoing for the one is incoming for the other.", rt::Reach::all_ranks);
}

}  // namespace

NeighbourExchange::NeighbourExchange(const CartComm& cart,
                                     const std::vector<NeighbourBytes>& neighbours, int number,
                                     rt::Trace& trace, const NeighbourRegions& regions,
                                     const rt::WaitSite& site, std::size_t described,
                                     const NeighbourMemory& memory)
    : engine_(&cart.engine()),
      trace_(&trace),
      regions_(regions),
      site_(site),
      buffers_(memory.data),
      settle_(memory.settle),
      me_(cart.rank()) {
  require_one_of_each(neighbours, cart.size(), site.name);
  if (cart.all().context().settings.checked) require_agreement(cart, neighbours, site.name);
  for (const NeighbourBytes& bytes : neighbours) {
    if (bytes.outgoing == 0 && bytes.incoming == 0) continue;
    ways_.emplace_back().bytes = bytes;
    if (bytes.incoming > 0) ++incoming_;
    if (bytes.outgoing == 0) continue;
    const bool off_node = cart.is_off_node(bytes.rank);
    (off_node ? traffic_.messages_off_node : traffic_.messages_on_node) +=
        parts_of_message(cart, bytes.rank, bytes.outgoing);
    (off_node ? traffic_.bytes_off_node : traffic_.bytes_on_node) +=
        static_cast<std::int64_t>(bytes.outgoing);
  }
  if (settle_ != nullptr) {
    make_messages(cart, number);
  } else if (traits_of(cart.all().context().settings.backend).is_one_sided && cart.size() > 1) {
    make_epochs(cart, number);
  } else {
    make_paths(cart);
    if (described > 0) make_direct_ways(cart, described);
    make_messages(cart, number);
  }
}

NeighbourExchange::~NeighbourExchange() {
  // An exception unwinds, and something may still come.
  if (busy_) (void)new (std::nothrow) std::shared_ptr<std::byte>(buffers_);
  if (epochs_ == nullptr || busy_ || rt::unwinding()) return;
  try {
    epochs_->close();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
    // A neighbour has failed: who waits for it next says so.
  }
}

std::size_t NeighbourExchange::bytes_of(const std::vector<NeighbourBytes>& neighbours) {
  std::size_t bytes = 0;
  for (const NeighbourBytes& each : neighbours)
    bytes += in_lines(each.outgoing) + in_lines(each.incoming);
  return bytes;
}

void NeighbourExchange::make_epochs(const CartComm& cart, int number) {
  const P2pChannel channel = cart.all().context().tags->channel(channel_of_neighbours);
  tag_ = rt::Tag{channel.tag_of(static_cast<std::uint64_t>(number))};
  std::vector<NeighbourBytes> neighbours;
  for (const Way& way : ways_) neighbours.push_back(way.bytes);
  epochs_ = std::make_unique<NeighbourEpochs>(cart, channel, tag_, neighbours, site_);
  is_all_on_paths_ = true;  // nothing of MPI's is started or waited for
  is_all_by_messages_ = false;
}

void NeighbourExchange::make_paths(const CartComm& cart) {
  const Context& context = cart.all().context();
  memory_ = context.memory;
  if (memory_ == nullptr || !memory_->usable() || cart.size() == 1) return;
  std::size_t bytes = 0;
  for (Way& way : ways_) {
    way.staged = bytes;
    way.stride = in_lines(way.bytes.outgoing);
    bytes += places * way.stride;
  }
  const MailboxShape shape{.lanes = 1, .entries = places, .staging = 0, .slot = 0};
  std::optional<LeasedPaths> leased = memory_->lease_paths(cart.communicator(), shape, bytes);
  if (!leased) return;
  paths_ = std::make_unique<const LeasedPaths>(*std::move(leased));
  MailboxLane& lane = paths_->paths.mailboxes->lane(0);
  for (Way& way : ways_) {
    const int member = paths_->paths.members[static_cast<std::size_t>(way.bytes.rank.value)];
    if (member >= 0) way.path = &lane.path(member);
  }
}

/// Who can't be reached directly in some exchange goes by its path.
void NeighbourExchange::make_direct_ways(const CartComm& cart, std::size_t described) {
  direct_ = DirectMemory::make(cart, described);
  if (direct_ == nullptr) return;
  for (Way& way : ways_) {
    const NeighbourBytes& bytes = way.bytes;
    way.is_direct = bytes.prefers_direct && bytes.outgoing > 0 && bytes.incoming > 0 &&
                    way.path != nullptr && direct_->reaches(bytes.rank.value);
    if (!way.is_direct) continue;
    way.in = &direct_->way(bytes.rank.value, me_.value);
    way.out = &direct_->way(me_.value, bytes.rank.value);
  }
}

std::span<std::byte> NeighbourExchange::my_description() const {
  return direct_->description(me_.value, begun_);
}

void NeighbourExchange::publish(bool is_open) {
  for (Way& way : ways_) {
    way.is_offered = way.is_direct && is_open;
    way.is_given = !way.is_offered;
    if (way.is_offered) ++left_;
  }
  DirectPlace& place = direct_->place(me_.value, begun_);
  place.is_open = is_open ? 1 : 0;
  SharedAccess::store(place.exchange, begun_);
  for (const Way& way : ways_)
    if (way.is_direct) way.path->wake_other();
}

std::span<const std::byte> NeighbourExchange::their_description(std::size_t n) const {
  return direct_->description(ways_[n].bytes.rank.value, begun_);
}

bool NeighbourExchange::is_ready(const Way& way) const {
  return SharedAccess::load(direct_->place(way.bytes.rank.value, begun_).exchange) == begun_;
}

bool NeighbourExchange::is_open(const Way& way) const {
  return direct_->place(way.bytes.rank.value, begun_).is_open != 0;
}

DirectCopy NeighbourExchange::next_copy(std::size_t n) {
  Way& way = ways_[n];
  if (!is_ready(way)) return DirectCopy::none;
  const bool theirs_is_open = is_open(way);
  if (theirs_is_open && !way.is_taken) {
    if (way.in->claim(begun_)) return DirectCopy::from_neighbour;
    if (way.in->is_done(begun_)) note_done(way.is_taken);
  }
  if (!way.is_given) {
    if (theirs_is_open && way.out->claim(begun_)) return DirectCopy::to_neighbour;
    if (way.out->is_done(begun_)) note_done(way.is_given);
  }
  return DirectCopy::none;
}

void NeighbourExchange::note_copied(std::size_t n, DirectCopy which) {
  Way& way = ways_[n];
  const bool is_incoming = which == DirectCopy::from_neighbour;
  (is_incoming ? way.in : way.out)->finish(begun_);
  way.path->wake_other();
  note_done(is_incoming ? way.is_taken : way.is_given);
}

void NeighbourExchange::note_done(bool& done) {
  done = true;
  --left_;
}

bool NeighbourExchange::may_go_on(const Way& way) const {
  if (!is_ready(way)) return false;
  const bool theirs_is_open = is_open(way);
  const auto moves = [&](const DirectWay<>& to) {
    return to.is_done(begun_) || (theirs_is_open && !to.is_claimed(begun_));
  };
  return (!way.is_taken && theirs_is_open && moves(*way.in)) || (!way.is_given && moves(*way.out));
}

void NeighbourExchange::make_messages(const CartComm& cart, int number) {
  const auto is_by_messages = [](const Way& way) { return way.path == nullptr; };
  is_all_on_paths_ = std::ranges::none_of(ways_, is_by_messages);
  is_all_by_messages_ = std::ranges::all_of(ways_, is_by_messages);
  if (is_all_on_paths_) return;
  const P2pChannel channel = cart.all().context().tags->channel(channel_of_neighbours);
  tag_ = rt::Tag{channel.tag_of(static_cast<std::uint64_t>(number))};
  messenger_ = channel.communicator();
  std::vector<NeighbourBytes> all;
  for (const Way& way : ways_)
    if (is_by_messages(way)) all.push_back(way.bytes);
  if (buffers_ == nullptr) buffers_ = rt::aligned_memory(bytes_of(all));
  std::byte* next = buffers_.get();
  for (Way& way : ways_) {
    if (!is_by_messages(way)) continue;
    const rt::Rank peer{channel.address(way.bytes.rank.value)};
    const std::span<std::byte> out(next, way.bytes.outgoing);
    way.staged = static_cast<std::size_t>(next - buffers_.get());
    next += in_lines(out.size());
    const std::span<std::byte> in(next, way.bytes.incoming);
    way.landing = next;
    next += in_lines(in.size());
    const auto parts = [&](std::span<std::byte> data) {
      return parts_of_message(cart, way.bytes.rank, data.size());
    };
    if (!out.empty()) way.outgoing = PartedMessage::sent(*messenger_, out, peer, tag_, parts(out));
    if (!in.empty()) way.incoming = PartedMessage::received(*messenger_, in, peer, tag_, parts(in));
  }
}

void NeighbourExchange::post() {
  if (busy_) throw rt::internal_failure("an exchange with neighbours was begun twice");
  // A neighbour whose last message has been read has read the last but one from here, unless
  // nothing comes from it.
  engine_->wait_until([this] { return has_room(); }, *this);
  busy_ = true;
  left_ = incoming_;
  ++begun_;
  if (epochs_ != nullptr) epochs_->begin();
  for (Way& way : ways_) {
    way.is_taken = way.bytes.incoming == 0;
    way.arrived = nullptr;
    if (way.incoming.is_valid()) way.incoming.start();
  }
}

bool NeighbourExchange::has_room() {
  if (epochs_ != nullptr) return epochs_->has_room();
  return std::ranges::all_of(ways_,
                             [](Way& way) { return way.path == nullptr || way.path->has_room(); });
}

std::byte* NeighbourExchange::place_to_pack(std::size_t n) const {
  if (epochs_ != nullptr) return epochs_->place_to_pack(n);
  const Way& way = ways_[n];
  if (way.path == nullptr) return buffers_.get() + way.staged;
  return paths_->memory.data() + way.staged + way.path->posted() % places * way.stride;
}

void NeighbourExchange::send(std::size_t n) {
  Way& way = ways_[n];
  if (epochs_ != nullptr)
    epochs_->send(n);
  else if (way.path == nullptr)
    way.outgoing.start();
  else
    way.path->post_in_place(static_cast<std::size_t>(place_to_pack(n) - paths_->memory.data()),
                            way.bytes.outgoing);
}

void NeighbourExchange::set_off() {
  if (!ways_.empty()) engine_->add(*this);
}

void NeighbourExchange::require_length(const Way& way, const Piece& piece) const {
  const std::size_t told = std::min<std::size_t>(way.bytes.incoming, largest_piece);
  if (piece.length == told) return;
  throw rt::internal_failure(fmt::format("{}: rank {} sends {} bytes where {} are expected",
                                         site_.name, way.bytes.rank.value, piece.length,
                                         way.bytes.incoming));
}

bool NeighbourExchange::has_come(std::size_t n) {
  Way& way = ways_[n];
  if (way.arrived != nullptr || way.is_taken) return true;
  if (way.is_direct && (!is_ready(way) || is_open(way))) return false;
  if (epochs_ != nullptr) {
    way.arrived = epochs_->arrived(n);
  } else if (way.path == nullptr) {
    if (way.incoming.test()) way.arrived = way.landing;
  } else if (Piece piece; way.path->peek(piece)) {
    require_length(way, piece);
    way.arrived = way.path->bytes(piece);
  }
  return way.arrived != nullptr;
}

void NeighbourExchange::release(Way& way) {
  way.is_taken = true;
  if (way.path != nullptr) way.path->pop();
}

bool NeighbourExchange::something_has_come() {
  for (std::size_t n = 0; n < ways_.size(); ++n)
    if ((ways_[n].is_direct && may_go_on(ways_[n])) || (!ways_[n].is_taken && has_come(n)))
      return true;
  return false;
}

bool NeighbourExchange::advance() {
  bool is_complete = true;
  for (std::size_t n = 0; n < ways_.size(); ++n) {
    Way& way = ways_[n];
    // What lies open to both is copied when that is waited for.
    const bool can_be_copied = way.is_direct && is_ready(way) && is_open(way);
    is_complete = (can_be_copied || has_come(n)) && is_complete;
    if (way.is_direct && !can_be_copied && !way.is_given)
      is_complete = way.out->is_done(begun_) && is_complete;
    if (way.outgoing.is_valid()) is_complete = way.outgoing.test() && is_complete;
  }
  return is_complete;
}

bool NeighbourExchange::is_behind() const {
  if (busy_) return false;
  if (epochs_ != nullptr) {
    engine_->poll();
    return epochs_->is_behind();
  }
  Piece piece;
  for (const Way& way : ways_) {
    if (way.path != nullptr && way.path->peek(piece)) return true;
    if (!way.is_direct) continue;
    const DirectPlace& next = direct_->place(way.bytes.rank.value, begun_ + 1);
    if (SharedAccess::load(next.exchange) == begun_ + 1) return true;
  }
  if (is_all_on_paths_) return false;
  int found = 0;
  rt::mpi_check(
      MPI_Iprobe(MPI_ANY_SOURCE, tag_.value, messenger_->handle(), &found, MPI_STATUS_IGNORE),
      "MPI_Iprobe");
  return found != 0;
}

bool NeighbourExchange::test() {
  engine_->poll();
  return !engine_->is_active(*this);
}

void NeighbourExchange::abandon() noexcept {
  engine_->remove(*this);
}

bool NeighbourExchange::may_block() const {
  return is_all_by_messages_ && !engine_->oversubscribed() && engine_->is_alone(*this);
}

double NeighbourExchange::wait_for_next() {
  const rt::Trace::Mark mark = trace_->open(regions_.wait);
  if (may_block()) {
    const auto next = std::ranges::find_if(ways_, [](const Way& way) { return !way.is_taken; });
    next->incoming.wait(site_);
    next->arrived = next->landing;
  } else {
    engine_->wait_until([this] { return something_has_come(); }, *this);
  }
  return rt::seconds_between(mark.begin, trace_->close(regions_.wait, mark));
}

double NeighbourExchange::finish() {
  double waited = 0;
  if (!is_all_on_paths_ && !advance()) {
    const rt::Trace::Mark mark = trace_->open(regions_.wait);
    if (may_block()) {
      for (Way& way : ways_)
        if (way.outgoing.is_valid()) way.outgoing.wait(site_);
    } else {
      engine_->wait(*this);
    }
    waited = rt::seconds_between(mark.begin, trace_->close(regions_.wait, mark));
  }
  engine_->remove(*this);
  busy_ = false;
  return waited;
}

}  // namespace cartwright::comm
