// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/byte_type.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cassert>
#include <utility>

namespace cartwright::rt {

Message::Message(Message&& other) noexcept {
  swap(other);
}

Message& Message::operator=(Message&& other) noexcept {
  Message(std::move(other)).swap(*this);
  return *this;
}

Message::~Message() {
  if (handle_ == MPI_REQUEST_NULL || unwinding() || !mpi_is_running()) return;
  int complete = 0;
  MPI_Request_get_status(handle_, &complete, MPI_STATUS_IGNORE);
  assert(complete != 0 && "a message was destroyed while under way");
  MPI_Request_free(&handle_);
}

void Message::swap(Message& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(persistent_, other.persistent_);
}

bool Message::test() {
  int complete = 0;
  mpi_check(MPI_Test(&handle_, &complete, MPI_STATUS_IGNORE), "MPI_Test");
  return complete != 0;
}

void Message::wait(const WaitSite& site) {
  const WaitScope waiting(site);
  mpi_check(MPI_Wait(&handle_, MPI_STATUS_IGNORE), "MPI_Wait");
}

void Message::start() {
  assert(persistent_ && "only persistent messages can be started again");
  mpi_check(MPI_Start(&handle_), "MPI_Start");
}

Message isend(const Communicator& comm, std::span<const std::byte> data, Rank to, Tag tag) {
  const ByteType bytes(data.size());
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Isend(data.data(), bytes.count(), bytes.type(), to.value, tag.value, comm.handle(),
                      &request),
            "MPI_Isend");
  return {request, false};
}

Message ireceive(const Communicator& comm, std::span<std::byte> data, Rank from, Tag tag) {
  const ByteType bytes(data.size());
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Irecv(data.data(), bytes.count(), bytes.type(), from.value, tag.value,
                      comm.handle(), &request),
            "MPI_Irecv");
  return {request, false};
}

Message persistent_send(const Communicator& comm, std::span<const std::byte> data, Rank to,
                        Tag tag) {
  const ByteType bytes(data.size());
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Send_init(data.data(), bytes.count(), bytes.type(), to.value, tag.value,
                          comm.handle(), &request),
            "MPI_Send_init");
  return {request, true};
}

Message persistent_receive(const Communicator& comm, std::span<std::byte> data, Rank from,
                           Tag tag) {
  const ByteType bytes(data.size());
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Recv_init(data.data(), bytes.count(), bytes.type(), from.value, tag.value,
                          comm.handle(), &request),
            "MPI_Recv_init");
  return {request, true};
}

}  // namespace cartwright::rt
