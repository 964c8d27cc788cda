// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/native_backend.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <vector>

#include "mpi_types.hpp"

namespace cartwright::comm {

namespace {

/// Calls `each(address, count)` for successive parts of the output that MPI can count.
template <class Each>
void for_each_chunk(const Call& call, std::size_t chunk, Each&& each) {
  const auto total = static_cast<std::size_t>(call.count);
  for (std::size_t done = 0; done < total; done += chunk) {
    const std::size_t count = std::min(chunk, total - done);
    each(done * call.element.size, static_cast<int>(count));
  }
}

struct Ends {
  const void* send;
  void* receive;
};

Ends ends_of(const Call& call, std::size_t offset) {
  void* const output = call.output == nullptr ? nullptr : call.output + offset;
  if (call.place == plan::Place::in_place) return {MPI_IN_PLACE, output};
  return {call.input + offset, output};
}

[[noreturn]] void not_yet(const Call& call) {
  throw rt::internal_failure(fmt::format("native has no {} yet", plan::name_of(call.operation)));
}

void run_native(const Call& call, MPI_Comm comm, std::size_t chunk) {
  using enum plan::Operation;
  const int root = call.root.value;
  if (call.operation == barrier) {
    rt::mpi_check(MPI_Barrier(comm), "MPI_Barrier");
    return;
  }
  const MPI_Datatype type = mpi_type(call.element.type.value());
  for_each_chunk(call, chunk, [&](std::size_t offset, int count) {
    if (call.operation == broadcast) {
      rt::mpi_check(MPI_Bcast(call.output + offset, count, type, root, comm), "MPI_Bcast");
      return;
    }
    const MPI_Op combine =
        mpi_operator(call.reduction.predefined.value(), call.element.type.value());
    if (call.operation == reduce) {
      const auto [send, receive] = ends_of(call, offset);
      rt::mpi_check(MPI_Reduce(send, receive, count, type, combine, root, comm), "MPI_Reduce");
    } else if (call.operation == allreduce) {
      const auto [send, receive] = ends_of(call, offset);
      rt::mpi_check(MPI_Allreduce(send, receive, count, type, combine, comm), "MPI_Allreduce");
    } else {
      not_yet(call);
    }
  });
}

/// MPI's nonblocking collectives that make up one of ours.
class NativePrepared final : public Prepared {
 public:
  NativePrepared(const Call& call, const rt::Communicator& comm, std::size_t chunk)
      : call_(call), comm_(&comm), chunk_(chunk) {}

  void start() override {
    using enum plan::Operation;
    requests_.clear();
    const MPI_Comm comm = comm_->handle();
    const int root = call_.root.value;
    if (call_.operation == barrier) {
      rt::mpi_check(MPI_Ibarrier(comm, add()), "MPI_Ibarrier");
      return;
    }
    const MPI_Datatype type = mpi_type(call_.element.type.value());
    for_each_chunk(call_, chunk_, [&](std::size_t offset, int count) {
      if (call_.operation == broadcast) {
        rt::mpi_check(MPI_Ibcast(call_.output + offset, count, type, root, comm, add()),
                      "MPI_Ibcast");
        return;
      }
      const MPI_Op combine =
          mpi_operator(call_.reduction.predefined.value(), call_.element.type.value());
      if (call_.operation == reduce) {
        const auto [send, receive] = ends_of(call_, offset);
        rt::mpi_check(MPI_Ireduce(send, receive, count, type, combine, root, comm, add()),
                      "MPI_Ireduce");
      } else if (call_.operation == allreduce) {
        const auto [send, receive] = ends_of(call_, offset);
        rt::mpi_check(MPI_Iallreduce(send, receive, count, type, combine, comm, add()),
                      "MPI_Iallreduce");
      } else {
        not_yet(call_);
      }
    });
  }

  bool advance() override {
    int done = 0;
    rt::mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                              MPI_STATUSES_IGNORE),
                  "MPI_Testall");
    return done != 0;
  }

 private:
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  Call call_;
  const rt::Communicator* comm_;
  std::size_t chunk_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

void NativeBackend::run(const Call& call) {
  run_native(call, comm_->handle(), chunk_);
}

std::unique_ptr<Prepared> NativeBackend::prepare(const Call& call) {
  return std::make_unique<NativePrepared>(call, *comm_, chunk_);
}

}  // namespace cartwright::comm
