// SPDX-License-Identifier: Apache-2.0
#include "carrier.hpp"

#include <algorithm>
#include <cartwright/comm/selection/backend_id.hpp>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace cartwright::campaign {

namespace {

comm::BackendId wanted_backend() {
  const char* const name = std::getenv("CAMPAIGN_BACKEND");
  return name == nullptr ? comm::BackendId::automatic : comm::known_backend(name);
}

bool is_between_groups(MPI_Comm comm) {
  int between = 0;
  PMPI_Comm_test_inter(comm, &between);
  return between != 0;
}

}  // namespace

Carrier::Carrier(MPI_Comm comm, rt::ProgressEngine& engine)
    : ranks_(rt::Communicator::duplicate(comm)), collectives_(ranks_, engine, wanted_backend()) {}

/// While it lives, calls of MPI are comm's own.
class Carriers::Inside {
 public:
  explicit Inside(Carriers& carriers)
      : carriers_(carriers), before_(std::exchange(carriers.inside_, true)) {}
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { carriers_.inside_ = before_; }

 private:
  Carriers& carriers_;
  bool before_;
};

Carriers& Carriers::all() {
  static auto& carriers = *new Carriers;  // never destroyed: MPI may be finalised in any order
  return carriers;
}

bool Carriers::combines_by_any_operator() {
  static const bool does = wanted_backend() != comm::BackendId::native;
  return does;
}

void Carriers::begin() {
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_carrier, &key_, this);
  PMPI_Comm_dup(MPI_COMM_SELF, &myself_);
  inside_ = false;
  take(MPI_COMM_WORLD);
  take(MPI_COMM_SELF);
}

void Carriers::end() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && std::getenv("CAMPAIGN_TELL") != nullptr)
    std::fprintf(stderr, "collectives: %ld by comm, %ld by MPI\n", carried_, left_);
  inside_ = true;
  for (const MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD}) PMPI_Comm_delete_attr(comm, key_);
  under_way_.clear();
  ready_.clear();
  free_what_nothing_needs();
  carriers_.clear();
  PMPI_Comm_free(&myself_);
}

void Carriers::take(MPI_Comm comm) {
  if (inside_ || comm == MPI_COMM_NULL || is_between_groups(comm)) return;
  const Inside inside(*this);
  carriers_.push_back(std::make_unique<Carrier>(comm, engine_));
  PMPI_Comm_set_attr(comm, key_, carriers_.back().get());
}

Carrier* Carriers::of(MPI_Comm comm) const {
  if (inside_ || comm == MPI_COMM_NULL) return nullptr;
  void* carrier = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, key_, static_cast<void*>(&carrier), &found);
  return found != 0 ? static_cast<Carrier*>(carrier) : nullptr;
}

int Carriers::forget_carrier(MPI_Comm /*comm*/, int /*key*/, void* carrier, void* extra) {
  Carriers& carriers = *static_cast<Carriers*>(extra);
  const Inside inside(carriers);
  std::erase_if(carriers.carriers_, [&](const auto& each) { return each.get() == carrier; });
  return MPI_SUCCESS;
}

int Carriers::failed(MPI_Comm comm, const rt::Error& error) const {
  std::fprintf(stderr, "cartwright: error: %s\n", error.what());
  PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

int Carriers::carry_out(Carrier& carrier, MPI_Comm comm, std::unique_ptr<Job> job,
                        const Form& form) {
  ++carried_;
  const Inside inside(*this);
  if (form.repeats) return make_ready(carrier, comm, std::move(job), form.request);
  job->begin();
  if (form.request != nullptr) return begin(carrier, comm, std::move(job), form.request);
  if (const auto error = carrier.collectives().attempt(job->call())) return failed(comm, *error);
  job->finish();
  return MPI_SUCCESS;
}

int Carriers::begin(Carrier& carrier, MPI_Comm comm, std::unique_ptr<Job> job,
                    MPI_Request* request) {
  if (const auto error = carrier.collectives().attempt_start(job->call(), job->pending))
    return failed(comm, *error);
  const auto query = [](void* /*job*/, MPI_Status* status) -> int {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
  };
  const auto release = [](void* /*job*/) -> int { return MPI_SUCCESS; };
  const auto cancel = [](void* /*job*/, int /*complete*/) -> int { return MPI_SUCCESS; };
  const int code = PMPI_Grequest_start(query, release, cancel, nullptr, request);
  job->request = *request;
  under_way_.push_back(std::move(job));
  return code;
}

int Carriers::make_ready(Carrier& carrier, MPI_Comm comm, std::unique_ptr<Job> job,
                         MPI_Request* request) {
  if (const auto error = carrier.collectives().attempt_prepare(job->call(), job->persistent))
    return failed(comm, *error);
  job->tag = next_tag_++;
  const int code = PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, job->tag, myself_, request);
  job->request = *request;
  ready_.push_back(std::move(job));
  return code;
}

int Carriers::start(MPI_Request* request) {
  const auto job = std::ranges::find(ready_, *request, &Job::request);
  const int code = PMPI_Start(request);
  if (inside_ || job == ready_.end() || code != MPI_SUCCESS) return code;
  const Inside inside(*this);
  (*job)->begin();
  if (const auto error = (*job)->persistent.attempt_start({}))
    return failed(MPI_COMM_WORLD, *error);
  started_.push_back(job->get());
  return MPI_SUCCESS;
}

void Carriers::forget(MPI_Request request) {
  if (inside_ || ready_.empty()) return;
  const Inside inside(*this);
  std::erase_if(ready_, [&](const auto& job) { return job->request == request; });
}

bool Carriers::frees_type_later(MPI_Datatype type) {
  if (!is_anything_needed()) return false;
  types_to_free_.push_back(type);
  return true;
}

bool Carriers::frees_op_later(MPI_Op op) {
  if (!is_anything_needed()) return false;
  ops_to_free_.push_back(op);
  return true;
}

void Carriers::free_what_nothing_needs() {
  if (!under_way_.empty() || !ready_.empty()) return;
  for (MPI_Datatype& type : types_to_free_) PMPI_Type_free(&type);
  for (MPI_Op& op : ops_to_free_) PMPI_Op_free(&op);
  types_to_free_.clear();
  ops_to_free_.clear();
}

bool Carriers::has_completed(Job& job) {
  if (!job.pending.is_complete()) return false;
  if (const auto error = job.pending.attempt_wait()) (void)failed(MPI_COMM_WORLD, *error);
  job.finish();
  PMPI_Grequest_complete(job.request);
  return true;
}

bool Carriers::has_completed_again(Job& job) {
  if (!job.persistent.is_complete()) return false;
  if (const auto error = job.persistent.attempt_wait()) (void)failed(MPI_COMM_WORLD, *error);
  job.finish();
  PMPI_Send(nullptr, 0, MPI_BYTE, 0, job.tag, myself_);
  return true;
}

void Carriers::progress() {
  if (!is_anything_under_way()) return;
  const Inside inside(*this);
  engine_.poll();
  std::erase_if(under_way_, [&](const auto& job) { return has_completed(*job); });
  std::erase_if(started_, [&](Job* job) { return has_completed_again(*job); });
  free_what_nothing_needs();
}

}  // namespace cartwright::campaign
