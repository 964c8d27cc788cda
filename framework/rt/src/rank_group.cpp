// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/rank_group.hpp>

namespace cartwright::rt {

namespace {

/// Frees it in any case.
class RankGroup {
 public:
  explicit RankGroup(const Communicator& comm) {
    mpi_check(MPI_Comm_group(comm.handle(), &handle_), "MPI_Comm_group");
  }
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;
  ~RankGroup() { MPI_Group_free(&handle_); }
  [[nodiscard]] MPI_Group handle() const { return handle_; }

 private:
  MPI_Group handle_ = MPI_GROUP_NULL;
};

}  // namespace

std::vector<int> translate(std::span<const int> ranks, const Communicator& from,
                           const Communicator& to) {
  const RankGroup source(from);
  const RankGroup target(to);
  std::vector<int> numbers(ranks.size());
  mpi_check(MPI_Group_translate_ranks(source.handle(), static_cast<int>(ranks.size()), ranks.data(),
                                      target.handle(), numbers.data()),
            "MPI_Group_translate_ranks");
  std::ranges::replace(numbers, MPI_UNDEFINED, -1);
  return numbers;
}

}  // namespace cartwright::rt
