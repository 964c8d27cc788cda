// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/backends/call_record.hpp>
#include <cartwright/comm/calls/call_text.hpp>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "call_hash.hpp"

namespace cartwright::comm {

namespace {

std::uint64_t hash_of(std::span<const plan::Count> numbers) {
  CallHash hash;
  for (const plan::Count number : numbers) hash.add(static_cast<std::uint64_t>(number));
  return hash.value();
}

plan::Operation operation_of(const CallRecord& record) {
  return static_cast<plan::Operation>(record.operation);
}

/// MPI wants these in place on all ranks or on none.
bool agrees_on_place(plan::Operation operation) {
  using enum plan::Operation;
  return operation == allreduce || operation == reduce_scatter || operation == allgather ||
         operation == alltoall;
}

// In place of a hash of blocks that the root alone knows.
constexpr std::uint64_t known_at_root_only = 1;

/// What an alltoall with blocks sends is each rank's own business, and so are blocks that the root
/// alone knows; whether the ranks' fit together is another question (block_check.hpp).
bool has_own_blocks(const CallRecord& record) {
  return record.offsets == known_at_root_only ||
         (operation_of(record) == plan::Operation::alltoall && record.offsets != 0);
}

std::string elements_text(const CallRecord& record) {
  const std::string of = record.type < 0
                             ? fmt::format("elements of {} bytes", record.element_size)
                             : fmt::format("{}s", name(static_cast<ScalarType>(record.type)));
  if (has_own_blocks(record)) return of + " in own blocks";
  if (record.offsets != 0) return fmt::format("{} {} in blocks", record.total, of);
  const bool is_per_rank = plan::has_rank_blocks(operation_of(record));
  return fmt::format("{} {}{}", record.count, of, is_per_rank ? " per rank" : "");
}

std::string operator_text(const CallRecord& record) {
  if (record.is_own_operator != 0) {
    return record.commutes != 0 ? " (commutative callable)" : " (associative callable)";
  }
  return record.reduction < 0 ? ""
                              : fmt::format(" ({})", name(static_cast<Operator>(record.reduction)));
}

}  // namespace

CallRecord CallRecord::of(const Call& call, std::uint64_t sequence) {
  CallRecord record{.sequence = sequence,
                    .count = call.count,
                    .element_size = call.element.size,
                    .line = call.site.line,
                    .operation = static_cast<std::uint8_t>(call.operation)};
  record.place = static_cast<std::uint8_t>(call.place);
  record.waiting = static_cast<std::uint8_t>(call.waiting);
  record.memory = static_cast<std::uint8_t>(call.memory);
  if (call.element.type) record.type = static_cast<std::int32_t>(*call.element.type);
  if (call.has_uneven_blocks()) {
    record.total = call.offsets.back();
    record.offsets = call.only_root_knows_blocks ? known_at_root_only : hash_of(call.offsets);
    record.count = 0;
  }
  if (plan::is_rooted(call.operation)) record.root = call.root.value;
  if (plan::is_reduction(call.operation)) {
    record.is_own_operator = call.reduction.predefined ? 0 : 1;
    record.commutes = call.reduction.commutes ? 1 : 0;
    if (call.reduction.predefined) {
      record.reduction = static_cast<std::int32_t>(*call.reduction.predefined);
    }
  }
  std::string_view file = call.site.file;
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos) {
    file.remove_prefix(slash + 1);
  }
  file = file.substr(0, record.file.size() - 1);
  std::copy(file.begin(), file.end(), record.file.begin());
  return record;
}

std::uint64_t CallRecord::hash() const {
  const auto of = operation_of(*this);
  CallHash hash;
  hash.add(sequence);
  hash.add(operation);
  hash.add(waiting);
  if (of == plan::Operation::barrier) return hash.value();
  hash.add(memory);
  hash.add(element_size);
  hash.add(static_cast<std::uint64_t>(std::int64_t{type} + 1));
  hash.add(static_cast<std::uint64_t>(std::int64_t{root} + 1));
  hash.add(static_cast<std::uint64_t>(std::int64_t{reduction} + 1));
  hash.add(is_own_operator);
  hash.add(commutes);
  if (agrees_on_place(of)) hash.add(place);
  hash.add(has_own_blocks(*this) ? known_at_root_only : offsets);
  hash.add(static_cast<std::uint64_t>(count));
  return hash.value();
}

bool CallRecord::agrees_but_for_blocks(const CallRecord& other) const {
  if (offsets == 0 || other.offsets == 0) return false;
  CallRecord same_blocks = other;
  same_blocks.offsets = offsets;
  return hash() == same_blocks.hash();
}

std::string CallRecord::describe() const {
  if (sequence == 0) return "nothing yet";
  const auto of = operation_of(*this);
  std::string text(plan::name_of(of));
  text += operator_text(*this);
  if (of != plan::Operation::barrier) text += " of " + elements_text(*this);
  if (root >= 0) text += fmt::format(", root {}", root);
  if (agrees_on_place(of) && place != 0) text += " in place";
  if (static_cast<MemoryKind>(memory) == MemoryKind::device) text += " on a device";
  const bool is_later = static_cast<Waiting>(waiting) == Waiting::later;
  return text + " at " + comm::describe(CallSite{file.data(), line}) +
         (is_later ? " (nonblocking)" : "");
}

std::string table_of(std::span<const std::optional<CallRecord>> by_rank, bool numbered) {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    const auto& record = by_rank[rank];
    std::string text =
        record ? record->describe()
               : "no answer: in none of them (computes, is blocked elsewhere, or is dead)";
    if (numbered && record && record->sequence > 0) {
      text = fmt::format("number {}, {}", record->sequence, text);
    }
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return group.first == text; });
    if (known == groups.end()) {
      groups.emplace_back(std::move(text), std::vector{static_cast<int>(rank)});
    } else {
      known->second.push_back(static_cast<int>(rank));
    }
  }
  std::string table;
  for (const auto& [text, ranks] : groups) {
    table += fmt::format("\n  {}: {}", ranks_text(ranks), text);
  }
  return table;
}

}  // namespace cartwright::comm
