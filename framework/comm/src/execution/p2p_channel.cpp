// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

std::uint64_t tags_of(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  rt::mpi_check(MPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &found), "MPI_Comm_get_attr");
  constexpr int least = 32767;  // what MPI promises
  const int largest = found != 0 ? *static_cast<const int*>(value) : least;
  return static_cast<std::uint64_t>(largest) + 1;
}

}  // namespace

P2pChannel::P2pChannel(const rt::Communicator& comm, std::uint64_t tags)
    : P2pChannel(std::make_shared<const rt::Communicator>(comm.duplicate()), 0, 1, {}, tags) {}

P2pChannel::P2pChannel(std::shared_ptr<const rt::Communicator> duplicate, int share, int shares,
                       std::vector<int> peers, std::uint64_t tags)
    : comm_(std::move(duplicate)), handle_(comm_->handle()), peers_(std::move(peers)) {
  const std::uint64_t all = tags_of(comm_->handle()) / static_cast<std::uint64_t>(shares);
  const std::uint64_t used = tags == 0 ? all : std::min(tags, all);
  log_length_ = static_cast<unsigned>(
      std::bit_width(std::max<std::uint64_t>(used / stretches_.size(), 1)) - 1);
  first_tag_ = share * static_cast<int>(stretches_.size() << log_length_);
}

}  // namespace cartwright::comm
