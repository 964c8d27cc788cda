// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace cartwright::comm {

/// The collectives of one communicator.
class Collectives {
 public:
  /// Collective. `comm` and `engine` must outlive this.
  Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine, const std::string& backend);

  [[nodiscard]] const rt::Communicator& communicator() const noexcept { return *comm_; }
  [[nodiscard]] rt::ProgressEngine& engine() const noexcept { return *engine_; }
  [[nodiscard]] Backend& backend() const noexcept { return *backend_; }

  void barrier(CallSite site = CallSite::here()) const { backend_->run({.site = site}); }
  template <Reducible T>
  [[nodiscard]] T allreduce(T value, Operator op, CallSite site = CallSite::here()) const {
    allreduce(std::span<T>(&value, 1), op, site);
    return value;
  }
  /// In place; every rank passes the same number of values.
  template <Reducible T>
  void allreduce(std::span<T> in_out, Operator op, CallSite site = CallSite::here()) const {
    backend_->run(in_place(plan::Operation::allreduce, in_out, {}, op, site));
  }
  template <Reducible T>
  void reduce(std::span<T> in_out, Operator op, rt::Rank root,
              CallSite site = CallSite::here()) const {
    backend_->run(reduction_at(root, in_out, op, site));
  }
  template <Reducible T>
  void broadcast(std::span<T> in_out, rt::Rank root, CallSite site = CallSite::here()) const {
    backend_->run(in_place(plan::Operation::broadcast, in_out, root, {}, site));
  }
  /// Nonblocking: `in_out` belongs to the collective until the result has been waited for.
  template <Reducible T>
  [[nodiscard]] Pending start_allreduce(std::span<T> in_out, Operator op,
                                        CallSite site = CallSite::here()) const {
    return start(in_place(plan::Operation::allreduce, in_out, {}, op, site));
  }
  template <Reducible T>
  [[nodiscard]] Pending start_reduce(std::span<T> in_out, Operator op, rt::Rank root,
                                     CallSite site = CallSite::here()) const {
    return start(reduction_at(root, in_out, op, site));
  }
  template <Reducible T>
  [[nodiscard]] Pending start_broadcast(std::span<T> in_out, rt::Rank root,
                                        CallSite site = CallSite::here()) const {
    return start(in_place(plan::Operation::broadcast, in_out, root, {}, site));
  }
  [[nodiscard]] Pending start_barrier(CallSite site = CallSite::here()) const {
    return start({.site = site});
  }

 private:
  template <Reducible T>
  static Call in_place(plan::Operation operation, std::span<T> data, rt::Rank root,
                       std::optional<Operator> op, CallSite site) {
    return {.operation = operation,
            .place = plan::Place::in_place,
            .output = reinterpret_cast<std::byte*>(data.data()),
            .element = element_of<T>(),
            .count = static_cast<plan::Count>(data.size()),
            .root = root,
            .reduction = op ? predefined(*op, scalar_type<T>()) : Reduction{},
            .site = site};
  }
  template <Reducible T>
  Call reduction_at(rt::Rank root, std::span<T> in_out, Operator op, CallSite site) const {
    Call call = in_place(plan::Operation::reduce, in_out, root, op, site);
    if (comm_->rank() != root) {
      call.place = plan::Place::separate;
      call.input = std::exchange(call.output, nullptr);
    }
    return call;
  }
  [[nodiscard]] Pending start(const Call& call) const;

  const rt::Communicator* comm_;
  rt::ProgressEngine* engine_;
  std::unique_ptr<Backend> backend_;
};

}  // namespace cartwright::comm
