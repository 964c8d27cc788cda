// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call_site.hpp>
#include <cartwright/comm/calls/device_memory.hpp>
#include <cartwright/comm/calls/waiting.hpp>
#include <cartwright/comm/elements/element.hpp>
#include <cartwright/comm/elements/reduction.hpp>
#include <cartwright/plan/program.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <cartwright/plan/team.hpp>
#include <cartwright/rt/rank.hpp>
#include <cartwright/rt/wait.hpp>
#include <cstddef>
#include <span>

namespace cartwright::comm {

/// One call of a collective, type-erased: what a backend carries out. All ranks agree on the
/// operation, the element, the counts, the root, the reduction, the waiting and the kind of memory.
/// What the buffers hold is said in plan/selection/operation.hpp; in short, with P ranks and n =
/// `count`:
///
/// | operation      | input                  | output                                     |
/// |----------------|------------------------|--------------------------------------------|
/// | barrier        | -                      | -                                          |
/// | broadcast      | -                      | n everywhere; the root's is the source     |
/// | reduce         | n                      | n at the root                              |
/// | allreduce, scan, exscan | n             | n (exscan: rank 0's isn't written)         |
/// | reduce_scatter | P blocks of n          | n                                          |
/// | gather         | n                      | P blocks of n at the root                  |
/// | scatter        | P blocks of n at root  | n                                          |
/// | allgather      | n                      | P blocks of n                              |
/// | alltoall       | P blocks of n          | P blocks of n                              |
///
/// In place there is no input: it lies in the output; at block `me` where a rank contributes one
/// block of P. Then reduce_scatter's output has P blocks and the result is left at block `me`. In
/// reduce, gather and scatter only the root may be in place, as in MPI; a scatter's root keeps its
/// block in the input, which it has, and has no output.
struct Call {
  plan::Operation operation = plan::Operation::barrier;
  plan::Place place = plan::Place::separate;
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  Element element{};
  /// Elements of the vector; of each block, where blocks belong to ranks and there are no offsets.
  plan::Count count = 0;
  /// Where each rank's block begins, P + 1 numbers of elements from 0 on, where blocks differ in
  /// length; the same on all ranks, but for alltoall, where they are this rank's own. Valid as long
  /// as the collective is under way.
  std::span<const plan::Count> offsets{};
  /// alltoall: of the output; `offsets` are those of the input.
  std::span<const plan::Count> output_offsets{};
  /// gather, scatter: only the root's `offsets` are those of all ranks; elsewhere all blocks but
  /// this rank's own are taken for empty.
  bool only_root_knows_blocks = false;
  rt::Rank root{};
  Reduction reduction{};
  Waiting waiting = Waiting::at_once;
  /// device: only data that are moved as they are, in equal blocks, and only by who leaves calls to
  /// the MPI library (native, auto).
  MemoryKind memory = MemoryKind::host;
  CallSite site{};

  [[nodiscard]] bool has_uneven_blocks() const { return !offsets.empty(); }
};

/// What a wait for it is called: the operation, and where the caller asked for it.
[[nodiscard]] rt::WaitSite wait_site_of(const Call& call) noexcept;
/// How the call's data are cut, for a schedule of that many blocks.
[[nodiscard]] plan::Layout layout_of(const Call& call, int blocks, int ranks);
/// What is to be solved, as catalogue and selector see it.
[[nodiscard]] plan::Problem problem_of(const Call& call, int ranks);

}  // namespace cartwright::comm
