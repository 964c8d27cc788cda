// SPDX-License-Identifier: Apache-2.0
#include "panels.hpp"

#include <algorithm>
#include <cartwright/rt/point_to_point.hpp>
#include <memory>
#include <vector>

namespace matmul {

namespace comm = cartwright::comm;
namespace plan = cartwright::plan;
namespace rt = cartwright::rt;

namespace {

/// All segments of one roll. Collectives keep to communicators of their own, so that these messages
/// meet nobody else's.
class Shift final : public rt::Operation {
 public:
  Shift(const rt::Communicator& line, int distance, std::span<const double> out,
        std::span<double> in, std::size_t segment) {
    constexpr rt::Tag tag{72};  // messages of one pair of ranks arrive in order
    const int size = line.size();
    const int me = line.rank().value;
    const rt::Rank to{(me + size - distance) % size}, from{(me + distance) % size};
    for (std::size_t at = 0; at < in.size(); at += segment)
      messages_.push_back(
          rt::ireceive(line, in.subspan(at, std::min(segment, in.size() - at)), from, tag));
    for (std::size_t at = 0; at < out.size(); at += segment)
      messages_.push_back(
          rt::isend(line, out.subspan(at, std::min(segment, out.size() - at)), to, tag));
  }
  bool advance() override {
    while (done_ < messages_.size() && messages_[done_].test()) ++done_;
    return done_ == messages_.size();
  }

 private:
  std::vector<rt::Message> messages_;
  std::size_t done_ = 0;
};

/// What is quickest for a broadcast that one waits for moves it in pieces: through a ring in shared
/// memory, or along a chain. Each piece needs another poll, and between chunks of dgemm polls are
/// rare: measured on two ranks, waits took 17 % of the time with pieces and 1 % with whole
/// messages.
std::unique_ptr<comm::Backend> whole_messages(const comm::Collectives& line) {
  const comm::CollectivesOptions& options = line.options();
  const bool is_left_open = options.backend == "auto" && !options.supervision.is_on() &&
                            !options.knowledge->wanted.contains(plan::Operation::broadcast);
  if (!is_left_open || line.communicator().size() == 1) return nullptr;
  const char* tree = line.communicator().size() <= 4 ? "linear" : "binomial_low_bit_first";
  plan::Choice choice = plan::parse_choice(plan::Operation::broadcast, tree);
  return line.backends().running("p2p", [choice](const plan::Problem&) { return choice; });
}

}  // namespace

Panels::Panels(const comm::CartComm& cart)
    : cart_(cart), whole_messages_{whole_messages(cart.along(0)), whole_messages(cart.along(1))} {}

std::string Panels::describe() const {
  if (!whole_messages_[0] && !whole_messages_[1]) return "as comm.backend says";
  return "p2p, in whole messages: between chunks of dgemm polls are rare";
}

comm::Pending Panels::start_broadcast(int axis, std::span<double> panel, int root) const {
  if (cart_.dims()[static_cast<std::size_t>(axis)] == 1 || panel.empty()) return {};
  const auto& whole = whole_messages_[static_cast<std::size_t>(axis)];
  if (!whole) return cart_.along(axis).start_broadcast(panel, rt::Rank{root});
  auto broadcast = whole->prepare({.operation = plan::Operation::broadcast,
                                   .place = plan::Place::in_place,
                                   .output = reinterpret_cast<std::byte*>(panel.data()),
                                   .element = comm::element_of<double>(),
                                   .count = static_cast<plan::Count>(panel.size()),
                                   .root = rt::Rank{root},
                                   .site = comm::CallSite::here()});
  broadcast->start();
  return {cart_.engine(), std::move(broadcast)};
}

comm::Pending Panels::start_shift(int axis, int distance, std::span<const double> out,
                                  std::span<double> in, std::size_t segment) const {
  return {cart_.engine(), std::make_unique<Shift>(cart_.axis(axis), distance, out, in,
                                                  std::max<std::size_t>(segment, 1))};
}

}  // namespace matmul
