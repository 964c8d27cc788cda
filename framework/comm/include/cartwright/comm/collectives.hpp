// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/arrival_backend.hpp>
#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/backends/supervised_backend.hpp>
#include <cartwright/comm/calls/arguments.hpp>
#include <cartwright/comm/calls/blocks.hpp>
#include <cartwright/comm/calls/buffer.hpp>
#include <cartwright/comm/calls/description.hpp>
#include <cartwright/comm/calls/fill.hpp>
#include <cartwright/comm/calls/strided.hpp>
#include <cartwright/comm/elements/user_operator.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/comm/persistent.hpp>
#include <cartwright/comm/settings.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/request.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace cartwright::comm {

/// What the collectives of a communicator have around them; communicators of some of its ranks
/// inherit from it.
struct Context {
  Settings settings{};
  std::shared_ptr<const Knowledge> knowledge = std::make_shared<const Knowledge>();
  NodeView nodes = NodeView::apart();
  /// With a share for this communicator; none: only native and p2p.
  std::shared_ptr<NodeMemory> memory{};
  /// Where its messages travel; none: on a duplicate of the communicator.
  std::shared_ptr<const TagShare> tags{};
  /// By which its ranks tell when they come to collectives; none: where that is asked for, it makes
  /// one.
  std::shared_ptr<SynchronisedClock> clock{};
};

class AutoBackend;

namespace detail {

/// A vector's memory, once its length is known.
template <class T>
[[nodiscard]] auto room_in(std::vector<T>& elements) {
  return [&elements](plan::Count count) {
    elements.resize(static_cast<std::size_t>(count));
    return reinterpret_cast<std::byte*>(elements.data());
  };
}

}  // namespace detail

/// The collectives of one communicator: every rank calls the same ones in the same order, each in
/// any of three forms. `x(…)` returns when this rank's part is done; `start_x(…)` returns at once,
/// and its buffers belong to the collective until the Pending is complete; `prepare_x(…)` is
/// local, and its Persistent is started as often as one likes. All ranks wait for a collective at
/// once, or all start it: other algorithms are quick where polls are rare.
///
/// Buffers are spans, vectors, arrays (`Buffer`), `strided(…)` or `in_pieces(…)`, of trivially
/// copyable elements; with one buffer in place of two the operation is in place. Operators are
/// those of `Operator`, or a callable in `associative(…)` or `commutative(…)`. Where a root alone
/// gives or gets something, that argument is ignored on the other ranks. Blocks of ranks are equal,
/// unless `Blocks` says how long each is, the same on all ranks. Which buffer holds what: call.hpp.
/// Throws rt::Error, which names operation and line, for what one rank can see to be wrong by
/// itself.
class Collectives {
  using At = CallSite;
  using Keep = std::shared_ptr<const void>;
  using Op = plan::Operation;
  using Now = detail::Blocking;
  using Started = detail::Started;
  using Repeated = detail::Repeated;
  static constexpr detail::NoOperator none{};

