// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/node_view.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace cartwright::comm {

namespace {

/// Frees it in any case.
class RankGroup {
 public:
  explicit RankGroup(const rt::Communicator& comm) {
    rt::mpi_check(MPI_Comm_group(comm.handle(), &handle_), "MPI_Comm_group");
  }
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;
  ~RankGroup() { MPI_Group_free(&handle_); }
  [[nodiscard]] MPI_Group handle() const { return handle_; }

 private:
  MPI_Group handle_ = MPI_GROUP_NULL;
};

}  // namespace

NodeView NodeView::apart() {
  return {[](int) { return false; }, false};
}

NodeView NodeView::of(const rt::Communicator& comm, const rt::Communicator& parent,
                      const mapping::Topology& topology) {
  const RankGroup from(parent);
  const RankGroup to(comm);
  std::vector<int> here(topology.ranks_on_node.size());
  rt::mpi_check(MPI_Group_translate_ranks(from.handle(), static_cast<int>(here.size()),
                                          topology.ranks_on_node.data(), to.handle(), here.data()),
                "MPI_Group_translate_ranks");
  std::erase(here, MPI_UNDEFINED);
  std::ranges::sort(here);
  const bool one_node = static_cast<int>(here.size()) == comm.size();
  return {[ranks = std::make_shared<const std::vector<int>>(std::move(here))](int rank) {
            return std::ranges::binary_search(*ranks, rank);
          },
          one_node};
}

}  // namespace cartwright::comm
