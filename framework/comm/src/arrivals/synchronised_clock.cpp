// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <bit>
#include <cartwright/comm/arrivals/synchronised_clock.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

constexpr int words_of_answer = 3;
constexpr int first_trips = 8;  // of which the quickest counts

std::vector<int> children_of(int rank, int ranks) {
  std::vector<int> children;
  const auto reach =
      rank == 0 ? std::bit_ceil(static_cast<unsigned>(ranks)) : static_cast<unsigned>(rank & -rank);
  for (unsigned step = reach / 2; step > 0; step /= 2)
    if (rank + static_cast<int>(step) < ranks) children.push_back(rank + static_cast<int>(step));
  return children;
}

}  // namespace

/// A question to the parent, and an answer to each child's, whenever somebody polls.
class SynchronisedClock::Round final : public rt::Operation {
 public:
  explicit Round(SynchronisedClock& clock) : clock_(&clock), children_(clock.children_.size()) {}
  ~Round() override {
    if (!rt::mpi_is_running()) return;
    for (Exchange& child : children_) child.drop();
    parent_.drop();
  }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  void begin() {
    const P2pChannel& channel = clock_->channel_;
    for (std::size_t i = 0; i < children_.size(); ++i) {
      children_[i].stage = Stage::receiving;
      rt::mpi_check(MPI_Irecv(nullptr, 0, MPI_BYTE, channel.address(clock_->children_[i]), tag(),
                              channel.handle(), &children_[i].request),
                    "MPI_Irecv");
    }
    if (clock_->parent_ < 0) return;
    const int parent = channel.address(clock_->parent_);
    rt::mpi_check(MPI_Irecv(parent_.answer.data(), words_of_answer, MPI_INT64_T, parent, tag(),
                            channel.handle(), &parent_.request),
                  "MPI_Irecv");
    parent_.stage = Stage::receiving;
    left_ = clock_->now();
    rt::mpi_check(MPI_Isend(nullptr, 0, MPI_BYTE, parent, tag(), channel.handle(), &question_),
                  "MPI_Isend");
  }

  bool advance() override {
    bool is_over = true;
    for (std::size_t i = 0; i < children_.size(); ++i)
      is_over = serve(children_[i], clock_->children_[i]) && is_over;
    if (parent_.stage == Stage::receiving && is_done(parent_.request)) {
      clock_->learn(left_, parent_.answer, clock_->now());
      parent_.stage = Stage::over;
    }
    return is_done(question_) && parent_.stage == Stage::over && is_over;
  }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override {
    return {"the clocks of the ranks"};
  }

 private:
  enum class Stage : std::uint8_t { receiving, answering, over };
  struct Exchange {
    MPI_Request request = MPI_REQUEST_NULL;
    Stage stage = Stage::over;
    Answer answer{};

    void drop() {
      if (request == MPI_REQUEST_NULL) return;
      int is_complete = 0;
      if (stage == Stage::receiving) MPI_Cancel(&request);
      MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  };

  [[nodiscard]] static bool is_done(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return true;
    int is_complete = 0;
    rt::mpi_check(MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
    return is_complete != 0;
  }
  [[nodiscard]] int tag() const { return clock_->channel_.tag_of(0); }

  bool serve(Exchange& child, int rank) {
    if (child.stage == Stage::receiving && is_done(child.request)) {
      child.answer = clock_->answer_to(clock_->now());
      child.stage = Stage::answering;
      rt::mpi_check(MPI_Isend(child.answer.data(), words_of_answer, MPI_INT64_T,
                              clock_->channel_.address(rank), tag(), clock_->channel_.handle(),
                              &child.request),
                    "MPI_Isend");
    }
    if (child.stage == Stage::answering && is_done(child.request)) child.stage = Stage::over;
    return child.stage == Stage::over;
  }

  SynchronisedClock* clock_;
  std::vector<Exchange> children_;
  Exchange parent_;
  MPI_Request question_ = MPI_REQUEST_NULL;
  std::int64_t left_ = 0;
};

SynchronisedClock::SynchronisedClock(const rt::Communicator& comm, P2pChannel channel,
                                     bool shares_node, TimeSource time)
    : channel_(std::move(channel)),
      time_(time),
      parent_(parent_of(comm.rank().value)),
      children_(children_of(comm.rank().value, comm.size())),
      estimate_(shares_node),
      round_(std::make_unique<Round>(*this)) {
  for (int trip = 0; trip < first_trips && parent_ >= 0; ++trip) ask_in_turn();
  for (const int child : children_)
    for (int trip = 0; trip < first_trips; ++trip) answer_in_turn(child);
}

SynchronisedClock::~SynchronisedClock() = default;

SynchronisedClock::Answer SynchronisedClock::answer_to(std::int64_t received) const {
  const std::int64_t now = time_.now();
  return {shared(received), shared(now), error(now)};
}

void SynchronisedClock::learn(std::int64_t left, const Answer& answer, std::int64_t came) {
  const RoundTrip trip{left, answer[0], answer[1], came, answer[2]};
  if (const auto sample = trip.sample()) estimate_.add(*sample);
}

void SynchronisedClock::ask_in_turn() {
  Answer answer{};
  const int parent = channel_.address(parent_), tag = channel_.tag_of(0);
  const std::int64_t left = now();
  rt::mpi_blocking("MPI_Send", MPI_Send, nullptr, 0, MPI_BYTE, parent, tag, channel_.handle());
  rt::mpi_blocking("MPI_Recv", MPI_Recv, answer.data(), words_of_answer, MPI_INT64_T, parent, tag,
                   channel_.handle(), MPI_STATUS_IGNORE);
  learn(left, answer, now());
}

void SynchronisedClock::answer_in_turn(int child) {
  const int address = channel_.address(child), tag = channel_.tag_of(0);
  rt::mpi_blocking("MPI_Recv", MPI_Recv, nullptr, 0, MPI_BYTE, address, tag, channel_.handle(),
                   MPI_STATUS_IGNORE);
  const Answer answer = answer_to(now());
  rt::mpi_blocking("MPI_Send", MPI_Send, answer.data(), words_of_answer, MPI_INT64_T, address, tag,
                   channel_.handle());
}

void SynchronisedClock::begin_round(rt::ProgressEngine& engine) {
  finish_round();
  round_->begin();
  round_request_ = rt::Request(engine, *round_);
}

}  // namespace cartwright::comm
