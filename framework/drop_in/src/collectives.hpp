// SPDX-License-Identifier: Apache-2.0
// Each of MPI's collectives once: what its arguments are for comm. The entries of its three forms
// say what is asked for, and what to do where it stays with the MPI library: `leave()`.
#pragma once

#include <mpi.h>

#include <cartwright/rt/ticks.hpp>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "drop_in.hpp"
#include "operators.hpp"

namespace cartwright::drop_in {

using plan::Operation;

/// What an operation takes, as far as all ranks say it alike.
struct Elements {
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
  std::optional<MPI_Op> op{};  ///< absent: they are moved only

  [[nodiscard]] bool are_right_for(const Communicator& on) const {
    if (count < 0 || type == MPI_DATATYPE_NULL) return false;
    if (!op) return true;
    if (*op == MPI_OP_NULL) return false;
    if (const auto known = predefined_of(type, *op))
      return comm::is_defined(known->op, known->scalar);
    return lies_in_its_extent(type) && on.combines_by_any_operator();
  }
};

/// A collective as MPI is asked for it.
struct Asked {
  Operation operation;
  MPI_Comm comm;
  Form form;
  int root = 0;
};

/// Counts a collective at its end, where a report is wanted.
class Counted {
 public:
  Counted(DropIn& drop_in, Operation operation)
      : tally_(drop_in.counts() ? &drop_in.tally() : nullptr), operation_(operation) {
    if (tally_ != nullptr) begin_ = rt::now();
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() {
    if (tally_ != nullptr) tally_->count(operation_, by, rt::seconds_between(begin_, rt::now()));
  }
  CarriedBy by = CarriedBy::mpi_for_communicator;

 private:
  Tally* tally_;
  Operation operation_;
  rt::Ticks begin_{};
};

/// Put together by `fill(call, on)` and carried out by comm; by `leave()` where it is MPI's.
template <class Fill, class Leave>
int collective(const Asked& asked, const Elements& elements, const Fill& fill, const Leave& leave) {
  DropIn& drop_in = DropIn::process();
  Counted counted(drop_in, asked.operation);
  Communicator* const on = drop_in.taking(asked.comm, asked.form);
  if (on == nullptr) return leave();
  counted.by = CarriedBy::mpi_for_arguments;
  if (asked.root < 0 || asked.root >= on->size() || !elements.are_right_for(*on)) return leave();
  // Most are blocking, and allocate nothing.
  MpiCall at_once(asked.operation);
  auto kept = asked.form.is_blocking() ? nullptr : std::make_unique<MpiCall>(asked.operation);
  MpiCall& call = kept ? *kept : at_once;
  try {
    call.call().root = rt::Rank{asked.root};
    fill(call, *on);
  } catch (const rt::Error&) {  // a negative length of a block
    return leave();
  }
  counted.by = CarriedBy::us;
  return kept ? drop_in.begin(*on, asked.comm, std::move(kept), asked.form)
              : drop_in.carry_out(*on, asked.comm, at_once);
}

/// The blocks of all ranks, of so many elements each.
[[nodiscard]] inline Data blocks_of_all(const void* address, int each, MPI_Datatype type,
                                        const Communicator& on) {
  return data(address, static_cast<long long>(each) * on.size(), type);
}

/// This rank's among them.
[[nodiscard]] inline Data own_block(const Data& all, int each, const Communicator& on) {
  return all.block(static_cast<long long>(each) * on.rank(), each);
}
[[nodiscard]] inline const Data& own_block(const std::vector<Data>& blocks,
                                           const Communicator& on) {
  return blocks[static_cast<std::size_t>(on.rank())];
}

template <class Leave>
int barrier_of(MPI_Comm comm, const Form& form, const Leave& leave) {
  return collective(
      {Operation::barrier, comm, form}, {}, [](MpiCall&, const Communicator&) {}, leave);
}

template <class Leave>
int broadcast_of(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, const Form& form,
                 const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    call.call().count = bytes_of(n, type);
    call.write(data(out, n, type), on.rank() == root);
  };
  return collective({Operation::broadcast, comm, form, root}, {n, type}, fill, leave);
}

template <class Leave>
int reduce_of(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
              MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    fill_reduction(call, in, out, n, type, op, on.rank() == root, false);
  };
  return collective({Operation::reduce, comm, form, root}, {n, type, op}, fill, leave);
}

/// allreduce, scan, exscan: of which rank 0's output stays as it was.
template <class Leave>
int combination_of(Operation operation, const void* in, void* out, int n, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator&) {
    fill_reduction(call, in, out, n, type, op, true, operation == Operation::exscan);
  };
  return collective({operation, comm, form}, {n, type, op}, fill, leave);
}

template <class Leave>
int reduce_scatter_block_of(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    call.call().count = n;
    fill_blocks(call, in, out,
                {static_cast<long long>(n) * on.size(), static_cast<long long>(n) * on.rank(), n},
                type, op);
  };
  return collective({Operation::reduce_scatter, comm, form}, {n, type, op}, fill, leave);
}

