// SPDX-License-Identifier: Apache-2.0
#include "redirect.hpp"

#include <mpi.h>

#include <algorithm>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/request.hpp>
#include <functional>
#include <thread>

namespace cartwright::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr rt::Tag note_tag{1}, part_tag{2};

/// Whom a rank may give to, in the order in which it asks: those above it in the tree, then those
/// that are below the root as well, where the root isn't there.
std::vector<int> takers_of(int rank) {
  std::vector<int> takers;
  for (int above = rank; above != 0;) takers.push_back(above &= above - 1);
  for (int other = 1; 2 * other <= rank; other *= 2)
    if (std::ranges::find(takers, other) == takers.end()) takers.push_back(other);
  return takers;
}

/// Those below a rank follow it: up to here.
int end_below(int rank, int ranks) {
  return rank == 0 ? ranks : std::min(ranks, rank + (rank & -rank));
}

}  // namespace

/// What one rank does in one call.
class RedirectedCall {
 public:
  RedirectedCall(RedirectedTree& tree, std::span<const std::int32_t> input,
                 std::span<std::int32_t> output, std::chrono::nanoseconds patience)
      : tree_(tree),
        input_(input),
        output_(output),
        patience_(patience),
        takers_(takers_of(me())),
        others_(static_cast<std::size_t>(tree.comm_.size())) {}

  void run() {
    const bool has_own_core =
        tree_.comm_.size() <= static_cast<int>(std::thread::hardware_concurrency());
    rt::Patience idle(has_own_core);
    while (!is_done()) {
      const bool has_heard = take_notes(), has_received = take_part();
      if (me() != 0 && taker_ < 0) ask();
      if (has_heard || has_received)
        idle.renew();
      else
        idle.pause();
    }
    if (me() != 0)
      give();
    else if (ranks_ == 1)
      std::ranges::copy(input_, output_.begin());
  }

 private:
  using enum RedirectNote::Kind;
  enum class Other : std::uint8_t { unheard, promised, settled };

  [[nodiscard]] int me() const { return tree_.comm_.rank().value; }
  Other& other(int rank) { return others_[static_cast<std::size_t>(rank)]; }

  [[nodiscard]] bool is_done() const {
    if (me() == 0) return ranks_ == tree_.comm_.size();
    return taker_ >= 0 && promised_ == 0 && (has_heard_all() || is_over(begin_));
  }
  [[nodiscard]] bool is_over(Clock::time_point since) const {
    return Clock::now() - since > patience_;
  }
  [[nodiscard]] bool has_heard_all() const {
    const int end = end_below(me(), tree_.comm_.size());
    for (int step = 1; me() + step < end; step *= 2)
      if (others_[static_cast<std::size_t>(me() + step)] == Other::unheard) return false;
    return true;
  }

  /// The next one that may take this rank's part, once the former has been silent for long enough.
  void ask() {
    if (asked_ > 0 && !is_gone_ && !is_over(last_asked_)) return;
    is_gone_ = false;
    if (asked_ == takers_.size()) return;
    last_asked_ = Clock::now();
    tree_.tell(takers_[asked_++], here);
  }

  bool take_notes() {
    bool has_come = false;
    for (RedirectNote note; tree_.next(note); has_come = true) take(note);
    return has_come;
  }

  void take(const RedirectNote& note) {
    switch (note.kind) {
      case here:
        other(note.from) = Other::promised;
        ++promised_;
        return tree_.tell(note.from, come);
      case come:
        return accept(note.from);
      case gives:
        return givers_.push_back(note);
      case elsewhere:
        return settle(note.from);
      case left:
        return strike(note.from);
    }
  }

  /// It takes nothing any more: not to be asked, or not to be waited for.
  void strike(int rank) {
    if (asked_ > 0 && takers_[asked_ - 1] == rank) is_gone_ = true;
    const auto next = takers_.begin() + static_cast<std::ptrdiff_t>(asked_);
    takers_.erase(std::remove(next, takers_.end(), rank), takers_.end());
  }

