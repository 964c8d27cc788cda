// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/communicator.hpp>
#include <memory>

#include "job.hpp"

namespace cartwright::campaign {

/// How MPI is asked for a collective: blocking, started, or made ready to be started many times.
struct Form {
  MPI_Request* request = nullptr;
  bool repeats = false;
};

/// A communicator of the program's, and comm's collectives on it.
class Carrier {
 public:
  Carrier(MPI_Comm comm, rt::ProgressEngine& engine);
  [[nodiscard]] int size() const { return ranks_.size(); }
  [[nodiscard]] int rank() const { return ranks_.rank().value; }
  [[nodiscard]] const comm::Collectives& collectives() const { return collectives_; }

 private:
  rt::Communicator ranks_;
  comm::Collectives collectives_;
};

/// All of a process: which communicators comm carries, and what is under way.
class Carriers {
 public:
  static Carriers& all();

  /// From now on calls of MPI by comm itself go to MPI.
  void begin();
  void end();
  /// Collective over `comm`; communicators between groups are MPI's.
  void take(MPI_Comm comm);
  /// Null: MPI's, or a call that comm itself makes.
  [[nodiscard]] Carrier* of(MPI_Comm comm) const;

  /// Carries the job out, starts it or makes it ready. What MPI's call returns.
  int carry_out(Carrier& carrier, MPI_Comm comm, std::unique_ptr<Job> job, const Form& form);
  /// MPI_Start, and what frees a request.
  int start(MPI_Request* request);
  void forget(MPI_Request request);
  /// A program may free what a collective still needs; it goes when nothing does. False: MPI's to
  /// free, now.
  bool frees_type_later(MPI_Datatype type);
  bool frees_op_later(MPI_Op op);
  /// Moves what is under way.
  void progress();
  [[nodiscard]] bool is_anything_under_way() const {
    return !inside_ && !(under_way_.empty() && started_.empty());
  }
  /// The backend `native` leaves collectives to MPI, which gives the operators of others no
  /// context.
  [[nodiscard]] static bool combines_by_any_operator();
  /// A collective that is MPI's after all.
  void leave() {
    if (!inside_) ++left_;
  }

 private:
  class Inside;
  static int forget_carrier(MPI_Comm comm, int key, void* carrier, void* extra);
  int failed(MPI_Comm comm, const rt::Error& error) const;
  int begin(Carrier& carrier, MPI_Comm comm, std::unique_ptr<Job> job, MPI_Request* request);
  int make_ready(Carrier& carrier, MPI_Comm comm, std::unique_ptr<Job> job, MPI_Request* request);
  [[nodiscard]] bool is_anything_needed() const {
    return !inside_ && !(under_way_.empty() && ready_.empty());
  }
  void free_what_nothing_needs();
  bool has_completed(Job& job);
  bool has_completed_again(Job& job);

  rt::ProgressEngine engine_;
  std::vector<std::unique_ptr<Carrier>> carriers_;
  std::vector<std::unique_ptr<Job>> under_way_;
  /// Persistent ones: each stands behind a persistent receive of nothing, which this process sends
  /// itself when the collective is complete; so MPI's own calls wait for it.
  std::vector<std::unique_ptr<Job>> ready_;
  std::vector<Job*> started_;
  MPI_Comm myself_ = MPI_COMM_NULL;
  std::vector<MPI_Datatype> types_to_free_;
  std::vector<MPI_Op> ops_to_free_;
  int next_tag_ = 0;
  int key_ = MPI_KEYVAL_INVALID;
  bool inside_ = true;  // until begin()
  long carried_ = 0;
  long left_ = 0;
};

}  // namespace cartwright::campaign
