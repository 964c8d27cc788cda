// SPDX-License-Identifier: Apache-2.0
#include "panels.hpp"

#include <algorithm>
#include <cartwright/rt/point_to_point.hpp>
#include <memory>
#include <vector>

namespace matmul {

namespace comm = cartwright::comm;
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
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return {"a roll of panels"}; }

 private:
  std::vector<rt::Message> messages_;
  std::size_t done_ = 0;
};

}  // namespace

comm::Pending Panels::start_broadcast(int axis, std::span<double> panel, int root) const {
  if (cart_.dims()[static_cast<std::size_t>(axis)] == 1 || panel.empty()) return {};
  return cart_.along(axis).start_broadcast(panel, rt::Rank{root});
}

comm::Pending Panels::start_shift(int axis, int distance, std::span<const double> out,
                                  std::span<double> in, std::size_t segment) const {
  return {cart_.engine(), std::make_unique<Shift>(cart_.axis(axis), distance, out, in,
                                                  std::max<std::size_t>(segment, 1))};
}

}  // namespace matmul
