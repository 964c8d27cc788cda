// SPDX-License-Identifier: Apache-2.0
// MPI's collectives, carried out by comm: preloaded to suites of others, they try comm's. What comm
// hasn't got (neighbours', between groups), and what is wrong, stays with MPI. Persistent ones are
// here even where the MPI library has none (before MPI 4).
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "carrier.hpp"

namespace {

using namespace cartwright;
using campaign::bytes_of;
using campaign::Carrier;
using campaign::Carriers;
using campaign::Data;
using campaign::Form;
using campaign::Job;
using enum plan::Operation;

Data data(const void* address, int count, MPI_Datatype type) {
  return {const_cast<void*>(address), count, type};
}

bool is_right(int count, MPI_Datatype type) {
  return count >= 0 && type != MPI_DATATYPE_NULL;
}

bool is_right(int count, MPI_Datatype type, MPI_Op op) {
  return is_right(count, type) && op != MPI_OP_NULL && campaign::can_combine(type, op) &&
         (campaign::is_known(type, op) || Carriers::combines_by_any_operator());
}

/// A collective as MPI is asked for it.
struct Asked {
  plan::Operation operation;
  MPI_Comm comm;
  Form form;
  int root = 0;
};

/// Put together by `fill(job, carrier)` and carried out by comm; by `leave()` where it is MPI's.
template <class Fill, class Leave>
int collective(const Asked& asked, bool is_right, const Fill& fill, const Leave& leave) {
  Carriers& carriers = Carriers::all();
  Carrier* const carrier = carriers.of(asked.comm);
  if (carrier == nullptr || !is_right || asked.root < 0 || asked.root >= carrier->size()) {
    carriers.leave();
    return leave();
  }
  auto job = std::make_unique<Job>(asked.operation);
  job->call().root = rt::Rank{asked.root};
  fill(*job, *carrier);
  return carriers.carry_out(*carrier, asked.comm, std::move(job), asked.form);
}

/// What is left to an MPI library that may not have it. Campaigns know the sentence.
int no_persistent(MPI_Comm comm) {
  std::fputs("left to an MPI library without persistent collectives\n", stderr);
  PMPI_Comm_call_errhandler(comm, MPI_ERR_UNSUPPORTED_OPERATION);
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

/// Blocks of ranks, at displacements in elements of their type.
std::vector<Data> blocks_of(const Data& all, const int* counts, const int* displacements,
                            int ranks) {
  std::vector<Data> blocks;
  blocks.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    blocks.push_back(all.block(displacements[rank], counts[rank]));
  return blocks;
}

/// … each of a type of its own, at displacements in bytes.
std::vector<Data> blocks_of(const void* all, const int* counts, const int* displacements,
                            const MPI_Datatype* types, int ranks) {
  std::vector<Data> blocks;
  blocks.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto* const begin = static_cast<const std::byte*>(all) + displacements[rank];
    blocks.push_back(data(begin, counts[rank], types[rank]));
  }
  return blocks;
}

/// How many bytes each of them has.
comm::Blocks in_bytes(const std::vector<Data>& blocks) {
  std::vector<plan::Count> lengths;
  lengths.reserve(blocks.size());
  for (const Data& block : blocks) lengths.push_back(bytes_of(block.count, block.type));
  return comm::Blocks(lengths);
}

// A rank's own data: MPI says "in place" by an address.
void read_own(Job& job, const Data& own) {
  if (own.address == MPI_IN_PLACE)
    job.in_place();
  else
    job.read(own);
}
void write_own(Job& job, const Data& own) {
  if (own.address == MPI_IN_PLACE)
    job.in_place();
  else
    job.write(own, false);
}

// n numbers of each rank are combined.
void fill_reduction(Job& job, const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                    bool writes, bool keeps) {
  job.call().count = n;
  if (in == MPI_IN_PLACE)
    job.in_place();
  else
    job.read_numbers(data(in, n, type), op);
  if (writes) job.write_numbers(data(out, n, type), op, keeps || in == MPI_IN_PLACE);
}

/// This rank's block among those of all.
struct Own {
  int all, first, mine;
};

// … and each rank gets its own block of them. In place MPI wants it in front.
void fill_blocks(Job& job, const void* in, void* out, const Own& own, MPI_Datatype type,
                 MPI_Op op) {
  if (in == MPI_IN_PLACE) {
    job.in_place();
    return job.write_own_numbers(data(out, own.all, type), op, own.first, own.mine);
  }
  job.read_numbers(data(in, own.all, type), op);
  job.write_numbers(data(out, own.mine, type), op, false);
}

// Blocks to and from all ranks; none leave: in place.
void fill_exchange(Job& job, const std::vector<Data>* leaving, const std::vector<Data>& received) {
  if (leaving == nullptr)
    job.in_place();
  else
    job.read(*leaving);
  job.cut(in_bytes(leaving == nullptr ? received : *leaving));
  job.cut_output(in_bytes(received));
  job.write(received, leaving == nullptr);
}

template <class Leave>
int barrier_of(MPI_Comm comm, const Form& form, const Leave& leave) {
  return collective(
      {barrier, comm, form}, true, [](Job&, const Carrier&) {}, leave);
}

template <class Leave>
int broadcast_of(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, const Form& form,
                 const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    job.call().count = bytes_of(n, type);
    job.write(data(out, n, type), carrier.rank() == root);
  };
  return collective({broadcast, comm, form, root}, is_right(n, type), fill, leave);
}

