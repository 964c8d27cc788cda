// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/collectives.hpp>
#include <cartwright/rt/communicator.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mpi_call.hpp"
#include "requests.hpp"
#include "settings.hpp"
#include "tally.hpp"

namespace cartwright::drop_in {

/// How MPI is asked for a collective: blocking, started, or made ready to be started many times.
struct Form {
  MPI_Request* request = nullptr;
  bool repeats = false;

  [[nodiscard]] bool is_blocking() const { return request == nullptr; }
};

/// A communicator of the program's, and comm's collectives on it.
class Communicator {
 public:
  /// Collective over `comm`.
  Communicator(MPI_Comm comm, rt::ProgressEngine& engine)
      : ranks_(rt::Communicator::duplicate(comm)), collectives_(ranks_, engine) {}
  [[nodiscard]] int size() const { return ranks_.size(); }
  [[nodiscard]] int rank() const { return ranks_.rank().value; }
  [[nodiscard]] const comm::Collectives& collectives() const { return collectives_; }
  /// The backend `native` leaves collectives to MPI, which gives the operators of others no
  /// context.
  [[nodiscard]] bool combines_by_any_operator() const {
    return collectives_.backend().id() != comm::BackendId::native;
  }

 private:
  rt::Communicator ranks_;
  comm::Collectives collectives_;
};

/// All of a process: which communicators are comm's, and what is under way on them.
class DropIn {
 public:
  static DropIn& process();

  /// After MPI_Init. With several threads in MPI at once all stays with the MPI library.
  void begin();
  void end();

  /// The communicator on which comm carries out what is asked for now; null: the MPI library does.
  /// Ranks ask in one order, as they call collectives, so that they agree.
  [[nodiscard]] Communicator* taking(MPI_Comm comm, const Form& form);
  /// Carries it out; or starts it, or makes it ready. What MPI's call returns.
  int carry_out(Communicator& on, MPI_Comm comm, MpiCall& call);
  int begin(Communicator& on, MPI_Comm comm, std::unique_ptr<MpiCall> call, const Form& form);

  /// MPI_Start, and what frees a request.
  int start(MPI_Request* request);
  void forget(MPI_Request request);
  /// A program may free what a collective still needs. False: MPI's to free, now.
  bool frees_type_later(MPI_Datatype type) {
    if (!may_need_more()) return false;
    requests_.free_type_later(type);
    return true;
  }
  bool frees_op_later(MPI_Op op) {
    if (!may_need_more()) return false;
    requests_.free_op_later(op);
    return true;
  }

  /// MPI_Cart_create by mapping; collective. False: it is MPI's to make.
  bool makes_grid(MPI_Comm comm, std::span<const int> dims, std::span<const int> periods,
                  MPI_Comm* made);

  /// Moves what is under way.
  void progress();
  [[nodiscard]] bool is_anything_under_way() const { return !inside_ && requests_.are_under_way(); }
  /// Whether calls of MPI are to be counted: the program's are, comm makes some, too.
  [[nodiscard]] bool counts() const { return !inside_ && settings_.report; }
  [[nodiscard]] Tally& tally() { return tally_; }

 private:
  [[nodiscard]] bool may_need_more() const { return !inside_ && requests_.may_need_more(); }

  class Inside;
  /// What a communicator of the program's has with it, as an attribute.
  struct Record {
    std::optional<Communicator> ours;
    long calls = 0;  ///< those that might have been ours, before it was taken over
    bool is_between_groups = false;
  };

  static int forget_record(MPI_Comm comm, int key, void* record, void* extra);
  [[nodiscard]] Record& record_of(MPI_Comm comm);
  void take_over(MPI_Comm comm, Record& record);
  int failed(MPI_Comm comm, const rt::Error& error) const;

  Settings settings_;
  rt::ProgressEngine engine_;
  std::vector<std::unique_ptr<Record>> records_;
  MPI_Comm latest_ = MPI_COMM_NULL;  ///< most calls are on the communicator of the one before
  Record* latest_record_ = nullptr;
  Requests requests_;
  int key_ = MPI_KEYVAL_INVALID;
  bool inside_ = true;  ///< calls of MPI are comm's own, or those of a program whose are all MPI's
  Tally tally_;
};

}  // namespace cartwright::drop_in
