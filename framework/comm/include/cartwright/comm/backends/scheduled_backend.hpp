// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/comm/backends/node_view.hpp>
#include <cartwright/comm/calls/call_text.hpp>
#include <cartwright/comm/execution/program_cache.hpp>
#include <cartwright/plan/algorithms/alltoall.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/request.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace cartwright::comm {

/// Runs schedules over messages. Nothing is allocated and no schedule is made when a collective of
/// the same kind was called before, whatever its buffers.
template <Messages M>
class ScheduledBackend final : public Backend {
 public:
  using MakeMessages = std::function<M(const plan::Program&, std::size_t element_size)>;

  struct Parts {
    BackendId id;
    MakeMessages make_messages;
    ChooseAlgorithm choose;
    /// How many collectives the schedules of this communicator have begun: shared by all backends
    /// that use the same channels.
    std::uint64_t* sequence;
    /// Where the messages are counted, and who is near.
    Traffic* traffic;
    const NodeView* nodes;
    /// Lets MPI advance what else the program has under way, while a collective waits.
    std::function<void()> progress_mpi;
  };

  /// `comm` and `engine` must outlive this.
  ScheduledBackend(const rt::Communicator& comm, rt::ProgressEngine& engine, Parts parts)
      : comm_(&comm), engine_(&engine), parts_(std::move(parts)) {}

  [[nodiscard]] BackendId id() const noexcept override { return parts_.id; }

  void run(const Call& call, const plan::Choice* how) override {
    if (call.has_uneven_blocks()) {
      const auto bound = make(call, how);
      start(*bound, call);
      if (!advance_call(*bound, call)) wait(*bound, call);
      return;
    }
    auto loan = borrow(call, how);
    loan.running = true;
    start(*loan.operator->(), call);
    if (!advance_call(*loan.operator->(), call)) wait(*loan.operator->(), call);
    loan.running = false;
  }

  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call,
                                                  const plan::Choice* how) override;
  using Backend::prepare;
  using Backend::run;
  void forget(const plan::Choice& how) noexcept override { cache_.forget(how); }

 private:
  using Bound = BoundCollective<M>;
  using Loan = typename ProgramCache<M>::Loan;
  class PreparedSchedule;

  [[nodiscard]] std::unique_ptr<Bound> make(const Call& call, const plan::Choice* how) const {
    const plan::Schedule schedule = maker_of(
        call, how)({.ranks = comm_->size(), .me = comm_->rank().value, .place = call.place});
    auto bound = std::make_unique<Bound>(CollectiveKey::of(call, how), schedule,
                                         layout_of(call, schedule.blocks(), comm_->size()),
                                         parts_.make_messages);
    bound->sent = traffic_of(*bound);
    return bound;
  }
  [[nodiscard]] Traffic traffic_of(const Bound& bound) const {
    Traffic sent;
    for (const plan::BoundStep& step : bound.program().steps()) {
      if (step.kind != plan::StepKind::send) continue;
      const bool near = parts_.nodes->is_on_my_node(step.peer);
      (near ? sent.messages_on_node : sent.messages_off_node) += 1;
      (near ? sent.bytes_on_node : sent.bytes_off_node) +=
          step.count * static_cast<std::int64_t>(bound.key().element_size);
    }
    return sent;
  }
  void start(Bound& bound, const Call& call) {
    *parts_.traffic += bound.sent;
    bound.start((*parts_.sequence)++, call);
  }
  [[nodiscard]] plan::Maker maker_of(const Call& call, const plan::Choice* how) const {
    plan::Problem problem = problem_of(call, comm_->size());
    problem.nodes = parts_.nodes->nodes().get();
    if (call.operation == plan::Operation::alltoall && call.has_uneven_blocks())
      return plan::alltoall::pairwise;  // others need blocks of one length
    // Others pass on what they don't know.
    if (call.only_root_knows_blocks)
      return plan::parse_choice(call.operation, "linear").maker(problem);
    // What was decided for a size needn't suit blocks of different lengths.
    const bool is_decided =
        how != nullptr && (problem.even_blocks || plan::may_solve(*how->algorithm, problem));
    return is_decided ? how->maker(problem) : parts_.choose(problem, call.waiting).maker(problem);
  }
  [[nodiscard]] Loan borrow(const Call& call, const plan::Choice* how) {
    return cache_.borrow(CollectiveKey::of(call, how), [&] { return make(call, how); });
  }
  /// What goes wrong with a message says in which call.
  static bool advance_call(Bound& bound, const Call& call) {
    try {
      return bound.advance(call.reduction);
    } catch (const rt::Error& fault) {
      throw rt::Error(fault.code(), describe(call) + ": " + fault.what(), fault.advice(),
                      fault.reach());
    }
  }
  void wait(Bound& bound, const Call& call);

  const rt::Communicator* comm_;
  rt::ProgressEngine* engine_;
  Parts parts_;
  ProgramCache<M> cache_;
};