template <class Leave>
int reduce_of(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
              MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    fill_reduction(job, in, out, n, type, op, carrier.rank() == root, false);
  };
  return collective({reduce, comm, form, root}, is_right(n, type, op), fill, leave);
}

/// allreduce, scan, exscan: of which rank 0's output stays as it was.
template <class Leave>
int combination_of(plan::Operation operation, const void* in, void* out, int n, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier&) {
    fill_reduction(job, in, out, n, type, op, true, operation == exscan);
  };
  return collective({operation, comm, form}, is_right(n, type, op), fill, leave);
}

template <class Leave>
int reduce_scatter_block_of(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    job.call().count = n;
    fill_blocks(job, in, out, {n * carrier.size(), n * carrier.rank(), n}, type, op);
  };
  return collective({reduce_scatter, comm, form}, is_right(n, type, op), fill, leave);
}

template <class Leave>
int reduce_scatter_of(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    const int* const own = counts + carrier.rank();
    job.cut(comm::Blocks(std::span(counts, static_cast<std::size_t>(carrier.size()))));
    fill_blocks(job, in, out,
                {std::accumulate(counts, counts + carrier.size(), 0),
                 std::accumulate(counts, own, 0), *own},
                type, op);
  };
  return collective({reduce_scatter, comm, form}, is_right(0, type, op), fill, leave);
}

template <class Leave>
int gather_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n, MPI_Datatype type,
              int root, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    const bool is_root = carrier.rank() == root;
    job.call().count = is_root ? bytes_of(n, type) : bytes_of(sent, sent_type);
    read_own(job, data(in, sent, sent_type));
    if (is_root) job.write(data(out, n * carrier.size(), type), in == MPI_IN_PLACE);
  };
  return collective({gather, comm, form, root}, true, fill, leave);
}

template <class Leave>
int scatter_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
               MPI_Datatype type, int root, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    const bool is_root = carrier.rank() == root;
    job.call().count = is_root ? bytes_of(sent, sent_type) : bytes_of(n, type);
    if (is_root) job.read(data(in, sent * carrier.size(), sent_type));
    write_own(job, data(out, n, type));
  };
  return collective({scatter, comm, form, root}, true, fill, leave);
}

template <class Leave>
int allgather_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                 MPI_Datatype type, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    job.call().count = bytes_of(n, type);
    read_own(job, data(in, sent, sent_type));
    job.write(data(out, n * carrier.size(), type), in == MPI_IN_PLACE);
  };
  return collective({allgather, comm, form}, is_right(n, type), fill, leave);
}

template <class Leave>
int alltoall_of(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                MPI_Datatype type, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    job.call().count = bytes_of(n, type);
    read_own(job, data(in, sent * carrier.size(), sent_type));
    job.write(data(out, n * carrier.size(), type), in == MPI_IN_PLACE);
  };
  return collective({alltoall, comm, form}, is_right(n, type), fill, leave);
}

