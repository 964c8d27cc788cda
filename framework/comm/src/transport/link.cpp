// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/transport/link.hpp>
#include <cartwright/comm/transport/shared_access.hpp>
#include <cmath>

namespace cartwright::comm {

namespace {

/// Takes the way for so long, from `earliest` on or once it is free; tells from when.
Link::Time reserve(Link::Time& way, Link::Time earliest, Link::Time duration) noexcept {
  Link::Time busy_until = SharedAccess::load(way);
  for (;;) {
    const Link::Time begin = std::max(busy_until, earliest);
    if (SharedAccess::compare_exchange(way, busy_until, begin + duration)) return begin;
  }
}

}  // namespace

Link::Link(LinkSpeed speed, Time& out, Time& in)
    : latency_(static_cast<Time>(std::llround(speed.latency * 1e9))),
      ns_per_byte_(speed.bandwidth > 0 ? 1e9 / speed.bandwidth : 0),
      out_(&out),
      in_(&in) {}

Link::Time Link::arrival(std::size_t bytes) const noexcept {
  const auto duration = static_cast<Time>(std::llround(static_cast<double>(bytes) * ns_per_byte_));
  const Time leaves = reserve(*out_, now(), duration);
  return reserve(*in_, leaves + latency_, duration) + duration;
}

}  // namespace cartwright::comm
