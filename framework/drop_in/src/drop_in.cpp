// SPDX-License-Identifier: Apache-2.0
#include "drop_in.hpp"

#include <algorithm>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/rt/failure.hpp>
#include <cstdio>
#include <utility>

namespace cartwright::drop_in {

namespace {

bool is_rank_0_of(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank == 0;
}

void tell_of_threads() {
  if (!is_rank_0_of(MPI_COMM_WORLD)) return;
  std::fputs(
      "cartwright: the program asks for MPI_THREAD_MULTIPLE: all collectives are left to the MPI "
      "library.\nCARTWRIGHT_DROP_IN_SERIALIZED=1 gives it MPI_THREAD_SERIALIZED instead.\n",
      stderr);
}

/// Collective. Of a communicator of few ranks one couldn't see it.
bool ranks_share_cores() {
  try {
    return mapping::discover(rt::Communicator::duplicate(MPI_COMM_WORLD)).oversubscribed;
  } catch (const rt::Error& error) {
    rt::FailureGuard::end_start(error, MPI_COMM_WORLD);
  }
}

/// Rank 0's.
Settings agreed_settings() {
  Settings settings;
  try {
    if (is_rank_0_of(MPI_COMM_WORLD)) settings = settings_of_environment();
  } catch (const rt::Error& error) {
    rt::FailureGuard::end_start(error, MPI_COMM_WORLD);
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
  if (threads == MPI_THREAD_MULTIPLE) return tell_of_threads();
  engine_.set_oversubscribed(ranks_share_cores());
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_record, &key_, this);
  requests_.begin();
  inside_ = false;
}

void DropIn::end() {
  if (inside_) return;
  if (settings_.report && is_rank_0_of(MPI_COMM_WORLD))
    std::fprintf(stderr, "cartwright: %s", tally_.text().c_str());
  inside_ = true;
  requests_.end();
  records_.clear();
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
    if (!form.repeats && record.calls++ < settings_.after) return nullptr;
    take_over(comm, record);
  }
  return &*record.ours;
}

void DropIn::take_over(MPI_Comm comm, Record& record) {
  const Inside inside(*this);
  try {
    record.ours.emplace(comm, engine_);
  } catch (const rt::Error& error) {
    rt::FailureGuard::end_start(error, MPI_COMM_WORLD);
  }
}

int DropIn::failed(MPI_Comm comm, const rt::Error& error) const {
  std::fprintf(stderr, "cartwright: error: %s\n%s\n", error.what(), error.advice().c_str());
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

int DropIn::begin(Communicator& on, MPI_Comm comm, std::unique_ptr<MpiCall> call,
                  const Form& form) {
  const Inside inside(*this);
  const auto fault = form.repeats
                         ? requests_.make_ready(on.collectives(), std::move(call), *form.request)
                         : requests_.start(on.collectives(), std::move(call), *form.request);
  return fault ? failed(comm, *fault) : MPI_SUCCESS;
}

bool DropIn::makes_grid(MPI_Comm comm, std::span<const int> dims, std::span<const int> periods,
                        MPI_Comm* made) {
  if (inside_ || !settings_.reorder || record_of(comm).is_between_groups) return false;
  const Inside inside(*this);
  int size = 0;
  PMPI_Comm_size(comm, &size);
  long long wanted = 1;
  for (const int extent : dims) wanted = extent > 0 ? std::min(wanted * extent, 1LL << 31U) : 0;
  if (wanted < 1 || wanted > size) return false;
  try {
    const auto grid =
        mapping::cart_create(rt::Communicator::duplicate(comm), {dims.begin(), dims.end()},
                             {periods.begin(), periods.end()});
    *made = MPI_COMM_NULL;
    if (!grid) return true;
    PMPI_Comm_dup(grid.handle(), made);  // the program's to free
  } catch (const rt::Error& error) {
    rt::FailureGuard::end_start(error, MPI_COMM_WORLD);
  }
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(*made, handler);
  PMPI_Errhandler_free(&handler);
  return true;
}

int DropIn::start(MPI_Request* request) {
  const int code = PMPI_Start(request);
  if (inside_ || code != MPI_SUCCESS) return code;
  const Inside inside(*this);
  const auto fault = requests_.start_again(*request);
  return fault ? failed(MPI_COMM_WORLD, *fault) : MPI_SUCCESS;
}

void DropIn::forget(MPI_Request request) {
  if (inside_) return;
  const Inside inside(*this);
  requests_.forget(request);
}

void DropIn::progress() {
  if (!is_anything_under_way()) return;
  const Inside inside(*this);
  engine_.poll();
  if (const auto fault = requests_.complete()) (void)failed(MPI_COMM_WORLD, *fault);
}

}  // namespace cartwright::drop_in