template <class Leave>
int gatherv_of(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
               const int* displacements, MPI_Datatype type, int root, MPI_Comm comm,
               const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    job.call().only_root_knows_blocks = true;
    read_own(job, data(in, sent, sent_type));
    if (carrier.rank() != root)
      return job.cut(
          comm::Blocks::away_from_root(carrier.size(), carrier.rank(), bytes_of(sent, sent_type)));
    const auto blocks = blocks_of(data(out, 0, type), counts, displacements, carrier.size());
    job.cut(in_bytes(blocks));
    job.write(blocks, in == MPI_IN_PLACE);
  };
  return collective({gather, comm, form, root}, true, fill, leave);
}

template <class Leave>
int scatterv_of(const void* in, const int* counts, const int* displacements, MPI_Datatype sent_type,
                void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, const Form& form,
                const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    job.call().only_root_knows_blocks = true;
    write_own(job, data(out, n, type));
    if (carrier.rank() != root)
      return job.cut(
          comm::Blocks::away_from_root(carrier.size(), carrier.rank(), bytes_of(n, type)));
    const auto blocks = blocks_of(data(in, 0, sent_type), counts, displacements, carrier.size());
    job.cut(in_bytes(blocks));
    job.read(blocks);
  };
  return collective({scatter, comm, form, root}, true, fill, leave);
}

template <class Leave>
int allgatherv_of(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                  const int* displacements, MPI_Datatype type, MPI_Comm comm, const Form& form,
                  const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    const auto blocks = blocks_of(data(out, 0, type), counts, displacements, carrier.size());
    read_own(job, data(in, sent, sent_type));
    job.cut(in_bytes(blocks));
    job.write(blocks, in == MPI_IN_PLACE);
  };
  return collective({allgather, comm, form}, is_right(0, type), fill, leave);
}

template <class Leave>
int alltoallv_of(const void* in, const int* sent, const int* sent_displacements,
                 MPI_Datatype sent_type, void* out, const int* counts, const int* displacements,
                 MPI_Datatype type, MPI_Comm comm, const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    const auto received = blocks_of(data(out, 0, type), counts, displacements, carrier.size());
    if (in == MPI_IN_PLACE) return fill_exchange(job, nullptr, received);
    const auto leaving =
        blocks_of(data(in, 0, sent_type), sent, sent_displacements, carrier.size());
    fill_exchange(job, &leaving, received);
  };
  return collective({alltoall, comm, form}, is_right(0, type), fill, leave);
}

template <class Leave>
int alltoallw_of(const void* in, const int* sent, const int* sent_displacements,
                 const MPI_Datatype* sent_types, void* out, const int* counts,
                 const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                 const Form& form, const Leave& leave) {
  const auto fill = [&](Job& job, const Carrier& carrier) {
    const auto received = blocks_of(out, counts, displacements, types, carrier.size());
    if (in == MPI_IN_PLACE) return fill_exchange(job, nullptr, received);
    const auto leaving = blocks_of(in, sent, sent_displacements, sent_types, carrier.size());
    fill_exchange(job, &leaving, received);
  };
  return collective({alltoall, comm, form}, true, fill, leave);
}

}  // namespace

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
  return barrier_of(comm, {}, [&] { return PMPI_Barrier(comm); });
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return barrier_of(comm, {request}, [&] { return PMPI_Ibarrier(comm, request); });
}

int MPI_Barrier_init(MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return barrier_of(comm, {request, true}, [&] { return no_persistent(comm); });
}

int MPI_Bcast(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  return broadcast_of(out, n, type, root, comm, {},
                      [&] { return PMPI_Bcast(out, n, type, root, comm); });
}

int MPI_Ibcast(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return broadcast_of(out, n, type, root, comm, {request},
                      [&] { return PMPI_Ibcast(out, n, type, root, comm, request); });
}

int MPI_Bcast_init(void* out, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info /*info*/,
                   MPI_Request* request) {
  return broadcast_of(out, n, type, root, comm, {request, true},
                      [&] { return no_persistent(comm); });
}

int MPI_Reduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  return reduce_of(in, out, n, type, op, root, comm, {},
                   [&] { return PMPI_Reduce(in, out, n, type, op, root, comm); });
}

