// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::rt {

namespace {

/// The ranks of a communicator; freed in any case.
class RankGroup {
 public:
  explicit RankGroup(const Communicator& comm) {
    mpi_check(MPI_Comm_group(comm.handle(), &handle_), "MPI_Comm_group");
  }
  RankGroup(const RankGroup& all, const std::vector<int>& some) {
    mpi_check(MPI_Group_incl(all.handle(), static_cast<int>(some.size()), some.data(), &handle_),
              "MPI_Group_incl");
  }
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;
  ~RankGroup() { MPI_Group_free(&handle_); }
  [[nodiscard]] MPI_Group handle() const { return handle_; }

 private:
  MPI_Group handle_ = MPI_GROUP_NULL;
};

}  // namespace

Communicator Communicator::own(MPI_Comm handle) {
  Communicator result;
  if (handle == MPI_COMM_NULL) return result;
  result.handle_ = handle;
  mpi_check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  mpi_check(MPI_Comm_rank(handle, &result.rank_), "MPI_Comm_rank");
  mpi_check(MPI_Comm_size(handle, &result.size_), "MPI_Comm_size");
  return result;
}

/// MPI_Comm_dup would run what the program has attached to its communicator for copies of it.
Communicator Communicator::duplicate(MPI_Comm handle) {
  MPI_Group ranks = MPI_GROUP_NULL;
  mpi_check(MPI_Comm_group(handle, &ranks), "MPI_Comm_group");
  MPI_Comm copy = MPI_COMM_NULL;
  mpi_blocking("MPI_Comm_create", MPI_Comm_create, handle, ranks, &copy);
  mpi_check(MPI_Group_free(&ranks), "MPI_Group_free");
  return own(copy);
}

Communicator Communicator::later(std::shared_ptr<const Communicator> of, std::vector<int> ranks,
                                 int tag) {
  Communicator result;
  result.size_ = static_cast<int>(ranks.size());
  const auto me = std::ranges::find(ranks, of->rank().value);
  if (me == ranks.end())
    throw internal_failure("a communicator was asked for by a rank that isn't in it");
  result.rank_ = static_cast<int>(me - ranks.begin());
  result.later_ = std::make_unique<const Later>(Later{std::move(of), std::move(ranks), tag});
  return result;
}

void Communicator::make() const {
  const auto later = std::move(later_);
  const RankGroup ranks(RankGroup(*later->of), later->ranks);
  MPI_Comm made = MPI_COMM_NULL;
  mpi_blocking("MPI_Comm_create_group", MPI_Comm_create_group, later->of->handle(), ranks.handle(),
               later->tag, &made);
  mpi_check(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  handle_ = made;
}

std::vector<int> Communicator::translate(std::span<const int> ranks, const Communicator& to) const {
  std::vector<int> numbers(ranks.begin(), ranks.end());
  if (later_ != nullptr) {
    for (int& rank : numbers) rank = later_->ranks[static_cast<std::size_t>(rank)];
    return later_->of->translate(numbers, to);
  }
  if (to.later_ != nullptr) {
    const std::vector<int> there = translate(ranks, *to.later_->of);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto found = std::ranges::find(to.later_->ranks, there[i]);
      numbers[i] = found == to.later_->ranks.end() || there[i] < 0
                       ? -1
                       : static_cast<int>(found - to.later_->ranks.begin());
    }
    return numbers;
  }
  const RankGroup source(*this);
  const RankGroup target(to);
  mpi_check(MPI_Group_translate_ranks(source.handle(), static_cast<int>(ranks.size()), ranks.data(),
                                      target.handle(), numbers.data()),
            "MPI_Group_translate_ranks");
  std::ranges::replace(numbers, MPI_UNDEFINED, -1);
  return numbers;
}

Communicator::~Communicator() {
  // Freeing is collective: other ranks would be waited for that don't know of an exception here.
  if (handle_ == MPI_COMM_NULL || unwinding() || !mpi_is_running()) return;
  const WaitScope waiting({"MPI_Comm_free"});
  MPI_Comm_free(&handle_);
}

Communicator Communicator::split(int color, int key) const {
  MPI_Comm part = MPI_COMM_NULL;
  mpi_blocking("MPI_Comm_split", MPI_Comm_split, handle(), color < 0 ? MPI_UNDEFINED : color, key,
               &part);
  return own(part);
}

Communicator Communicator::split_shared_memory() const {
  MPI_Comm part = MPI_COMM_NULL;
  mpi_blocking("MPI_Comm_split_type", MPI_Comm_split_type, handle(), MPI_COMM_TYPE_SHARED, rank_,
               MPI_INFO_NULL, &part);
  return own(part);
}

void Communicator::barrier() const {
  mpi_blocking("MPI_Barrier", MPI_Barrier, handle());
}

}  // namespace cartwright::rt
