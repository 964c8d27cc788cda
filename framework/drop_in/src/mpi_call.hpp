// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/calls/blocks.hpp>
#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/comm/persistent.hpp>
#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::drop_in {

/// Elements in memory, as MPI's callers say it.
struct Data {
  void* address = nullptr;
  long long count = 0;
  MPI_Datatype type = MPI_BYTE;

  /// Its block of so many elements, `displacement` elements from the address.
  [[nodiscard]] Data block(MPI_Aint displacement, long long elements) const;
};

/// A call of MPI's as comm's Call: data that are moved are bytes without gaps, packed where MPI's
/// type has gaps, or where blocks have any. Stays where it is until the collective is done.
class MpiCall {
 public:
  explicit MpiCall(plan::Operation operation) { call_.operation = operation; }
  MpiCall(const MpiCall&) = delete;
  MpiCall& operator=(const MpiCall&) = delete;
  ~MpiCall() = default;

  [[nodiscard]] comm::Call& call() { return call_; }

  /// What is read: `data`, all of it; bytes of no type.
  void read(const Data& data);
  /// … block after block, one of each rank. The lengths are those of the call's blocks.
  void read(std::span<const Data> blocks);
  /// What is written. `keeps`: what stands there is read, too (in place, or a broadcast's root).
  void write(const Data& data, bool keeps);
  void write(std::span<const Data> blocks, bool keeps);
  /// Numbers of a type are combined by an operator, from here on.
  void combine(MPI_Datatype type, MPI_Op op);
  /// The same as above for such numbers, elements of their type.
  void read_numbers(const Data& data);
  void write_numbers(const Data& data, bool keeps);
  /// All ranks' numbers in place: this one's own, `mine` of them from `first` on, end up in front;
  /// the others stay as they were, which they do not where comm works in place.
  void write_own_numbers(const Data& all, long long first, long long mine);
  void in_place() { call_.place = plan::Place::in_place; }

  /// The call's blocks.
  void cut(comm::Blocks blocks);
  void cut_output(comm::Blocks blocks);

  /// Takes what is read from where MPI's caller has it.
  void begin() const;
  /// Brings what was written to where MPI's caller wants it.
  void finish() const;

  comm::Pending pending;
  comm::Persistent persistent;
  MPI_Request request = MPI_REQUEST_NULL;
  int tag = 0;  ///< of a persistent one's receive

 private:
  struct Operator {
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Aint lower_bound = 0;
    std::size_t extent = 0;
  };
  /// Memory of ours, and the caller's data that are copied there or from there.
  struct Copy {
    std::byte* ours;
    Data data;
    bool is_numbers;
  };

  static void combine_by_mpi(const std::byte* left, const std::byte* right, std::byte* target,
                             std::size_t count, const void* context);
  std::byte* room(plan::Count bytes);
  [[nodiscard]] Data as_theirs(const Copy& copy) const;

  comm::Call call_;
  Operator operator_;
  std::vector<std::vector<std::byte>> rooms_;
  std::vector<comm::Blocks> blocks_;
  std::vector<Copy> to_pack_;
  std::vector<Copy> to_unpack_;
};

/// Bytes of so many elements, without gaps.
[[nodiscard]] plan::Count bytes_of(long long count, MPI_Datatype type);
/// Whether comm can combine elements of this type, where it doesn't know it: none lies outside of
/// its own extent.
[[nodiscard]] bool lies_in_its_extent(MPI_Datatype type);

}  // namespace cartwright::drop_in
