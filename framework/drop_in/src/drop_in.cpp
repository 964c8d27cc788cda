// SPDX-License-Identifier: Apache-2.0
#include "drop_in.hpp"

#include <algorithm>
#include <cartwright/mapping/machine/topology.hpp>
#include <cstdio>
#include <utility>

namespace cartwright::drop_in {

namespace {

bool is_rank_0_of(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank == 0;
}

void tell(const rt::Error& error) {
  std::fprintf(stderr, "cartwright: error: %s\n%s%s", error.what(), error.advice().c_str(),
               error.advice().empty() ? "" : "\n");
}

/// What all ranks can go no further with.
[[noreturn]] void give_up(MPI_Comm comm, const rt::Error& error) {
  if (error.reach() == rt::Reach::this_rank || is_rank_0_of(comm)) tell(error);
  PMPI_Abort(comm, static_cast<int>(error.code()));
  std::abort();
}

/// Collective. Of a communicator of few ranks one couldn't see it.
bool ranks_share_cores() {
  try {
    return mapping::discover(rt::Communicator::duplicate(MPI_COMM_WORLD)).oversubscribed;
  } catch (const rt::Error& error) {
    give_up(MPI_COMM_WORLD, error);
  }
}

/// Rank 0's.
Settings agreed_settings() {
  Settings settings;
  try {
    if (is_rank_0_of(MPI_COMM_WORLD)) settings = settings_of_environment();
  } catch (const rt::Error& error) {
    give_up(MPI_COMM_WORLD, error);
  }
  PMPI_Bcast(&settings, sizeof settings, MPI_BYTE, 0, MPI_COMM_WORLD);
  return settings;
}

}  // namespace

/// While it lives, calls of MPI are comm's own.
class DropIn::Inside {
 public:
  explicit Inside(DropIn& drop_in)
      : drop_in_(drop_in), before_(std::exchange(drop_in.inside_, true)) {}
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { drop_in_.inside_ = before_; }

 private:
  DropIn& drop_in_;
  bool before_;
};

DropIn& DropIn::process() {
  static auto& drop_in = *new DropIn;  // never destroyed: MPI may be finalised in any order
  return drop_in;
}

void DropIn::begin() {
  settings_ = agreed_settings();
  int threads = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&threads);
  if (threads == MPI_THREAD_MULTIPLE) {
    if (is_rank_0_of(MPI_COMM_WORLD))
      std::fputs(
          "cartwright: the program asks for MPI_THREAD_MULTIPLE: all collectives are left to the "
          "MPI library\n",
          stderr);
    return;
  }
  engine_.set_oversubscribed(ranks_share_cores());
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_record, &key_, this);
  PMPI_Comm_dup(MPI_COMM_SELF, &myself_);
  inside_ = false;
}

void DropIn::end() {
  if (myself_ == MPI_COMM_NULL) return;
  if (settings_.report && is_rank_0_of(MPI_COMM_WORLD))
    std::fprintf(stderr, "cartwright: %s", tally_.text().c_str());
  inside_ = true;
  under_way_.clear();
  ready_.clear();
  free_what_nothing_needs();
  records_.clear();
  PMPI_Comm_free(&myself_);
}

DropIn::Record& DropIn::record_of(MPI_Comm comm) {
  if (comm == latest_ && latest_record_ != nullptr) return *latest_record_;
  void* found = nullptr;
  int is_known = 0;
  PMPI_Comm_get_attr(comm, key_, static_cast<void*>(&found), &is_known);
  if (is_known == 0) {
    records_.push_back(std::make_unique<Record>());
    found = records_.back().get();
    int is_between_groups = 0;
    PMPI_Comm_test_inter(comm, &is_between_groups);
    records_.back()->is_between_groups = is_between_groups != 0;
    PMPI_Comm_set_attr(comm, key_, found);
  }
  latest_ = comm;
  latest_record_ = static_cast<Record*>(found);
  return *latest_record_;
}

int DropIn::forget_record(MPI_Comm /*comm*/, int /*key*/, void* record, void* extra) {
  DropIn& drop_in = *static_cast<DropIn*>(extra);
  const Inside inside(drop_in);
  drop_in.latest_record_ = nullptr;
  std::erase_if(drop_in.records_, [&](const auto& each) { return each.get() == record; });
  return MPI_SUCCESS;
}

Communicator* DropIn::taking(MPI_Comm comm, const Form& form) {
  if (inside_ || comm == MPI_COMM_NULL) return nullptr;
  const bool is_started = !form.is_blocking() && !form.repeats;
  Record& record = record_of(comm);
  if (record.is_between_groups || (is_started && !settings_.nonblocking)) return nullptr;
  if (!record.ours) {
    // Ranks may start a collective at any time, so there all of them can't come together.
    if (is_started || (form.is_blocking() && record.calls++ < settings_.after)) return nullptr;
    take_over(comm, record);
  }
  return &*record.ours;
}

