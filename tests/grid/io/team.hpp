// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>

namespace cartwright::grid::test {

/// Some ranks and their collectives, which tell of each other whether they call the same.
class Team {
 public:
  explicit Team(MPI_Comm comm)
      : comm_(rt::Communicator::duplicate(comm)), collectives_(comm_, engine_, options()) {
    engine_.set_oversubscribed(true);
  }
  // Functions of the framework take either.
  operator const rt::Communicator&() const { return comm_; }
  operator const comm::Collectives&() const { return collectives_; }

  [[nodiscard]] rt::Rank rank() const { return comm_.rank(); }
  [[nodiscard]] int size() const { return comm_.size(); }
  [[nodiscard]] bool is_root() const { return comm_.is_root(); }
  [[nodiscard]] MPI_Comm handle() const { return comm_.handle(); }

 private:
  static comm::Context options() {
    return {.settings = {.backend = comm::BackendId::p2p, .checked = true, .is_resolved = true}};
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  comm::Collectives collectives_;
};

inline Team world() {
  return Team(MPI_COMM_WORLD);
}
inline Team alone() {
  return Team(MPI_COMM_SELF);
}

}  // namespace cartwright::grid::test