int MPI_Ireduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return reduce_of(in, out, n, type, op, root, comm, {request},
                   [&] { return PMPI_Ireduce(in, out, n, type, op, root, comm, request); });
}

int MPI_Reduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return reduce_of(in, out, n, type, op, root, comm, {request, true},
                   [&] { return no_persistent(comm); });
}

int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return combination_of(allreduce, in, out, n, type, op, comm, {},
                        [&] { return PMPI_Allreduce(in, out, n, type, op, comm); });
}

int MPI_Iallreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return combination_of(allreduce, in, out, n, type, op, comm, {request},
                        [&] { return PMPI_Iallreduce(in, out, n, type, op, comm, request); });
}

int MPI_Allreduce_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return combination_of(allreduce, in, out, n, type, op, comm, {request, true},
                        [&] { return no_persistent(comm); });
}

int MPI_Scan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return combination_of(scan, in, out, n, type, op, comm, {},
                        [&] { return PMPI_Scan(in, out, n, type, op, comm); });
}

int MPI_Iscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  return combination_of(scan, in, out, n, type, op, comm, {request},
                        [&] { return PMPI_Iscan(in, out, n, type, op, comm, request); });
}

int MPI_Scan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Info /*info*/, MPI_Request* request) {
  return combination_of(scan, in, out, n, type, op, comm, {request, true},
                        [&] { return no_persistent(comm); });
}

int MPI_Exscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return combination_of(exscan, in, out, n, type, op, comm, {},
                        [&] { return PMPI_Exscan(in, out, n, type, op, comm); });
}

int MPI_Iexscan(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return combination_of(exscan, in, out, n, type, op, comm, {request},
                        [&] { return PMPI_Iexscan(in, out, n, type, op, comm, request); });
}

int MPI_Exscan_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info /*info*/, MPI_Request* request) {
  return combination_of(exscan, in, out, n, type, op, comm, {request, true},
                        [&] { return no_persistent(comm); });
}

int MPI_Reduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  return reduce_scatter_block_of(in, out, n, type, op, comm, {}, [&] {
    return PMPI_Reduce_scatter_block(in, out, n, type, op, comm);
  });
}

int MPI_Ireduce_scatter_block(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter_block_of(in, out, n, type, op, comm, {request}, [&] {
    return PMPI_Ireduce_scatter_block(in, out, n, type, op, comm, request);
  });
}

int MPI_Reduce_scatter_block_init(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return reduce_scatter_block_of(in, out, n, type, op, comm, {request, true},
                                 [&] { return no_persistent(comm); });
}

int MPI_Reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
  return reduce_scatter_of(in, out, counts, type, op, comm, {},
                           [&] { return PMPI_Reduce_scatter(in, out, counts, type, op, comm); });
}

int MPI_Ireduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter_of(in, out, counts, type, op, comm, {request}, [&] {
    return PMPI_Ireduce_scatter(in, out, counts, type, op, comm, request);
  });
}

int MPI_Reduce_scatter_init(const void* in, void* out, const int* counts, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return reduce_scatter_of(in, out, counts, type, op, comm, {request, true},
                           [&] { return no_persistent(comm); });
}

int MPI_Gather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
               MPI_Datatype type, int root, MPI_Comm comm) {
  return gather_of(in, sent, sent_type, out, n, type, root, comm, {},
                   [&] { return PMPI_Gather(in, sent, sent_type, out, n, type, root, comm); });
}

int MPI_Igather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return gather_of(in, sent, sent_type, out, n, type, root, comm, {request}, [&] {
    return PMPI_Igather(in, sent, sent_type, out, n, type, root, comm, request);
  });
}

int MPI_Gather_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                    MPI_Datatype type, int root, MPI_Comm comm, MPI_Info /*info*/,
                    MPI_Request* request) {
  return gather_of(in, sent, sent_type, out, n, type, root, comm, {request, true},
                   [&] { return no_persistent(comm); });
}

int MPI_Scatter(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                MPI_Datatype type, int root, MPI_Comm comm) {
  return scatter_of(in, sent, sent_type, out, n, type, root, comm, {},
                    [&] { return PMPI_Scatter(in, sent, sent_type, out, n, type, root, comm); });
}