 public:
  /// Collective. `comm` and `engine` must outlive this, and all that it has begun.
  Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine, Context context);
  /// The same of a communicator that lives as long as it is needed.
  Collectives(std::shared_ptr<const rt::Communicator> comm, rt::ProgressEngine& engine,
              Context context);
  /// The same for programs without a CartComm: finds out by itself who shares a node, and what was
  /// measured on this machine.
  Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine,
              BackendId backend = BackendId::automatic);

  [[nodiscard]] const rt::Communicator& communicator() const noexcept { return *comm_; }
  [[nodiscard]] rt::ProgressEngine& engine() const noexcept { return *engine_; }
  [[nodiscard]] Backend& backend() const noexcept { return *backend_; }
  [[nodiscard]] const Backends& backends() const noexcept { return state_->backends; }
  /// The same collectives by another backend: `collectives.by(BackendId::native).barrier()`.
  /// All ranks ask for it, and make such a call by the same one. Calls by it aren't supervised.
  /// Cheap, but no call for an inner loop; must not outlive this. Throws an input error where this
  /// communicator hasn't got it: native has no other, p2p also native, rma both, others all but
  /// rma.
  [[nodiscard]] Collectives by(BackendId backend) const;
  /// Who watches when ranks come to its collectives; null: nobody.
  [[nodiscard]] const ArrivalBackend* arrivals() const noexcept {
    return state_->arrivals ? &*state_->arrivals : nullptr;
  }
  /// With which this was made.
  [[nodiscard]] const Context& context() const noexcept { return state_->context; }

  /// For bindings of other languages: a call that was put together at run time (call.hpp says how),
  /// checked first. Never throws; what is wrong is returned, nothing else.
  [[nodiscard]] std::optional<rt::Error> attempt(const Call& call) const noexcept;
  /// The same, started; `pending` is complete at once where something is wrong. See
  /// Pending::attempt_wait.
  [[nodiscard]] std::optional<rt::Error> attempt_start(const Call& call,
                                                       Pending& pending) const noexcept;
  /// The same, made ready; local. `persistent` has nothing to do where something is wrong. See
  /// Persistent::attempt_start.
  [[nodiscard]] std::optional<rt::Error> attempt_prepare(const Call& call,
                                                         Persistent& persistent) const noexcept;

  void barrier(At at = At::here()) const { run({.call = {.site = at}}); }
  Pending start_barrier(At at = At::here()) const { return start({.call = {.site = at}}); }
  Persistent prepare_barrier(At at = At::here()) const { return prepare({.call = {.site = at}}); }

  /// The root's elements to all ranks.
  void broadcast(Buffer auto&& data, rt::Rank root, At at = At::here()) const {
    in_place<Now, Op::broadcast>({at, root}, none, std::forward<decltype(data)>(data));
  }
  Pending start_broadcast(Buffer auto&& data, rt::Rank root, At at = At::here()) const {
    return in_place<Started, Op::broadcast>({at, root}, none, std::forward<decltype(data)>(data));
  }
  Persistent prepare_broadcast(Buffer auto&& data, rt::Rank root, At at = At::here()) const {
    return in_place<Repeated, Op::broadcast>({at, root}, none, std::forward<decltype(data)>(data));
  }
  /// Of a single value, which is returned.
  template <class T>
  requires(!Buffer<T>) [[nodiscard]] T
      broadcast(const T& value, rt::Rank root, At at = At::here()) const {
    T result = value;
    broadcast(std::span<T>(&result, 1), root, at);
    return result;
  }

  /// The combination of the ranks' elements, one by one; at the root.
  void reduce(const Buffer auto& input, Buffer auto&& output, auto op, rt::Rank root,
              At at = At::here()) const {
    between<Now, Op::reduce>({at, root}, std::move(op), input,
                             std::forward<decltype(output)>(output));
  }
  Pending start_reduce(Buffer auto&& input, Buffer auto&& output, auto op, rt::Rank root,
                       At at = At::here()) const {
    return between<Started, Op::reduce>({at, root}, std::move(op),
                                        std::forward<decltype(input)>(input),
                                        std::forward<decltype(output)>(output));
  }
  Persistent prepare_reduce(Buffer auto&& input, Buffer auto&& output, auto op, rt::Rank root,
                            At at = At::here()) const {
    return between<Repeated, Op::reduce>({at, root}, std::move(op),
                                         std::forward<decltype(input)>(input),
                                         std::forward<decltype(output)>(output));
  }
  void reduce(Buffer auto&& in_out, auto op, rt::Rank root, At at = At::here()) const {
    in_place<Now, Op::reduce>({at, root}, std::move(op), std::forward<decltype(in_out)>(in_out));
  }
  Pending start_reduce(Buffer auto&& in_out, auto op, rt::Rank root, At at = At::here()) const {
    return in_place<Started, Op::reduce>({at, root}, std::move(op),
                                         std::forward<decltype(in_out)>(in_out));
  }
  Persistent prepare_reduce(Buffer auto&& in_out, auto op, rt::Rank root,
                            At at = At::here()) const {
    return in_place<Repeated, Op::reduce>({at, root}, std::move(op),
                                          std::forward<decltype(in_out)>(in_out));
  }

  /// … on all ranks.
  void allreduce(const Buffer auto& input, Buffer auto&& output, auto op,
                 At at = At::here()) const {
    between<Now, Op::allreduce>({at}, std::move(op), input, std::forward<decltype(output)>(output));
  }
  Pending start_allreduce(Buffer auto&& input, Buffer auto&& output, auto op,
                          At at = At::here()) const {
    return between<Started, Op::allreduce>({at}, std::move(op),
                                           std::forward<decltype(input)>(input),
                                           std::forward<decltype(output)>(output));
  }
  Persistent prepare_allreduce(Buffer auto&& input, Buffer auto&& output, auto op,
                               At at = At::here()) const {
    return between<Repeated, Op::allreduce>({at}, std::move(op),
                                            std::forward<decltype(input)>(input),
                                            std::forward<decltype(output)>(output));
  }
  void allreduce(Buffer auto&& in_out, auto op, At at = At::here()) const {
    in_place<Now, Op::allreduce>({at}, std::move(op), std::forward<decltype(in_out)>(in_out));
  }
  Pending start_allreduce(Buffer auto&& in_out, auto op, At at = At::here()) const {
    return in_place<Started, Op::allreduce>({at}, std::move(op),
                                            std::forward<decltype(in_out)>(in_out));
  }
  Persistent prepare_allreduce(Buffer auto&& in_out, auto op, At at = At::here()) const {
    return in_place<Repeated, Op::allreduce>({at}, std::move(op),
                                             std::forward<decltype(in_out)>(in_out));
  }
  template <class T>
  requires(!Buffer<T>) [[nodiscard]] T
      allreduce(const T& value, auto op, At at = At::here()) const {
    T result = value;
    allreduce(std::span<T>(&result, 1), std::move(op), at);
    return result;
  }

  /// … of ranks 0 to this one.
  void scan(const Buffer auto& input, Buffer auto&& output, auto op, At at = At::here()) const {
    between<Now, Op::scan>({at}, std::move(op), input, std::forward<decltype(output)>(output));
  }
  Pending start_scan(Buffer auto&& input, Buffer auto&& output, auto op, At at = At::here()) const {
    return between<Started, Op::scan>({at}, std::move(op), std::forward<decltype(input)>(input),
                                      std::forward<decltype(output)>(output));
  }
  Persistent prepare_scan(Buffer auto&& input, Buffer auto&& output, auto op,
                          At at = At::here()) const {
    return between<Repeated, Op::scan>({at}, std::move(op), std::forward<decltype(input)>(input),
                                       std::forward<decltype(output)>(output));
  }
  void scan(Buffer auto&& in_out, auto op, At at = At::here()) const {
    in_place<Now, Op::scan>({at}, std::move(op), std::forward<decltype(in_out)>(in_out));
  }
  Pending start_scan(Buffer auto&& in_out, auto op, At at = At::here()) const {
    return in_place<Started, Op::scan>({at}, std::move(op), std::forward<decltype(in_out)>(in_out));
  }
  Persistent prepare_scan(Buffer auto&& in_out, auto op, At at = At::here()) const {
    return in_place<Repeated, Op::scan>({at}, std::move(op),
                                        std::forward<decltype(in_out)>(in_out));
  }

  /// … of the ranks before this one. Rank 0's output is left as it was.
  void exscan(const Buffer auto& input, Buffer auto&& output, auto op, At at = At::here()) const {
    between<Now, Op::exscan>({at}, std::move(op), input, std::forward<decltype(output)>(output));
  }
  Pending start_exscan(Buffer auto&& input, Buffer auto&& output, auto op,
                       At at = At::here()) const {
    return between<Started, Op::exscan>({at}, std::move(op), std::forward<decltype(input)>(input),
                                        std::forward<decltype(output)>(output));
  }
  Persistent prepare_exscan(Buffer auto&& input, Buffer auto&& output, auto op,
                            At at = At::here()) const {
    return between<Repeated, Op::exscan>({at}, std::move(op), std::forward<decltype(input)>(input),
                                         std::forward<decltype(output)>(output));
  }
  void exscan(Buffer auto&& in_out, auto op, At at = At::here()) const {
    in_place<Now, Op::exscan>({at}, std::move(op), std::forward<decltype(in_out)>(in_out));
  }
  Pending start_exscan(Buffer auto&& in_out, auto op, At at = At::here()) const {
    return in_place<Started, Op::exscan>({at}, std::move(op),
                                         std::forward<decltype(in_out)>(in_out));
  }
  Persistent prepare_exscan(Buffer auto&& in_out, auto op, At at = At::here()) const {
    return in_place<Repeated, Op::exscan>({at}, std::move(op),
                                          std::forward<decltype(in_out)>(in_out));
  }

  /// … of all blocks; each rank gets its own. In place it is left at that block; what stands in the
  /// others afterwards is not defined.
  void reduce_scatter(const Buffer auto& input, Buffer auto&& output, auto op,
                      const Blocks& blocks = {}, At at = At::here()) const {
    between<Now, Op::reduce_scatter>({at}, std::move(op), input,
                                     std::forward<decltype(output)>(output), blocks);
  }
  Pending start_reduce_scatter(Buffer auto&& input, Buffer auto&& output, auto op,
                               const Blocks& blocks = {}, At at = At::here()) const {
    return between<Started, Op::reduce_scatter>({at}, std::move(op),
                                                std::forward<decltype(input)>(input),
                                                std::forward<decltype(output)>(output), blocks);
  }
  Persistent prepare_reduce_scatter(Buffer auto&& input, Buffer auto&& output, auto op,
                                    const Blocks& blocks = {}, At at = At::here()) const {
    return between<Repeated, Op::reduce_scatter>({at}, std::move(op),
                                                 std::forward<decltype(input)>(input),
                                                 std::forward<decltype(output)>(output), blocks);
  }
  void reduce_scatter(Buffer auto&& in_out, auto op, const Blocks& blocks = {},
                      At at = At::here()) const {
    in_place<Now, Op::reduce_scatter>({at}, std::move(op), std::forward<decltype(in_out)>(in_out),
                                      blocks);
  }
  Pending start_reduce_scatter(Buffer auto&& in_out, auto op, const Blocks& blocks = {},
                               At at = At::here()) const {
    return in_place<Started, Op::reduce_scatter>({at}, std::move(op),
                                                 std::forward<decltype(in_out)>(in_out), blocks);
  }
  Persistent prepare_reduce_scatter(Buffer auto&& in_out, auto op, const Blocks& blocks = {},
                                    At at = At::here()) const {
    return in_place<Repeated, Op::reduce_scatter>({at}, std::move(op),
                                                  std::forward<decltype(in_out)>(in_out), blocks);
  }

  /// Everybody's block to the root. In place the root's lies among all of them; the other ranks
  /// pass theirs alone.
  void gather(const Buffer auto& mine, Buffer auto&& all, rt::Rank root, const Blocks& blocks = {},
              At at = At::here()) const {
    between<Now, Op::gather>({at, root}, none, mine, std::forward<decltype(all)>(all), blocks);
  }
  Pending start_gather(Buffer auto&& mine, Buffer auto&& all, rt::Rank root,
                       const Blocks& blocks = {}, At at = At::here()) const {
    return between<Started, Op::gather>({at, root}, none, std::forward<decltype(mine)>(mine),
                                        std::forward<decltype(all)>(all), blocks);
  }
  Persistent prepare_gather(Buffer auto&& mine, Buffer auto&& all, rt::Rank root,
                            const Blocks& blocks = {}, At at = At::here()) const {
    return between<Repeated, Op::gather>({at, root}, none, std::forward<decltype(mine)>(mine),
                                         std::forward<decltype(all)>(all), blocks);
  }
  void gather(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks = {},
              At at = At::here()) const {
    in_place<Now, Op::gather>({at, root}, none, std::forward<decltype(in_out)>(in_out), blocks);
  }
  Pending start_gather(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks = {},
                       At at = At::here()) const {
    return in_place<Started, Op::gather>({at, root}, none, std::forward<decltype(in_out)>(in_out),
                                         blocks);
  }
  Persistent prepare_gather(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks = {},
                            At at = At::here()) const {
    return in_place<Repeated, Op::gather>({at, root}, none, std::forward<decltype(in_out)>(in_out),
                                          blocks);
  }

  /// The root's blocks to the ranks. In place the root keeps its own among all of them.
  void scatter(const Buffer auto& all, Buffer auto&& mine, rt::Rank root, const Blocks& blocks = {},
               At at = At::here()) const {
    between<Now, Op::scatter>({at, root}, none, all, std::forward<decltype(mine)>(mine), blocks);
  }
  Pending start_scatter(Buffer auto&& all, Buffer auto&& mine, rt::Rank root,
                        const Blocks& blocks = {}, At at = At::here()) const {
    return between<Started, Op::scatter>({at, root}, none, std::forward<decltype(all)>(all),
                                         std::forward<decltype(mine)>(mine), blocks);
  }
  Persistent prepare_scatter(Buffer auto&& all, Buffer auto&& mine, rt::Rank root,
                             const Blocks& blocks = {}, At at = At::here()) const {
    return between<Repeated, Op::scatter>({at, root}, none, std::forward<decltype(all)>(all),
                                          std::forward<decltype(mine)>(mine), blocks);
  }
  void scatter(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks = {},
               At at = At::here()) const {
    in_place<Now, Op::scatter>({at, root}, none, std::forward<decltype(in_out)>(in_out), blocks);
  }
  Pending start_scatter(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks = {},
                        At at = At::here()) const {
    return in_place<Started, Op::scatter>({at, root}, none, std::forward<decltype(in_out)>(in_out),
                                          blocks);
  }
  Persistent prepare_scatter(Buffer auto&& in_out, rt::Rank root, const Blocks& blocks = {},
                             At at = At::here()) const {
    return in_place<Repeated, Op::scatter>({at, root}, none, std::forward<decltype(in_out)>(in_out),
                                           blocks);
  }

  /// Everybody's block to all ranks.
  void allgather(const Buffer auto& mine, Buffer auto&& all, const Blocks& blocks = {},
                 At at = At::here()) const {
    between<Now, Op::allgather>({at}, none, mine, std::forward<decltype(all)>(all), blocks);
  }
  Pending start_allgather(Buffer auto&& mine, Buffer auto&& all, const Blocks& blocks = {},
                          At at = At::here()) const {
    return between<Started, Op::allgather>({at}, none, std::forward<decltype(mine)>(mine),
                                           std::forward<decltype(all)>(all), blocks);
  }
  Persistent prepare_allgather(Buffer auto&& mine, Buffer auto&& all, const Blocks& blocks = {},
                               At at = At::here()) const {
    return between<Repeated, Op::allgather>({at}, none, std::forward<decltype(mine)>(mine),
                                            std::forward<decltype(all)>(all), blocks);
  }
  void allgather(Buffer auto&& in_out, const Blocks& blocks = {}, At at = At::here()) const {
    in_place<Now, Op::allgather>({at}, none, std::forward<decltype(in_out)>(in_out), blocks);
  }
  Pending start_allgather(Buffer auto&& in_out, const Blocks& blocks = {},
                          At at = At::here()) const {
    return in_place<Started, Op::allgather>({at}, none, std::forward<decltype(in_out)>(in_out),
                                            blocks);
  }
  Persistent prepare_allgather(Buffer auto&& in_out, const Blocks& blocks = {},
                               At at = At::here()) const {
    return in_place<Repeated, Op::allgather>({at}, none, std::forward<decltype(in_out)>(in_out),
                                             blocks);
  }

  /// Block b of rank a becomes block a of rank b. Blocks, if given, are this rank's own: what it
  /// sends to, and what it gets from, each rank; in place both are the same.
  void alltoall(const Buffer auto& input, Buffer auto&& output, const Blocks& sent = {},
                const Blocks& received = {}, At at = At::here()) const {
    between<Now, Op::alltoall>({at}, none, input, std::forward<decltype(output)>(output), sent,
                               received);
  }
  Pending start_alltoall(Buffer auto&& input, Buffer auto&& output, const Blocks& sent = {},
                         const Blocks& received = {}, At at = At::here()) const {
    return between<Started, Op::alltoall>({at}, none, std::forward<decltype(input)>(input),
                                          std::forward<decltype(output)>(output), sent, received);
  }
  Persistent prepare_alltoall(Buffer auto&& input, Buffer auto&& output, const Blocks& sent = {},
                              const Blocks& received = {}, At at = At::here()) const {
    return between<Repeated, Op::alltoall>({at}, none, std::forward<decltype(input)>(input),
                                           std::forward<decltype(output)>(output), sent, received);
  }
  void alltoall(Buffer auto&& in_out, const Blocks& blocks = {}, At at = At::here()) const {
    in_place<Now, Op::alltoall>({at}, none, std::forward<decltype(in_out)>(in_out), blocks);
  }
  Pending start_alltoall(Buffer auto&& in_out, const Blocks& blocks = {},
                         At at = At::here()) const {
    return in_place<Started, Op::alltoall>({at}, none, std::forward<decltype(in_out)>(in_out),
                                           blocks);
  }
  Persistent prepare_alltoall(Buffer auto&& in_out, const Blocks& blocks = {},
                              At at = At::here()) const {
    return in_place<Repeated, Op::alltoall>({at}, none, std::forward<decltype(in_out)>(in_out),
                                            blocks);
  }

  /// Local. For a gather or a scatter whose blocks the root alone knows: `counts` matter there
  /// only, `mine` (elements of this rank's own block) elsewhere. No lengths are exchanged.
  [[nodiscard]] Blocks blocks_at_root(rt::Rank root, std::span<const plan::Count> counts,
                                      plan::Count mine) const;

  // With blocks of any length, which not all ranks know. (Nonblocking and persistent forms are
  // those with `Blocks`.)

  /// Each rank knows its own block. Lengths travel in one exchange with what is short; of longer
  /// blocks, each is one message more.
  template <Buffer Mine>
  [[nodiscard]] Collected<detail::ElementOf<Mine>> gather_uneven(const Mine& mine, rt::Rank root,
                                                                 At at = At::here()) const;
  /// The root knows how long it is. Returns the root's elements; short ones travel with their
  /// number.
  template <Buffer Data>
  [[nodiscard]] std::vector<detail::ElementOf<Data>> broadcast_uneven(const Data& data,
                                                                      rt::Rank root,
                                                                      At at = At::here()) const;
  /// The ranks tell each other the lengths first.
  template <Buffer Mine>
  [[nodiscard]] Collected<detail::ElementOf<Mine>> allgather_uneven(const Mine& mine,
                                                                    At at = At::here()) const;
  /// Returns this rank's block; `all` and `blocks` matter at the root only. As gather_uneven.
  template <Buffer All>
  [[nodiscard]] std::vector<detail::ElementOf<All>> scatter_uneven(const All& all,
                                                                   const Blocks& blocks,
                                                                   rt::Rank root,
                                                                   At at = At::here()) const;
  template <Buffer Input>
  [[nodiscard]] Collected<detail::ElementOf<Input>> alltoall_uneven(const Input& input,
                                                                    const Blocks& sent,
                                                                    At at = At::here()) const;

 private:
  struct Where {
    At at;
    rt::Rank root{};
  };
  // One body for all collectives and all their forms: the caller's words become data, to which an
  // operation adds its own, and the form says what becomes of the call.
  template <class Form, Op operation, class Operator, class Input, class Output, class... More>
  auto between(Where where, Operator op, Input&& input, Output&& output,
               const More&... more) const {
    if constexpr (!std::is_same_v<Form, Now>) detail::must_outlive_call<Input>();
    const detail::HeldOperator<Form, Operator> held(std::move(op));
    detail::must_be_transferable<detail::ElementOf<Input>>();
    detail::must_have_same_elements<Input, Output>();
    detail::Arguments call = detail::described<Output>(operation, where.root, where.at, held.get());
    detail::fill<operation>(call, *comm_, detail::input_memory(input),
                            detail::output_memory(output), more...);
    return carry_out<Form>(call, held.keeper());
  }
  template <class Form, Op operation, class Operator, class Data, class... More>
  auto in_place(Where where, Operator op, Data&& data, const More&... more) const {
    const detail::HeldOperator<Form, Operator> held(std::move(op));
    detail::Arguments call = detail::described<Data>(operation, where.root, where.at, held.get());
    detail::fill_in_place<operation>(call, *comm_, detail::output_memory(data), more...);
    return carry_out<Form>(call, held.keeper());
  }
  template <class Form>
  auto carry_out(const detail::Arguments& call, Keep keep) const {
    if constexpr (std::is_same_v<Form, Now>)
      return run(call);
    else if constexpr (std::is_same_v<Form, Started>)
      return start(call, std::move(keep));
    else
      return prepare(call, std::move(keep));
  }
  void run(const detail::Arguments& arguments) const {
    if (arguments.is_scattered()) [[unlikely]]
      return run_packed(arguments);
    run(arguments.call);
  }
  void run(const Call& call) const;
  void run_packed(const detail::Arguments& arguments) const;
  [[nodiscard]] detail::Arguments with_kind_of_memory(detail::Arguments arguments) const;
  [[nodiscard]] Pending start(const detail::Arguments& arguments, Keep keep = {}) const;
  [[nodiscard]] Persistent prepare(const detail::Arguments& arguments, Keep keep = {}) const;
  [[nodiscard]] std::unique_ptr<Prepared> prepared(const detail::Arguments& arguments,
                                                   Keep keep) const;
  [[nodiscard]] Blocks blocks_of_all(plan::Count mine, At at) const;
  /// Memory for so many elements, in which they are to be put.
  using Room = std::function<std::byte*(plan::Count elements)>;
  [[nodiscard]] Blocks gather_any(const detail::Memory& mine, std::size_t element_size,
                                  rt::Rank root, At at, const Room& room) const;
  void scatter_any(const detail::Memory& all, std::size_t element_size, const Blocks& blocks,
                   rt::Rank root, At at, const Room& room) const;
  void broadcast_any(const detail::Memory& data, std::size_t element_size, rt::Rank root, At at,
                     const Room& room) const;
  [[nodiscard]] Blocks blocks_to_me(const Blocks& sent, At at) const;
  /// What collectives under way need, however long they last.
  struct State {
    State(std::shared_ptr<const rt::Communicator> ranks, rt::ProgressEngine& engine,
          Context around);
    void watch_arrivals();
    std::shared_ptr<const rt::Communicator> comm;
    Context context;
    Backends backends;
    std::optional<ArrivalBackend> arrivals;
    std::optional<SupervisedBackend> supervised;
  };

  std::shared_ptr<State> state_;
  const rt::Communicator* comm_;
  rt::ProgressEngine* engine_;
  Backend* backend_;   // the chosen one, supervised if that was asked for
  AutoBackend* auto_;  // the same, where it chooses by itself: known by its type, called directly
};

