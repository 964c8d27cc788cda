// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/transport/core_distance.hpp>
#include <cartwright/comm/transport/shared_access.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstdint>
#include <limits>

namespace cartwright::comm {

namespace {

void wait_for(const std::uint64_t& word, std::uint64_t value) {
  for (rt::Patience patience(true); SharedAccess::load(word) < value;) patience.pause();
}

/// Half the time of a round trip: the least of some turns, since others may take the core.
double one_way(std::uint64_t& mine, std::uint64_t& theirs, bool is_first) {
  constexpr int turns = 10;
  constexpr int trips = 10;
  double least = std::numeric_limits<double>::infinity();
  std::uint64_t number = 0;
  const rt::WaitScope waiting({"measuring how far cores are apart"});
  for (int turn = 0; turn < turns; ++turn) {
    const rt::Ticks begun = rt::now();
    for (int trip = 0; trip < trips; ++trip) {
      ++number;
      if (is_first) SharedAccess::store(theirs, number);
      wait_for(mine, number);
      if (!is_first) SharedAccess::store(theirs, number);
    }
    least = std::min(least, rt::seconds_between(begun, rt::now()) / (2 * trips));
  }
  return least;
}

}  // namespace

double core_distance(const rt::Communicator& node, const SegmentView& segment, std::size_t offset) {
  const auto word = [&](int rank) -> std::uint64_t& {
    std::byte* const part = segment.parts[static_cast<std::size_t>(rank)].data();
    return *reinterpret_cast<std::uint64_t*>(part + offset);
  };
  const int me = node.rank().value;
  double longest = 0.0;
  const auto measure = [&](int apart) {
    const bool is_first = me / apart % 2 == 0;
    const int partner = is_first ? me + apart : me - apart;
    if (partner < node.size())
      longest = std::max(longest, one_way(word(me), word(partner), is_first));
    node.barrier();  // nobody writes my word any more
    SharedAccess::store(word(me), 0);
    node.barrier();
  };
  const int half = node.size() / 2;
  if (half >= 1) measure(1);
  if (half > 1) measure(half);
  return longest;
}

}  // namespace cartwright::comm