void DropIn::take_over(MPI_Comm comm, Record& record) {
  const Inside inside(*this);
  try {
    record.ours.emplace(comm, engine_);
  } catch (const rt::Error& error) {
    give_up(comm, error);
  }
}

int DropIn::failed(MPI_Comm comm, const rt::Error& error) const {
  tell(error);
  PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

int DropIn::carry_out(Communicator& on, MPI_Comm comm, MpiCall& call) {
  const Inside inside(*this);
  call.begin();
  if (const auto error = on.collectives().attempt(call.call())) return failed(comm, *error);
  call.finish();
  return MPI_SUCCESS;
}

int DropIn::carry_out(Communicator& on, MPI_Comm comm, std::unique_ptr<MpiCall> call,
                      const Form& form) {
  const Inside inside(*this);
  if (form.repeats) return make_ready(on, comm, std::move(call), form.request);
  return begin(on, comm, std::move(call), form.request);
}

int DropIn::begin(Communicator& on, MPI_Comm comm, std::unique_ptr<MpiCall> call,
                  MPI_Request* request) {
  call->begin();
  if (const auto error = on.collectives().attempt_start(call->call(), call->pending))
    return failed(comm, *error);
  const auto query = [](void* /*call*/, MPI_Status* status) -> int {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
  };
  const auto release = [](void* /*call*/) -> int { return MPI_SUCCESS; };
  const auto cancel = [](void* /*call*/, int /*complete*/) -> int { return MPI_SUCCESS; };
  const int code = PMPI_Grequest_start(query, release, cancel, nullptr, request);
  call->request = *request;
  under_way_.push_back(std::move(call));
  return code;
}

int DropIn::make_ready(Communicator& on, MPI_Comm comm, std::unique_ptr<MpiCall> call,
                       MPI_Request* request) {
  if (const auto error = on.collectives().attempt_prepare(call->call(), call->persistent))
    return failed(comm, *error);
  call->tag = next_tag_++;
  const int code = PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, call->tag, myself_, request);
  call->request = *request;
  ready_.push_back(std::move(call));
  return code;
}

int DropIn::start(MPI_Request* request) {
  const auto call = std::ranges::find(ready_, *request, &MpiCall::request);
  const int code = PMPI_Start(request);
  if (inside_ || call == ready_.end() || code != MPI_SUCCESS) return code;
  const Inside inside(*this);
  (*call)->begin();
  if (const auto error = (*call)->persistent.attempt_start({}))
    return failed(MPI_COMM_WORLD, *error);
  started_.push_back(call->get());
  return MPI_SUCCESS;
}

void DropIn::forget(MPI_Request request) {
  if (inside_ || ready_.empty()) return;
  const Inside inside(*this);
  std::erase_if(ready_, [&](const auto& call) { return call->request == request; });
}

bool DropIn::frees_type_later(MPI_Datatype type) {
  if (!is_anything_needed()) return false;
  types_to_free_.push_back(type);
  return true;
}

bool DropIn::frees_op_later(MPI_Op op) {
  if (!is_anything_needed()) return false;
  ops_to_free_.push_back(op);
  return true;
}

void DropIn::free_what_nothing_needs() {
  if (!under_way_.empty() || !ready_.empty()) return;
  for (MPI_Datatype& type : types_to_free_) PMPI_Type_free(&type);
  for (MPI_Op& op : ops_to_free_) PMPI_Op_free(&op);
  types_to_free_.clear();
  ops_to_free_.clear();
}

bool DropIn::has_completed(MpiCall& call) {
  if (!call.pending.is_complete()) return false;
  if (const auto error = call.pending.attempt_wait()) (void)failed(MPI_COMM_WORLD, *error);
  call.finish();
  PMPI_Grequest_complete(call.request);
  return true;
}

bool DropIn::has_completed_again(MpiCall& call) {
  if (!call.persistent.is_complete()) return false;
  if (const auto error = call.persistent.attempt_wait()) (void)failed(MPI_COMM_WORLD, *error);
  call.finish();
  PMPI_Send(nullptr, 0, MPI_BYTE, 0, call.tag, myself_);
  return true;
}

void DropIn::progress() {
  if (!is_anything_under_way()) return;
  const Inside inside(*this);
  engine_.poll();
  std::erase_if(under_way_, [&](const auto& call) { return has_completed(*call); });
  std::erase_if(started_, [&](MpiCall* call) { return has_completed_again(*call); });
  free_what_nothing_needs();
}

}  // namespace cartwright::drop_in