template <class Leave>
int reduce_scatter_of(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    const int* const own = counts + on.rank();
    call.cut(comm::Blocks(std::span(counts, static_cast<std::size_t>(on.size()))));
    fill_blocks(
        call, in, out,
        {std::accumulate(counts, counts + on.size(), 0LL), std::accumulate(counts, own, 0LL), *own},
        type, op);
  };
  return collective({Operation::reduce_scatter, comm, form}, {0, type, op}, fill, leave);
}

template <class Leave>
int gather_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n, MPI_Datatype type,
              int root, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    const bool is_root = on.rank() == root;
    call.call().count = is_root ? bytes_of(n, type) : bytes_of(sent, sent_type);
    if (!is_root) return read_own(call, data(in, sent, sent_type));
    const Data all = blocks_of_all(out, n, type, on);
    read_own_write_all(call, data(in, sent, sent_type), own_block(all, n, on), {&all, 1});
  };
  return collective({Operation::gather, comm, form, root}, {}, fill, leave);
}

template <class Leave>
int scatter_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
               MPI_Datatype type, int root, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    const bool is_root = on.rank() == root;
    call.call().count = is_root ? bytes_of(sent, sent_type) : bytes_of(n, type);
    if (!is_root) return write_own(call, data(out, n, type));
    const Data all = blocks_of_all(in, sent, sent_type, on);
    read_all_write_own(call, {&all, 1}, data(out, n, type), own_block(all, sent, on));
  };
  return collective({Operation::scatter, comm, form, root}, {}, fill, leave);
}

template <class Leave>
int allgather_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                 MPI_Datatype type, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    call.call().count = bytes_of(n, type);
    const Data all = blocks_of_all(out, n, type, on);
    read_own_write_all(call, data(in, sent, sent_type), own_block(all, n, on), {&all, 1});
  };
  return collective({Operation::allgather, comm, form}, {n, type}, fill, leave);
}

template <class Leave>
int alltoall_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                MPI_Datatype type, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    call.call().count = bytes_of(n, type);
    const Data all = blocks_of_all(out, n, type, on);
    read_own_write_all(call, blocks_of_all(in, sent, sent_type, on), all, {&all, 1});
  };
  return collective({Operation::alltoall, comm, form}, {n, type}, fill, leave);
}

template <class Leave>
int gatherv_of(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
               const int* displacements, MPI_Datatype type, int root, MPI_Comm comm,
               const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    call.call().only_root_knows_blocks = true;
    if (on.rank() != root) {
      read_own(call, data(in, sent, sent_type));
      return call.cut(
          comm::Blocks::away_from_root(on.size(), on.rank(), bytes_of(sent, sent_type)));
    }
    const auto blocks = blocks_of(data(out, 0, type), counts, displacements, on.size());
    call.cut(in_bytes(blocks));
    read_own_write_all(call, data(in, sent, sent_type), own_block(blocks, on), blocks);
  };
  return collective({Operation::gather, comm, form, root}, {}, fill, leave);
}

template <class Leave>
int scatterv_of(const void* in, const int* counts, const int* displacements, MPI_Datatype sent_type,
                void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, const Form& form,
                const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    call.call().only_root_knows_blocks = true;
    if (on.rank() != root) {
      write_own(call, data(out, n, type));
      return call.cut(comm::Blocks::away_from_root(on.size(), on.rank(), bytes_of(n, type)));
    }
    const auto blocks = blocks_of(data(in, 0, sent_type), counts, displacements, on.size());
    call.cut(in_bytes(blocks));
    read_all_write_own(call, blocks, data(out, n, type), own_block(blocks, on));
  };
  return collective({Operation::scatter, comm, form, root}, {}, fill, leave);
}

template <class Leave>
int allgatherv_of(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                  const int* displacements, MPI_Datatype type, MPI_Comm comm, const Form& form,
                  const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    const auto blocks = blocks_of(data(out, 0, type), counts, displacements, on.size());
    call.cut(in_bytes(blocks));
    read_own_write_all(call, data(in, sent, sent_type), own_block(blocks, on), blocks);
  };
  return collective({Operation::allgather, comm, form}, {0, type}, fill, leave);
}

template <class Leave>
int alltoallv_of(const void* in, const int* sent, const int* sent_displacements,
                 MPI_Datatype sent_type, void* out, const int* counts, const int* displacements,
                 MPI_Datatype type, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    const auto received = blocks_of(data(out, 0, type), counts, displacements, on.size());
    if (in == MPI_IN_PLACE) return fill_exchange(call, nullptr, received);
    const auto leaving = blocks_of(data(in, 0, sent_type), sent, sent_displacements, on.size());
    fill_exchange(call, &leaving, received);
  };
  return collective({Operation::alltoall, comm, form}, {0, type}, fill, leave);
}

template <class Leave>
int alltoallw_of(const void* in, const int* sent, const int* sent_displacements,
                 const MPI_Datatype* sent_types, void* out, const int* counts,
                 const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                 const Form& form, const Leave& leave) {
  const auto fill = [&](MpiCall& call, const Communicator& on) {
    const auto received = blocks_of(out, counts, displacements, types, on.size());
    if (in == MPI_IN_PLACE) return fill_exchange(call, nullptr, received);
    const auto leaving = blocks_of(in, sent, sent_displacements, sent_types, on.size());
    fill_exchange(call, &leaving, received);
  };
  return collective({Operation::alltoall, comm, form}, {}, fill, leave);
}

}  // namespace cartwright::drop_in
