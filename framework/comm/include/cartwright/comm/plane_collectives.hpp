// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/buffer.hpp>
#include <cartwright/comm/call.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/comm/user_operator.hpp>
#include <memory>
#include <span>
#include <vector>

namespace cartwright::comm {

struct PlaneOptions {
  /// Vectors go through the axes in segments: while one travels along the second axis, the next one
  /// travels along the first. Bytes of a segment; 0: all at once, one axis after the other.
  std::size_t segment_bytes = std::size_t{256} << 10;
};

/// Collectives over all ranks that a plane of the grid spans (or a line, or a box): one collective
/// an axis, each fed by the one before. Rank r of the plane sits where the first axis runs fastest.
/// Results of reductions are combined in the order of these ranks, line by line.
///
/// Segments are passed on when a rank polls, as it does in all blocking collectives of its
/// CartComm: from then on those of the MPI library poll, too. (MPI's own functions, called by the
/// program itself, poll nothing of ours.)
class PlaneCollectives {
  using At = CallSite;

 public:
  /// Collective over all ranks of `cart`, as destruction is: the lines get communicators of their
  /// own, since segments begin when others have arrived. `axes`: ascending, each once, at least
  /// one. Throws internal_failure for other axes.
  PlaneCollectives(const CartComm& cart, std::vector<int> axes, PlaneOptions options = {});

  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] rt::Rank rank() const noexcept { return rank_; }

  template <Transferable T>
  [[nodiscard]] Pending start_broadcast(std::span<T> data, rt::Rank root,
                                        At at = At::here()) const {
    Call call = call_of<T>(plan::Operation::broadcast, data.size(), root, at);
    call.output = writable(data);
    return start(call);
  }
  /// `output`: n elements at the root; elsewhere not looked at.
  template <Transferable T, class Op>
  [[nodiscard]] Pending start_reduce(std::span<const T> input, std::span<T> output, const Op& op,
                                     rt::Rank root, At at = At::here()) const {
    Call call = call_of<T>(plan::Operation::reduce, input.size(), root, at);
    call.input = readable(input);
    call.output = writable(output);
    call.reduction = detail::reduction_of<T>(op);
    return start(call);
  }
  /// In place.
  template <Transferable T, class Op>
  [[nodiscard]] Pending start_allreduce(std::span<T> in_out, const Op& op,
                                        At at = At::here()) const {
    Call call = call_of<T>(plan::Operation::allreduce, in_out.size(), {}, at);
    call.output = writable(in_out);
    call.reduction = detail::reduction_of<T>(op);
    return start(call);
  }
  /// `all`: size() blocks at the root; elsewhere not looked at.
  template <Transferable T>
  [[nodiscard]] Pending start_gather(std::span<const T> mine, std::span<T> all, rt::Rank root,
                                     At at = At::here()) const {
    Call call = call_of<T>(plan::Operation::gather, mine.size(), root, at);
    call.input = readable(mine);
    call.output = writable(all);
    return start(call);
  }
  /// `all`: size() blocks at the root; elsewhere not looked at.
  template <Transferable T>
  [[nodiscard]] Pending start_scatter(std::span<const T> all, std::span<T> mine, rt::Rank root,
                                      At at = At::here()) const {
    Call call = call_of<T>(plan::Operation::scatter, mine.size(), root, at);
    call.input = readable(all);
    call.output = writable(mine);
    return start(call);
  }
  template <Transferable T>
  [[nodiscard]] Pending start_allgather(std::span<const T> mine, std::span<T> all,
                                        At at = At::here()) const {
    Call call = call_of<T>(plan::Operation::allgather, mine.size(), {}, at);
    call.input = readable(mine);
    call.output = writable(all);
    return start(call);
  }

  // Blocking forms.
  template <Transferable T>
  void broadcast(std::span<T> data, rt::Rank root, At at = At::here()) const {
    start_broadcast(data, root, at).wait();
  }
  template <Transferable T, class Op>
  void reduce(std::span<const T> input, std::span<T> output, const Op& op, rt::Rank root,
              At at = At::here()) const {
    start_reduce(input, output, op, root, at).wait();
  }
  template <Transferable T, class Op>
  void allreduce(std::span<T> in_out, const Op& op, At at = At::here()) const {
    start_allreduce(in_out, op, at).wait();
  }
  template <Transferable T>
  void gather(std::span<const T> mine, std::span<T> all, rt::Rank root, At at = At::here()) const {
    start_gather(mine, all, root, at).wait();
  }
  template <Transferable T>
  void scatter(std::span<const T> all, std::span<T> mine, rt::Rank root, At at = At::here()) const {
    start_scatter(all, mine, root, at).wait();
  }
  template <Transferable T>
  void allgather(std::span<const T> mine, std::span<T> all, At at = At::here()) const {
    start_allgather(mine, all, at).wait();
  }

 private:
  template <class T>
  static Call call_of(plan::Operation operation, std::size_t count, rt::Rank root, At at) {
    return {.operation = operation,
            .element = element_of<T>(),
            .count = static_cast<plan::Count>(count),
            .root = root,
            .site = at};
  }
  template <class T>
  static const std::byte* readable(std::span<const T> elements) {
    return reinterpret_cast<const std::byte*>(elements.data());
  }
  template <class T>
  static std::byte* writable(std::span<T> elements) {
    return reinterpret_cast<std::byte*>(elements.data());
  }
  /// `call` is that of the whole plane.
  [[nodiscard]] Pending start(const Call& call) const;

  /// The ranks along one axis.
  struct Line {
    rt::Communicator comm;
    std::unique_ptr<Collectives> collectives;
  };
  class Stages;

  rt::ProgressEngine* engine_;
  PlaneOptions options_;
  std::vector<Line> lines_;
  int size_ = 1;
  rt::Rank rank_{};
  mutable std::shared_ptr<const bool> last_is_done_ = std::make_shared<const bool>(true);
};

}  // namespace cartwright::comm