/// A collective of one's own, or one lent by the cache until this is destroyed.
template <Messages M>
class ScheduledBackend<M>::PreparedSchedule final : public Prepared {
  static constexpr std::uint32_t polls_between_mpi = 16;

 public:
  PreparedSchedule(ScheduledBackend& backend, const Call& call, const plan::Choice* how)
      : backend_(&backend), call_(call) {
    if (call.has_uneven_blocks())
      own_ = backend.make(call, how);
    else
      loan_ = backend.borrow(call, how);
    bound_ = own_ ? own_.get() : loan_.operator->();
  }
  void start() override {
    loan_.running = true;
    backend_->start(*bound_, call_);
  }
  bool advance() override {
    if (!backend_->advance_call(*bound_, call_)) {
      // Who waits in shared memory makes no call of MPI; without one, messages that it has sent to
      // other nodes may never leave (MPICH over UCX).
      if (++polls_ % polls_between_mpi == 0) backend_->parts_.progress_mpi();
      return false;
    }
    loan_.running = false;
    return true;
  }
  [[nodiscard]] std::uint64_t moves() const noexcept override { return bound_->runner().moves(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return wait_site_of(call_); }
  [[nodiscard]] std::optional<rt::Rank> waiting_for() const override {
    const plan::BoundStep* const step = bound_->runner().waiting_for();
    if (step == nullptr || step->peer < 0) return std::nullopt;
    return rt::Rank{step->peer};
  }

 private:
  ScheduledBackend* backend_;
  Call call_;
  Loan loan_;
  std::unique_ptr<Bound> own_;
  Bound* bound_ = nullptr;
  std::uint32_t polls_ = 0;
};

template <Messages M>
std::unique_ptr<Prepared> ScheduledBackend<M>::prepare(const Call& call, const plan::Choice* how) {
  return std::make_unique<PreparedSchedule>(*this, call, how);
}

/// Meanwhile all else goes on: other collectives that a peer may be waiting in, and the messages
/// that the program itself has under way in MPI. Each piece is a wait of its own: who has waited
/// long for a late rank has patience again for what comes then.
template <Messages M>
void ScheduledBackend<M>::wait(Bound& bound, const Call& call) {
  constexpr std::uint32_t until_others = 256;
  constexpr std::uint32_t between_others = 64;
  rt::Patience patience(!engine_->oversubscribed());
  rt::WaitScope waiting(wait_site_of(call));
  std::uint64_t moves = bound.runner().moves();
  for (std::uint32_t turns = 1; !advance_call(bound, call); ++turns) {
    if (std::exchange(moves, bound.runner().moves()) != moves) {
      waiting.progress();
      patience.renew();
    }
    engine_->poll();
    if (turns >= until_others && turns % between_others == 0) parts_.progress_mpi();
    patience.pause();
  }
}

}  // namespace cartwright::comm