template <Buffer Mine>
Collected<detail::ElementOf<Mine>> Collectives::gather_uneven(const Mine& mine, rt::Rank root,
                                                              At at) const {
  using T = detail::ElementOf<Mine>;
  Collected<T> all;
  all.blocks =
      gather_any(detail::input_memory(mine), sizeof(T), root, at, detail::room_in(all.elements));
  return all;
}
template <Buffer Data>
std::vector<detail::ElementOf<Data>> Collectives::broadcast_uneven(const Data& data, rt::Rank root,
                                                                   At at) const {
  using T = detail::ElementOf<Data>;
  std::vector<T> elements;
  broadcast_any(detail::input_memory(data), sizeof(T), root, at, detail::room_in(elements));
  return elements;
}
template <Buffer Mine>
Collected<detail::ElementOf<Mine>> Collectives::allgather_uneven(const Mine& mine, At at) const {
  Collected<detail::ElementOf<Mine>> all;
  all.blocks = blocks_of_all(detail::input_memory(mine).count, at);
  all.elements.resize(static_cast<std::size_t>(all.blocks.total()));
  allgather(mine, all.elements, all.blocks, at);
  return all;
}
template <Buffer All>
std::vector<detail::ElementOf<All>> Collectives::scatter_uneven(const All& all,
                                                                const Blocks& blocks, rt::Rank root,
                                                                At at) const {
  const Call call{.operation = plan::Operation::scatter, .root = root, .site = at};
  if (detail::is_at_root(call, *comm_))
    detail::must_hold_blocks(call, detail::input_memory(all), blocks, comm_->size());
  using T = detail::ElementOf<All>;
  std::vector<T> mine;
  scatter_any(detail::input_memory(all), sizeof(T), blocks, root, at, detail::room_in(mine));
  return mine;
}
template <Buffer Input>
Collected<detail::ElementOf<Input>> Collectives::alltoall_uneven(const Input& input,
                                                                 const Blocks& sent, At at) const {
  detail::must_hold_blocks({.operation = plan::Operation::alltoall, .site = at},
                           detail::input_memory(input), sent, comm_->size());
  Collected<detail::ElementOf<Input>> received;
  received.blocks = blocks_to_me(sent, at);
  received.elements.resize(static_cast<std::size_t>(received.blocks.total()));
  alltoall(input, received.elements, sent, received.blocks, at);
  return received;
}

}  // namespace cartwright::comm
