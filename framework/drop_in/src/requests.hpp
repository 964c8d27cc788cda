// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/error.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "mpi_call.hpp"

namespace cartwright::drop_in {

/// Collectives that are under way, or may be started again, behind requests of MPI's own: so MPI's
/// own calls wait for them.
class Requests {
 public:
  using Fault = std::optional<rt::Error>;

  /// Makes what persistent collectives need; before MPI ends, `end()`.
  void begin();
  /// Gives up what is still under way.
  void end();

  /// Starts the call; `request` is a generalised one.
  Fault start(const comm::Collectives& on, std::unique_ptr<MpiCall> call, MPI_Request& request);
  /// Makes it ready to be started. `request` is a persistent receive of nothing, which this process
  /// sends itself when the collective is complete.
  Fault make_ready(const comm::Collectives& on, std::unique_ptr<MpiCall> call,
                   MPI_Request& request);
  /// After MPI_Start: of ours, if it is one.
  Fault start_again(MPI_Request request);
  void forget(MPI_Request request);

  [[nodiscard]] bool are_under_way() const { return !(under_way_.empty() && started_.empty()); }
  /// What a program frees while these may still need it. They go when nothing does.
  [[nodiscard]] bool may_need_more() const { return !(under_way_.empty() && ready_.empty()); }
  void free_type_later(MPI_Datatype type) { types_to_free_.push_back(type); }
  void free_op_later(MPI_Op op) { ops_to_free_.push_back(op); }

  /// Completes the requests of those that are done. What went wrong, of the last that did.
  Fault complete();

 private:
  void free_what_nothing_needs();

  std::vector<std::unique_ptr<MpiCall>> under_way_;
  std::vector<std::unique_ptr<MpiCall>> ready_;
  std::vector<MpiCall*> started_;  ///< of those that are ready
  std::vector<MPI_Datatype> types_to_free_;
  std::vector<MPI_Op> ops_to_free_;
  MPI_Comm myself_ = MPI_COMM_NULL;
  int next_tag_ = 0;
};

}  // namespace cartwright::drop_in