  void settle(int rank) {
    other(rank) = Other::settled;
    --promised_;
  }

  /// The first that agrees gets the part; nobody else needs to wait.
  void accept(int rank) {
    if (taker_ >= 0) return;
    taker_ = rank;
    for (std::size_t i = 0; i < asked_; ++i)
      if (takers_[i] != rank) tree_.tell(takers_[i], elsewhere);
  }

  /// Goes on with what others give, one after the other.
  bool take_part() {
    if (givers_.empty()) return false;
    if (!incoming_.is_valid()) {
      tree_.received_.resize(input_.size());
      incoming_ = rt::ireceive(tree_.comm_, std::span(tree_.received_),
                               rt::Rank{givers_.front().from}, part_tag);
      return true;
    }
    if (!incoming_.test()) return false;
    const std::span<const std::int32_t> mine = ranks_ == 1 ? input_ : output_;
    std::ranges::transform(mine, tree_.received_, output_.begin(), std::plus{});
    ranks_ += givers_.front().ranks;
    settle(givers_.front().from);
    givers_.pop_front();
    return true;
  }

  void give() {
    tree_.tell(taker_, gives, ranks_);
    for (int rank = me() + 1; rank < end_below(me(), tree_.comm_.size()); ++rank)
      if (other(rank) == Other::unheard) tree_.tell(rank, left);
    rt::isend(tree_.comm_, ranks_ == 1 ? input_ : std::span<const std::int32_t>(output_),
              rt::Rank{taker_}, part_tag)
        .wait();
  }

  RedirectedTree& tree_;
  std::span<const std::int32_t> input_;
  std::span<std::int32_t> output_;
  std::chrono::nanoseconds patience_;
  Clock::time_point begin_ = Clock::now(), last_asked_ = begin_;
  std::vector<int> takers_;
  std::vector<Other> others_;
  std::size_t asked_ = 0;  // of the takers
  bool is_gone_ = false;   // the last of these
  int taker_ = -1;
  int promised_ = 0;  // others that are waited for
  int ranks_ = 1;     // whose numbers this rank's part holds
  std::deque<RedirectNote> givers_;
  rt::Message incoming_;
};

RedirectedTree::RedirectedTree(const rt::Communicator& world) : comm_(world.duplicate()) {}

RedirectedTree::~RedirectedTree() {
  // So short that MPI has them; those to ranks that have left a call are never waited for.
  for (Sent& sent : sent_)
    if (!sent.message.test()) sent.message.abandon();
}

void RedirectedTree::tell(int rank, RedirectNote::Kind kind, int ranks) {
  Sent& sent = sent_.emplace_back(Sent{{call_, kind, comm_.rank().value, ranks}, {}});
  sent.message =
      rt::isend(comm_, std::span<const RedirectNote>(&sent.note, 1), rt::Rank{rank}, note_tag);
}

bool RedirectedTree::next(RedirectNote& note) {
  for (;;) {
    int has_come = 0;
    MPI_Status status;
    rt::mpi_check(MPI_Iprobe(MPI_ANY_SOURCE, note_tag.value, comm_.handle(), &has_come, &status),
                  "MPI_Iprobe");
    if (has_come == 0) return false;
    rt::ireceive(comm_, std::span<RedirectNote>(&note, 1), rt::Rank{status.MPI_SOURCE}, note_tag)
        .wait();
    if (note.call == call_) return true;
  }
}

void RedirectedTree::reduce(std::span<const std::int32_t> input, std::span<std::int32_t> output,
                            std::chrono::nanoseconds patience) {
  ++call_;
  while (!sent_.empty() && sent_.front().message.test()) sent_.pop_front();
  RedirectedCall(*this, input, output, patience).run();
}

}  // namespace cartwright::bench
