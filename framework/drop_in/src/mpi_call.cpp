// SPDX-License-Identifier: Apache-2.0
#include "mpi_call.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "operators.hpp"

namespace cartwright::drop_in {

namespace {

struct Extent {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
};

Extent extent_of(MPI_Datatype type) {
  Extent found;
  PMPI_Type_get_extent(type, &found.lower_bound, &found.extent);
  return found;
}

std::size_t size_of(MPI_Datatype type) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return static_cast<std::size_t>(bytes);
}

/// MPI's own types whose elements have no gaps: their bytes are the data.
bool is_plain(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int kind = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &kind);
  const Extent extent = extent_of(type);
  return kind == MPI_COMBINER_NAMED && extent.lower_bound == 0 &&
         extent.extent == static_cast<MPI_Aint>(size_of(type));
}

/// MPI counts in int: long data are packed in parts.
template <class Pack>
void in_parts(const Data& data, const Pack& pack) {
  const std::size_t size = std::max<std::size_t>(size_of(data.type), 1);
  const long long most = std::max(1LL, static_cast<long long>((std::size_t{1} << 30U) / size));
  for (long long first = 0; first < data.count; first += most)
    pack(data.block(first, std::min(most, data.count - first)),
         static_cast<std::size_t>(first) * size);
}

void pack(const Data& data, std::byte* to) {
  in_parts(data, [&](const Data& part, std::size_t offset) {
    int position = 0;
    PMPI_Pack(part.address, static_cast<int>(part.count), part.type, to + offset,
              static_cast<int>(bytes_of(part.count, part.type)), &position, MPI_COMM_SELF);
  });
}

void unpack(const std::byte* from, const Data& data) {
  in_parts(data, [&](const Data& part, std::size_t offset) {
    int position = 0;
    PMPI_Unpack(from + offset, static_cast<int>(bytes_of(part.count, part.type)), &position,
                part.address, static_cast<int>(part.count), part.type, MPI_COMM_SELF);
  });
}

/// Between two memories of the same layout.
void copy(const Data& from, const Data& to) {
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes_of(from.count, from.type)));
  pack(from, packed.data());
  unpack(packed.data(), to);
}

/// The blocks as one piece of memory, if they lie one behind the other; null: they don't.
std::byte* lie_in_a_row(std::span<const Data> blocks) {
  std::byte* first = nullptr;
  std::byte* next = nullptr;
  for (const Data& block : blocks) {
    if (block.count == 0) continue;
    if (!is_plain(block.type)) return nullptr;
    auto* const address = static_cast<std::byte*>(block.address);
    if (next != nullptr && address != next) return nullptr;
    if (first == nullptr) first = address;
    next = address + bytes_of(block.count, block.type);
  }
  return first;
}

plan::Count total_of(std::span<const Data> blocks) {
  plan::Count total = 0;
  for (const Data& block : blocks) total += bytes_of(block.count, block.type);
  return total;
}

}  // namespace

Data Data::block(MPI_Aint displacement, long long elements) const {
  return {static_cast<std::byte*>(address) + displacement * extent_of(type).extent, elements, type};
}

plan::Count bytes_of(long long count, MPI_Datatype type) {
  return static_cast<plan::Count>(count) * static_cast<plan::Count>(size_of(type));
}

bool lies_in_its_extent(MPI_Datatype type) {
  MPI_Aint true_lower_bound = 0;
  MPI_Aint true_extent = 0;
  PMPI_Type_get_true_extent(type, &true_lower_bound, &true_extent);
  const Extent extent = extent_of(type);
  return extent.extent > 0 && true_lower_bound >= extent.lower_bound &&
         true_lower_bound + true_extent <= extent.lower_bound + extent.extent;
}

std::byte* MpiCall::room(plan::Count bytes) {
  return rooms_.emplace_back(static_cast<std::size_t>(std::max<plan::Count>(bytes, 1))).data();
}

void MpiCall::read(const Data& data) {
  read(std::span(&data, 1));
}

