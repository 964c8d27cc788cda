// SPDX-License-Identifier: Apache-2.0
// What waits in MPI lets comm's collectives go on meanwhile, as MPI's own would.
#include <mpi.h>

#include <thread>

#include "drop_in.hpp"

namespace {

using cartwright::drop_in::DropIn;

/// `test(flag)` until it says that it is over; `wait()` where nothing of comm's is under way.
template <class Test, class Wait>
int patiently(const Test& test, const Wait& wait) {
  DropIn& drop_in = DropIn::process();
  if (!drop_in.is_anything_under_way()) return wait();
  for (;;) {
    drop_in.progress();
    int over = 0;
    const int code = test(&over);
    if (code != MPI_SUCCESS || over != 0) return code;
    std::this_thread::yield();
  }
}

/// A message that was begun, to its end.
template <class Begin, class Wait>
int message(const Begin& begin, MPI_Status* status, const Wait& wait) {
  if (!DropIn::process().is_anything_under_way()) return wait();
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = begin(&request);
  return code == MPI_SUCCESS ? MPI_Wait(&request, status) : code;
}

}  // namespace

extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return patiently([&](int* over) { return PMPI_Test(request, over, status); },
                   [&] { return PMPI_Wait(request, status); });
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  return patiently([&](int* over) { return PMPI_Testall(count, requests, over, statuses); },
                   [&] { return PMPI_Waitall(count, requests, statuses); });
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return patiently([&](int* over) { return PMPI_Testany(count, requests, index, over, status); },
                   [&] { return PMPI_Waitany(count, requests, index, status); });
}

int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  return patiently(
      [&](int* over) {
        const int code = PMPI_Testsome(count, requests, done, indices, statuses);
        *over = *done != 0 ? 1 : 0;
        return code;
      },
      [&] { return PMPI_Waitsome(count, requests, done, indices, statuses); });
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  DropIn::process().progress();
  return PMPI_Test(request, flag, status);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  DropIn::process().progress();
  return PMPI_Testall(count, requests, flag, statuses);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  DropIn::process().progress();
  return PMPI_Testany(count, requests, index, flag, status);
}

int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  DropIn::process().progress();
  return PMPI_Testsome(count, requests, done, indices, statuses);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  DropIn::process().progress();
  return PMPI_Request_get_status(request, flag, status);
}

int MPI_Start(MPI_Request* request) {
  return DropIn::process().start(request);
}

int MPI_Startall(int count, MPI_Request* requests) {
  int code = MPI_SUCCESS;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i) code = MPI_Start(requests + i);
  return code;
}

int MPI_Request_free(MPI_Request* request) {
  DropIn::process().forget(*request);
  return PMPI_Request_free(request);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return message(
      [&](MPI_Request* request) { return PMPI_Isend(data, count, type, to, tag, comm, request); },
      MPI_STATUS_IGNORE, [&] { return PMPI_Send(data, count, type, to, tag, comm); });
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return message(
      [&](MPI_Request* request) { return PMPI_Issend(data, count, type, to, tag, comm, request); },
      MPI_STATUS_IGNORE, [&] { return PMPI_Ssend(data, count, type, to, tag, comm); });
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return message(
      [&](MPI_Request* request) { return PMPI_Irecv(data, count, type, from, tag, comm, request); },
      status, [&] { return PMPI_Recv(data, count, type, from, tag, comm, status); });
}

int MPI_Sendrecv(const void* sent, int sent_count, MPI_Datatype sent_type, int to, int sent_tag,
                 void* received, int received_count, MPI_Datatype received_type, int from,
                 int received_tag, MPI_Comm comm, MPI_Status* status) {
  if (!DropIn::process().is_anything_under_way())
    return PMPI_Sendrecv(sent, sent_count, sent_type, to, sent_tag, received, received_count,
                         received_type, from, received_tag, comm, status);
  MPI_Request sending = MPI_REQUEST_NULL;
  const int code = PMPI_Isend(sent, sent_count, sent_type, to, sent_tag, comm, &sending);
  if (code != MPI_SUCCESS) return code;
  const int came =
      MPI_Recv(received, received_count, received_type, from, received_tag, comm, status);
  const int left = MPI_Wait(&sending, MPI_STATUS_IGNORE);
  return came != MPI_SUCCESS ? came : left;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return patiently([&](int* over) { return PMPI_Iprobe(from, tag, comm, over, status); },
                   [&] { return PMPI_Probe(from, tag, comm, status); });
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message_found, MPI_Status* status) {
  return patiently(
      [&](int* over) { return PMPI_Improbe(from, tag, comm, over, message_found, status); },
      [&] { return PMPI_Mprobe(from, tag, comm, message_found, status); });
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  DropIn::process().progress();
  return PMPI_Iprobe(from, tag, comm, flag, status);
}

}  // extern "C"
