// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <cartwright/comm/backends/block_check.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "call_hash.hpp"
#include "patient_exchange.hpp"

namespace cartwright::comm {

namespace {

// Lengths travel as MPI_INT64_T.
static_assert(std::is_signed_v<plan::Count> && sizeof(plan::Count) == 8);

plan::Count length_of(std::span<const plan::Count> offsets, int block) {
  const auto at = static_cast<std::size_t>(block);
  return offsets[at + 1] - offsets[at];
}

std::vector<plan::Count> lengths_of(std::span<const plan::Count> offsets) {
  std::vector<plan::Count> lengths;
  for (int block = 0; block + 1 < static_cast<int>(offsets.size()); ++block)
    lengths.push_back(length_of(offsets, block));
  return lengths;
}

std::uint64_t hash_of_block(int from, int to, plan::Count length) {
  CallHash hash;
  hash.add(static_cast<std::uint64_t>(from));
  hash.add(static_cast<std::uint64_t>(to));
  hash.add(static_cast<std::uint64_t>(length));
  return hash.value();
}

/// What a rank finds wrong, as it is sent.
struct Dispute {
  plan::Count block = -1;  ///< of this rank; negative: nothing is wrong
  plan::Count theirs = 0;  ///< its length, for the other
  plan::Count mine = 0;
};

/// The first of so many blocks that two ranks see differently. `lengths` are the other's; `mine` is
/// looked at before the others.
Dispute first_dispute(std::span<const plan::Count> lengths, std::span<const plan::Count> offsets,
                      int mine, int blocks) {
  const auto ranks = static_cast<int>(lengths.size());
  for (int i = 0; i < blocks; ++i) {
    const int block = (mine + i) % ranks;
    const plan::Count theirs = lengths[static_cast<std::size_t>(block)];
    const plan::Count own = length_of(offsets, block);
    if (theirs != own) return {block, theirs, own};
  }
  return {};
}

/// Lengths that others pass: what they send to this rank, or what the root (without one: rank 0)
/// takes for the lengths of all blocks.
std::optional<std::vector<plan::Count>> ask_others(const rt::Communicator& comm, const Call& call) {
  auto mine = lengths_of(call.offsets);
  const std::size_t ranks = mine.size();
  const auto count = static_cast<int>(ranks);
  return patient_exchange(
      std::move(mine), ranks, [&](plan::Count* in, plan::Count* out, MPI_Request* request) {
        if (call.operation == plan::Operation::alltoall) {
          rt::mpi_check(
              MPI_Ialltoall(in, 1, MPI_INT64_T, out, 1, MPI_INT64_T, comm.handle(), request),
              "MPI_Ialltoall");
          return;
        }
        if (comm.rank() == call.root) std::copy_n(in, count, out);
        rt::mpi_check(MPI_Ibcast(out, count, MPI_INT64_T, call.root.value, comm.handle(), request),
                      "MPI_Ibcast");
      });
}

std::optional<std::vector<Dispute>> tell_all(const rt::Communicator& comm, const Dispute& mine) {
  constexpr int numbers = sizeof(Dispute) / sizeof(plan::Count);
  return patient_exchange(std::vector{mine}, static_cast<std::size_t>(comm.size()),
                          [&](const Dispute* in, Dispute* out, MPI_Request* request) {
                            rt::mpi_check(MPI_Iallgather(in, numbers, MPI_INT64_T, out, numbers,
                                                         MPI_INT64_T, comm.handle(), request),
                                          "MPI_Iallgather");
                          });
}

}  // namespace

std::uint64_t balance_of(const Call& call, rt::Rank me) {
  std::uint64_t balance = 0;
  if (call.only_root_knows_blocks) {
    const int root = call.root.value;
    balance -= hash_of_block(root, me.value, length_of(call.offsets, me.value));
    if (me.value == root)
      for (int rank = 0; rank + 1 < static_cast<int>(call.offsets.size()); ++rank)
        balance += hash_of_block(root, rank, length_of(call.offsets, rank));
    return balance;
  }
  if (call.operation != plan::Operation::alltoall || !call.has_uneven_blocks()) return 0;
  for (int rank = 0; rank + 1 < static_cast<int>(call.offsets.size()); ++rank) {
    balance += hash_of_block(me.value, rank, length_of(call.offsets, rank));
    balance -= hash_of_block(rank, me.value, length_of(call.output_offsets, rank));
  }
  return balance;
}

std::string disputed_blocks(const rt::Communicator& comm, const Call& call) {
  const bool is_alltoall = call.operation == plan::Operation::alltoall;
  const auto others = ask_others(comm, call);
  if (!others) return "";
  const auto disputes = tell_all(
      comm, first_dispute(*others, is_alltoall ? call.output_offsets : call.offsets,
                          comm.rank().value, call.only_root_knows_blocks ? 1 : comm.size()));
  if (!disputes) return "";
  constexpr int most = 4;
  int found = 0;
  std::string text;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const Dispute& dispute = (*disputes)[static_cast<std::size_t>(rank)];
    if (dispute.block < 0 || ++found > most) continue;
    text += is_alltoall ? fmt::format("\n  rank {} sends {} elements to rank {}, which expects {}",
                                      dispute.block, dispute.theirs, rank, dispute.mine)
                        : fmt::format(
                              "\n  the block of rank {} has {} elements, says rank {}, and {}, "
                              "says rank {}",
                              dispute.block, dispute.mine, rank, dispute.theirs, call.root.value);
  }
  if (found > most) text += fmt::format("\n  {} further ranks have found the like", found - most);
  return text;
}

}  // namespace cartwright::comm
