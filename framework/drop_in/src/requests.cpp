// SPDX-License-Identifier: Apache-2.0
#include "requests.hpp"

#include <algorithm>
#include <utility>

namespace cartwright::drop_in {

namespace {

/// A generalised request, which is complete when we say so.
MPI_Request generalised_request() {
  const auto query = [](void* /*call*/, MPI_Status* status) -> int {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
  };
  const auto release = [](void* /*call*/) -> int { return MPI_SUCCESS; };
  const auto cancel = [](void* /*call*/, int /*complete*/) -> int { return MPI_SUCCESS; };
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Grequest_start(query, release, cancel, nullptr, &request);
  return request;
}

}  // namespace

void Requests::begin() {
  PMPI_Comm_dup(MPI_COMM_SELF, &myself_);
}

void Requests::end() {
  under_way_.clear();
  started_.clear();
  ready_.clear();
  free_what_nothing_needs();
  PMPI_Comm_free(&myself_);
}

Requests::Fault Requests::start(const comm::Collectives& on, std::unique_ptr<MpiCall> call,
                                MPI_Request& request) {
  call->begin();
  if (auto fault = on.attempt_start(call->call(), call->pending)) return fault;
  request = call->request = generalised_request();
  under_way_.push_back(std::move(call));
  return {};
}

Requests::Fault Requests::make_ready(const comm::Collectives& on, std::unique_ptr<MpiCall> call,
                                     MPI_Request& request) {
  if (auto fault = on.attempt_prepare(call->call(), call->persistent)) return fault;
  call->tag = next_tag_++;
  PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, call->tag, myself_, &call->request);
  request = call->request;
  ready_.push_back(std::move(call));
  return {};
}

Requests::Fault Requests::start_again(MPI_Request request) {
  const auto call = std::ranges::find(ready_, request, &MpiCall::request);
  if (call == ready_.end()) return {};
  (*call)->begin();
  if (auto fault = (*call)->persistent.attempt_start({})) return fault;
  started_.push_back(call->get());
  return {};
}

void Requests::forget(MPI_Request request) {
  std::erase_if(ready_, [&](const auto& call) { return call->request == request; });
}

Requests::Fault Requests::complete() {
  Fault found;
  const auto is_done = [&found](MpiCall& call, auto& under_way) {
    if (!under_way.is_complete()) return false;
    if (auto fault = under_way.attempt_wait()) found = std::move(fault);
    call.finish();
    return true;
  };
  std::erase_if(under_way_, [&](const auto& call) {
    if (!is_done(*call, call->pending)) return false;
    PMPI_Grequest_complete(call->request);
    return true;
  });
  std::erase_if(started_, [&](MpiCall* call) {
    if (!is_done(*call, call->persistent)) return false;
    PMPI_Send(nullptr, 0, MPI_BYTE, 0, call->tag, myself_);
    return true;
  });
  free_what_nothing_needs();
  return found;
}

void Requests::free_what_nothing_needs() {
  if (may_need_more()) return;
  for (MPI_Datatype& type : types_to_free_) PMPI_Type_free(&type);
  for (MPI_Op& op : ops_to_free_) PMPI_Op_free(&op);
  types_to_free_.clear();
  ops_to_free_.clear();
}

}  // namespace cartwright::drop_in
