// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace cartwright::comm::testing {

/// What the elements of a random collective are.
enum class Kind {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  complex64,
  complex128,
  boolean,
  affine,  ///< a map x -> a x + b: chaining two doesn't commute
  blob     ///< 12 bytes that nobody looks into
};
inline constexpr int kinds = 15;

/// A collective, the same on all ranks.
struct Spec {
  plan::Operation operation = plan::Operation::barrier;
  Kind kind = Kind::float64;
  plan::Count count = 0;
  /// By rank, where blocks differ; by sender and receiver for alltoall.
  std::vector<plan::Count> counts{};
  int root = 0;
  bool in_place = false;
  /// An Operator; negative: a caller's, which keeps the right operand or chains two maps.
  int reduction = -1;
  bool has_state = false;  ///< of the caller's operator
  std::uint64_t seed = 0;

  [[nodiscard]] std::string describe() const;
};

struct SpecLimits {
  plan::Count most_elements = 4096;
  bool uneven = true;
  bool states = true;
};

/// By chance; `random` must be in the same state on all ranks.
[[nodiscard]] Spec random_spec(std::mt19937_64& random, int ranks, const SpecLimits& limits);

/// The memory of a collective, and what it should hold afterwards: MPI's own collective says so.
class Trial {
 public:
  /// Collective over `reference`, which has the ranks of the communicator that is tested.
  Trial(const Spec& spec, const rt::Communicator& reference);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  [[nodiscard]] const Spec& spec() const { return spec_; }
  [[nodiscard]] const Call& call() const { return call_; }
  /// Brings the memory to its first state again.
  void reset();
  /// Every byte is as it should be, also of what must not be written.
  [[nodiscard]] bool is_right() const;
  /// What was written: for comparisons bit by bit.
  [[nodiscard]] std::span<const std::byte> output() const { return output_; }

 private:
  void lay_out(int ranks, int me);
  void fill();
  void ask_mpi(const rt::Communicator& reference);
  [[nodiscard]] bool is_root() const { return me_ == spec_.root; }
  [[nodiscard]] std::size_t bytes(plan::Count elements) const;

  Spec spec_;
  int me_;
  int ranks_;
  std::vector<plan::Count> sent_;      ///< offsets, P + 1
  std::vector<plan::Count> received_;  ///< alltoall: of the output
  Call call_;
  std::vector<std::byte> input_;
  std::vector<std::byte> output_;  ///< with elements around it that nobody may touch
  std::vector<std::byte> contribution_;
  std::vector<std::byte> expected_;
  std::size_t compared_from_ = 0;
  std::size_t compared_to_ = 0;
};

/// The operator of a spec, as backends see it.
[[nodiscard]] Reduction reduction_for(const Spec& spec);

}  // namespace cartwright::comm::testing
