// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/schedule.hpp>

#include <cstddef>
#include <vector>

namespace cartwright::plan {

/// Memory for the symbolic buffers. `scratch` has scratch_bytes() bytes and suits the element type.
/// In place, and where a rank contributes nothing, there is no input.
struct Buffers {
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::byte* scratch = nullptr;
};

/// Where a bound slice begins: so many bytes behind the beginning of the input, of the output, or
/// of all scratch memory.
struct Position {
  Buffer memory = Buffer::input;
  std::int64_t bytes = 0;

  [[nodiscard]] const std::byte* in(const Buffers& buffers) const {
    return (memory == Buffer::input ? buffers.input : writable(buffers)) + bytes;
  }
  [[nodiscard]] std::byte* out(const Buffers& buffers) const { return writable(buffers) + bytes; }

 private:
  [[nodiscard]] std::byte* writable(const Buffers& buffers) const {
    return memory == Buffer::output ? buffers.output : buffers.scratch;
  }
};

/// A step with numbers in place of symbols.
struct BoundStep {
  StepKind kind = StepKind::copy;
  Side received = Side::right;
  std::int32_t peer = -1;
  std::int32_t number = 0;        ///< of the message, among those of its ordered pair of ranks
  std::int32_t sends_before = 0;  ///< how many of the program's sends must be complete before
  Count count = 0;                ///< elements
  Position source;
  Position operand;
  Position target;
};

/// A schedule bound to sizes: the flat list that small messages run in order. It holds no pointer:
/// one program serves any memory. Starting it again allocates nothing.
class Program {
 public:
  Program() = default;
  Program(const Schedule& schedule, const Layout& layout, std::size_t element_size) {
    bind(schedule, layout, element_size);
  }

  /// Binds anew, in the memory that the program already has. Steps without an element are left out,
  /// unless the schedule is one of signals: both ends of a message know its length.
  void bind(const Schedule& schedule, const Layout& layout, std::size_t element_size);

  [[nodiscard]] std::span<const BoundStep> steps() const { return steps_; }
  [[nodiscard]] int sends() const { return sends_; }

 private:
  std::vector<BoundStep> steps_;
  int sends_ = 0;
};

}  // namespace cartwright::plan