void MpiCall::read(std::span<const Data> blocks) {
  std::byte* memory = lie_in_a_row(blocks);
  if (memory == nullptr) {
    memory = room(total_of(blocks));
    std::byte* next = memory;
    for (const Data& block : blocks) {
      to_pack_.push_back({next, block, false});
      next += bytes_of(block.count, block.type);
    }
  }
  call_.input = memory;
}

void MpiCall::write(const Data& data, bool keeps) {
  write(std::span(&data, 1), keeps);
}

void MpiCall::write(std::span<const Data> blocks, bool keeps) {
  std::byte* memory = lie_in_a_row(blocks);
  if (memory == nullptr) {
    memory = room(total_of(blocks));
    std::byte* next = memory;
    for (const Data& block : blocks) {
      if (keeps) to_pack_.push_back({next, block, false});
      to_unpack_.push_back({next, block, false});
      next += bytes_of(block.count, block.type);
    }
  }
  call_.output = memory;
}

void MpiCall::combine_by_mpi(const std::byte* left, const std::byte* right, std::byte* target,
                             std::size_t count, const void* context) {
  const Operator& op = *static_cast<const Operator*>(context);
  const std::size_t bytes = count * op.extent;
  std::vector<std::byte> saved;
  if (target == left) {  // MPI's operators write over their right operand
    saved.assign(left, left + bytes);
    left = saved.data();
  }
  if (target != right) std::memcpy(target, right, bytes);
  PMPI_Reduce_local(const_cast<std::byte*>(left) - op.lower_bound, target - op.lower_bound,
                    static_cast<int>(count), op.type, op.op);
}

void MpiCall::combine(MPI_Datatype type, MPI_Op op) {
  if (const auto known = predefined_of(type, op)) {
    call_.element = {comm::size_of(known->scalar), known->scalar};
    call_.reduction = comm::predefined(known->op, known->scalar);
    return;
  }
  int commutes = 0;
  PMPI_Op_commutative(op, &commutes);
  const Extent extent = extent_of(type);
  operator_ = {op, type, extent.lower_bound, static_cast<std::size_t>(extent.extent)};
  call_.element = {operator_.extent, {}};
  call_.reduction = {.function = combine_by_mpi, .context = &operator_, .commutes = commutes != 0};
}

void MpiCall::read_numbers(const Data& data) {
  if (is_plain(data.type)) {
    call_.input = static_cast<const std::byte*>(data.address);
    return;
  }
  std::byte* const memory = room(data.count * static_cast<plan::Count>(call_.element.size));
  to_pack_.push_back({memory, data, true});
  call_.input = memory;
}

void MpiCall::write_numbers(const Data& data, bool keeps) {
  if (is_plain(data.type)) {
    call_.output = static_cast<std::byte*>(data.address);
    return;
  }
  std::byte* const memory = room(data.count * static_cast<plan::Count>(call_.element.size));
  if (keeps) to_pack_.push_back({memory, data, true});
  to_unpack_.push_back({memory, data, true});
  call_.output = memory;
}

void MpiCall::write_own_numbers(const Data& all, long long first, long long mine) {
  std::byte* const memory = room(all.count * static_cast<plan::Count>(call_.element.size));
  to_pack_.push_back({memory, all, true});
  std::byte* const own = memory + static_cast<std::size_t>(first) * call_.element.size;
  to_unpack_.push_back({own, {all.address, mine, all.type}, true});
  call_.output = memory;
}

void MpiCall::cut(comm::Blocks blocks) {
  call_.offsets = blocks_.emplace_back(std::move(blocks)).offsets();
}

void MpiCall::cut_output(comm::Blocks blocks) {
  call_.output_offsets = blocks_.emplace_back(std::move(blocks)).offsets();
}

Data MpiCall::as_theirs(const Copy& copy) const {
  return {copy.ours - operator_.lower_bound, copy.data.count, copy.data.type};
}

void MpiCall::begin() const {
  for (const Copy& each : to_pack_) {
    if (each.is_numbers)
      copy(each.data, as_theirs(each));
    else
      pack(each.data, each.ours);
  }
}

void MpiCall::finish() const {
  for (const Copy& each : to_unpack_) {
    if (each.is_numbers)
      copy(as_theirs(each), each.data);
    else
      unpack(each.ours, each.data);
  }
}

}  // namespace cartwright::drop_in
