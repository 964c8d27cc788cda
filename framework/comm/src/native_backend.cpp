// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/native_backend.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <utility>
#include <vector>

#include "mpi_types.hpp"

namespace cartwright::comm {

namespace {

/// Calls `call(address, count)` for successive parts of `values` that MPI can count.
template <class Call>
void for_each_chunk(const Values& values, std::size_t chunk, Call&& call) {
  auto* address = static_cast<std::byte*>(values.data);
  for (std::size_t done = 0; done < values.count; done += chunk) {
    const std::size_t count = std::min(chunk, values.count - done);
    call(static_cast<void*>(address + done * size_of(values.type)), static_cast<int>(count));
  }
}

/// MPI's nonblocking collectives that make up one of ours.
class NativeOperation final : public rt::Operation {
 public:
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  bool advance() override {
    int done = 0;
    rt::mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                              MPI_STATUSES_IGNORE),
                  "MPI_Testall");
    return done != 0;
  }

 private:
  std::vector<MPI_Request> requests_;
};

struct InPlaceAtRoot {
  const void* send;
  void* receive;
};

InPlaceAtRoot in_place_at_root(const rt::Communicator& comm, rt::Rank root, void* address) {
  if (comm.rank() == root) return {MPI_IN_PLACE, address};
  return {address, nullptr};
}

}  // namespace

void NativeBackend::barrier(const rt::Communicator& comm) {
  comm.barrier();
}

void NativeBackend::broadcast(const rt::Communicator& comm, Values values, rt::Rank root) {
  const MPI_Datatype type = mpi_type(values.type);
  for_each_chunk(values, chunk_, [&](void* part, int count) {
    rt::mpi_check(MPI_Bcast(part, count, type, root.value, comm.handle()), "MPI_Bcast");
  });
}

void NativeBackend::reduce(const rt::Communicator& comm, Values values, Operator op,
                           rt::Rank root) {
  const MPI_Datatype type = mpi_type(values.type);
  const MPI_Op combine = mpi_operator(op, values.type);
  for_each_chunk(values, chunk_, [&](void* part, int count) {
    const auto [send, receive] = in_place_at_root(comm, root, part);
    rt::mpi_check(MPI_Reduce(send, receive, count, type, combine, root.value, comm.handle()),
                  "MPI_Reduce");
  });
}

void NativeBackend::allreduce(const rt::Communicator& comm, Values values, Operator op) {
  const MPI_Datatype type = mpi_type(values.type);
  const MPI_Op combine = mpi_operator(op, values.type);
  for_each_chunk(values, chunk_, [&](void* part, int count) {
    rt::mpi_check(MPI_Allreduce(MPI_IN_PLACE, part, count, type, combine, comm.handle()),
                  "MPI_Allreduce");
  });
}

Backend::Started NativeBackend::start_barrier(const rt::Communicator& comm) {
  auto operation = std::make_unique<NativeOperation>();
  rt::mpi_check(MPI_Ibarrier(comm.handle(), operation->add()), "MPI_Ibarrier");
  return operation;
}

Backend::Started NativeBackend::start_broadcast(const rt::Communicator& comm, Values values,
                                                rt::Rank root) {
  if (values.count == 0) return nullptr;
  const MPI_Datatype type = mpi_type(values.type);
  auto operation = std::make_unique<NativeOperation>();
  for_each_chunk(values, chunk_, [&](void* part, int count) {
    rt::mpi_check(MPI_Ibcast(part, count, type, root.value, comm.handle(), operation->add()),
                  "MPI_Ibcast");
  });
  return operation;
}

Backend::Started NativeBackend::start_reduce(const rt::Communicator& comm, Values values,
                                             Operator op, rt::Rank root) {
  const MPI_Datatype type = mpi_type(values.type);
  const MPI_Op combine = mpi_operator(op, values.type);
  if (values.count == 0) return nullptr;
  auto operation = std::make_unique<NativeOperation>();
  for_each_chunk(values, chunk_, [&](void* part, int count) {
    const auto [send, receive] = in_place_at_root(comm, root, part);
    rt::mpi_check(MPI_Ireduce(send, receive, count, type, combine, root.value, comm.handle(),
                              operation->add()),
                  "MPI_Ireduce");
  });
  return operation;
}

Backend::Started NativeBackend::start_allreduce(const rt::Communicator& comm, Values values,
                                                Operator op) {
  const MPI_Datatype type = mpi_type(values.type);
  const MPI_Op combine = mpi_operator(op, values.type);
  if (values.count == 0) return nullptr;
  auto operation = std::make_unique<NativeOperation>();
  for_each_chunk(values, chunk_, [&](void* part, int count) {
    rt::mpi_check(
        MPI_Iallreduce(MPI_IN_PLACE, part, count, type, combine, comm.handle(), operation->add()),
        "MPI_Iallreduce");
  });
  return operation;
}

}  // namespace cartwright::comm