int MPI_Iscatter(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                 MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return scatter_of(in, sent, sent_type, out, n, type, root, comm, {request}, [&] {
    return PMPI_Iscatter(in, sent, sent_type, out, n, type, root, comm, request);
  });
}

int MPI_Scatter_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                     MPI_Datatype type, int root, MPI_Comm comm, MPI_Info /*info*/,
                     MPI_Request* request) {
  return scatter_of(in, sent, sent_type, out, n, type, root, comm, {request, true},
                    [&] { return no_persistent(comm); });
}

int MPI_Allgather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                  MPI_Datatype type, MPI_Comm comm) {
  return allgather_of(in, sent, sent_type, out, n, type, comm, {},
                      [&] { return PMPI_Allgather(in, sent, sent_type, out, n, type, comm); });
}

int MPI_Iallgather(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                   MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return allgather_of(in, sent, sent_type, out, n, type, comm, {request}, [&] {
    return PMPI_Iallgather(in, sent, sent_type, out, n, type, comm, request);
  });
}

int MPI_Allgather_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                       MPI_Datatype type, MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return allgather_of(in, sent, sent_type, out, n, type, comm, {request, true},
                      [&] { return no_persistent(comm); });
}

int MPI_Alltoall(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                 MPI_Datatype type, MPI_Comm comm) {
  return alltoall_of(in, sent, sent_type, out, n, type, comm, {},
                     [&] { return PMPI_Alltoall(in, sent, sent_type, out, n, type, comm); });
}

int MPI_Ialltoall(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                  MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return alltoall_of(in, sent, sent_type, out, n, type, comm, {request}, [&] {
    return PMPI_Ialltoall(in, sent, sent_type, out, n, type, comm, request);
  });
}

int MPI_Alltoall_init(const void* in, int sent, MPI_Datatype sent_type, void* out, int n,
                      MPI_Datatype type, MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return alltoall_of(in, sent, sent_type, out, n, type, comm, {request, true},
                     [&] { return no_persistent(comm); });
}

int MPI_Gatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                const int* displacements, MPI_Datatype type, int root, MPI_Comm comm) {
  return gatherv_of(in, sent, sent_type, out, counts, displacements, type, root, comm, {}, [&] {
    return PMPI_Gatherv(in, sent, sent_type, out, counts, displacements, type, root, comm);
  });
}

int MPI_Igatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                 const int* displacements, MPI_Datatype type, int root, MPI_Comm comm,
                 MPI_Request* request) {
  return gatherv_of(in, sent, sent_type, out, counts, displacements, type, root, comm, {request},
                    [&] {
                      return PMPI_Igatherv(in, sent, sent_type, out, counts, displacements, type,
                                           root, comm, request);
                    });
}

int MPI_Gatherv_init(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                     const int* displacements, MPI_Datatype type, int root, MPI_Comm comm,
                     MPI_Info /*info*/, MPI_Request* request) {
  return gatherv_of(in, sent, sent_type, out, counts, displacements, type, root, comm,
                    {request, true}, [&] { return no_persistent(comm); });
}

int MPI_Scatterv(const void* in, const int* counts, const int* displacements,
                 MPI_Datatype sent_type, void* out, int n, MPI_Datatype type, int root,
                 MPI_Comm comm) {
  return scatterv_of(in, counts, displacements, sent_type, out, n, type, root, comm, {}, [&] {
    return PMPI_Scatterv(in, counts, displacements, sent_type, out, n, type, root, comm);
  });
}

int MPI_Iscatterv(const void* in, const int* counts, const int* displacements,
                  MPI_Datatype sent_type, void* out, int n, MPI_Datatype type, int root,
                  MPI_Comm comm, MPI_Request* request) {
  return scatterv_of(in, counts, displacements, sent_type, out, n, type, root, comm, {request},
                     [&] {
                       return PMPI_Iscatterv(in, counts, displacements, sent_type, out, n, type,
                                             root, comm, request);
                     });
}

int MPI_Scatterv_init(const void* in, const int* counts, const int* displacements,
                      MPI_Datatype sent_type, void* out, int n, MPI_Datatype type, int root,
                      MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return scatterv_of(in, counts, displacements, sent_type, out, n, type, root, comm,
                     {request, true}, [&] { return no_persistent(comm); });
}

