// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace cartwright::bench {

/// What one rank tells another one.
struct RedirectNote {
  enum Kind : std::int32_t {
    here,       ///< I am there: may I give to you?
    come,       ///< you may; I wait for you
    gives,      ///< my part follows; it is of `ranks` ranks
    elsewhere,  ///< somebody else gets it: don't wait
    left        ///< I have given my part away: ask somebody else
  };
  std::int32_t call = 0;
  Kind kind = here;
  std::int32_t from = 0, ranks = 0;
};

/// Sums at rank 0 by ranks that know nothing of arrivals beforehand, and find out who is there
/// while they wait: a binomial tree, of whole vectors. Who waits for somebody below for longer than
/// its patience goes without, and tells the late one to ask further up; who waits for the one above
/// asks the next one above, and in the end those that stand in for the root: what lies below it,
/// lower ranks first. Marendic 2016 compares with a "local redirect" that isn't printed: this is
/// the plan rule `redirect` of ours, without its knowledge of who is there.
class RedirectedTree {
 public:
  /// Collective: it has a communicator of its own.
  explicit RedirectedTree(const rt::Communicator& world);
  RedirectedTree(const RedirectedTree&) = delete;
  RedirectedTree& operator=(const RedirectedTree&) = delete;
  ~RedirectedTree();

  /// Collective; a barrier must lie between calls. `output` is work space on other ranks.
  void reduce(std::span<const std::int32_t> input, std::span<std::int32_t> output,
              std::chrono::nanoseconds patience);

 private:
  struct Sent {
    RedirectNote note;
    rt::Message message;
  };

  friend class RedirectedCall;
  void tell(int rank, RedirectNote::Kind kind, int ranks = 0);
  /// The next one of this call; false: none has come. Those of former calls came too late.
  bool next(RedirectNote& note);

  rt::Communicator comm_;
  std::int32_t call_ = 0;
  std::deque<Sent> sent_;  // until MPI is done with them
  std::vector<std::int32_t> received_;
};

}  // namespace cartwright::bench