int MPI_Allgatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                   const int* displacements, MPI_Datatype type, MPI_Comm comm) {
  return allgatherv_of(in, sent, sent_type, out, counts, displacements, type, comm, {}, [&] {
    return PMPI_Allgatherv(in, sent, sent_type, out, counts, displacements, type, comm);
  });
}

int MPI_Iallgatherv(const void* in, int sent, MPI_Datatype sent_type, void* out, const int* counts,
                    const int* displacements, MPI_Datatype type, MPI_Comm comm,
                    MPI_Request* request) {
  return allgatherv_of(in, sent, sent_type, out, counts, displacements, type, comm, {request}, [&] {
    return PMPI_Iallgatherv(in, sent, sent_type, out, counts, displacements, type, comm, request);
  });
}

int MPI_Allgatherv_init(const void* in, int sent, MPI_Datatype sent_type, void* out,
                        const int* counts, const int* displacements, MPI_Datatype type,
                        MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) {
  return allgatherv_of(in, sent, sent_type, out, counts, displacements, type, comm, {request, true},
                       [&] { return no_persistent(comm); });
}

int MPI_Alltoallv(const void* in, const int* sent, const int* sent_displacements,
                  MPI_Datatype sent_type, void* out, const int* counts, const int* displacements,
                  MPI_Datatype type, MPI_Comm comm) {
  return alltoallv_of(in, sent, sent_displacements, sent_type, out, counts, displacements, type,
                      comm, {}, [&] {
                        return PMPI_Alltoallv(in, sent, sent_displacements, sent_type, out, counts,
                                              displacements, type, comm);
                      });
}

int MPI_Ialltoallv(const void* in, const int* sent, const int* sent_displacements,
                   MPI_Datatype sent_type, void* out, const int* counts, const int* displacements,
                   MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return alltoallv_of(in, sent, sent_displacements, sent_type, out, counts, displacements, type,
                      comm, {request}, [&] {
                        return PMPI_Ialltoallv(in, sent, sent_displacements, sent_type, out, counts,
                                               displacements, type, comm, request);
                      });
}

int MPI_Alltoallv_init(const void* in, const int* sent, const int* sent_displacements,
                       MPI_Datatype sent_type, void* out, const int* counts,
                       const int* displacements, MPI_Datatype type, MPI_Comm comm,
                       MPI_Info /*info*/, MPI_Request* request) {
  return alltoallv_of(in, sent, sent_displacements, sent_type, out, counts, displacements, type,
                      comm, {request, true}, [&] { return no_persistent(comm); });
}

int MPI_Alltoallw(const void* in, const int* sent, const int* sent_displacements,
                  const MPI_Datatype* sent_types, void* out, const int* counts,
                  const int* displacements, const MPI_Datatype* types, MPI_Comm comm) {
  return alltoallw_of(in, sent, sent_displacements, sent_types, out, counts, displacements, types,
                      comm, {}, [&] {
                        return PMPI_Alltoallw(in, sent, sent_displacements, sent_types, out, counts,
                                              displacements, types, comm);
                      });
}

int MPI_Ialltoallw(const void* in, const int* sent, const int* sent_displacements,
                   const MPI_Datatype* sent_types, void* out, const int* counts,
                   const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                   MPI_Request* request) {
  return alltoallw_of(in, sent, sent_displacements, sent_types, out, counts, displacements, types,
                      comm, {request}, [&] {
                        return PMPI_Ialltoallw(in, sent, sent_displacements, sent_types, out,
                                               counts, displacements, types, comm, request);
                      });
}

int MPI_Alltoallw_init(const void* in, const int* sent, const int* sent_displacements,
                       const MPI_Datatype* sent_types, void* out, const int* counts,
                       const int* displacements, const MPI_Datatype* types, MPI_Comm comm,
                       MPI_Info /*info*/, MPI_Request* request) {
  return alltoallw_of(in, sent, sent_displacements, sent_types, out, counts, displacements, types,
                      comm, {request, true}, [&] { return no_persistent(comm); });
}

}  // extern "C"
