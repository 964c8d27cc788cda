// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/selection/backend_id.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cstdint>
#include <string>

namespace cartwright::comm {

/// What another order of combining the elements does to a result.
enum class Combining : std::uint8_t {
  exact,    ///< nothing: no reduction, or one with the same bits in any order
  rounded,  ///< other bits: a sum of floating-point numbers
  ordered,  ///< it isn't allowed: the operator doesn't commute
};

/// What a decision depends on: the same on all ranks of a call. Calls of one key are treated alike.
struct CallKey {
  plan::Operation operation = plan::Operation::barrier;
  /// Bytes of the vector, or of each rank's block: of the class from a power of two up to the next
  /// one the least.
  plan::Count size = 0;
  Waiting waiting = Waiting::at_once;
  Combining combining = Combining::exact;
  MemoryKind memory = MemoryKind::host;
  std::uint32_t epoch = 0;  ///< grows when decisions are taken anew

  [[nodiscard]] static CallKey of(const Call& call, int ranks, std::uint32_t epoch = 0);
  /// The problem that stands for all of the key.
  [[nodiscard]] plan::Problem problem(int ranks) const;
  friend bool operator==(const CallKey&, const CallKey&) = default;
};

/// How many calls of a key there have been.
struct CallCount {
  CallKey key;
  std::int64_t calls = 0;
};

/// Who carries out the calls of a key, how, and on what grounds.
struct Decision {
  enum class Ground : std::uint8_t {
    only_way,        ///< one rank: nobody to talk to
    memory,          ///< data lie on a device, which nobody else reaches
    wanted,          ///< the deck says so
    learned,         ///< the quickest in turns of calls in a run (comm.learn)
    measured,        ///< ./cartwright tune
    rule,            ///< the default tuning for shared memory
    whole_messages,  ///< the same, but for what is waited for later
    model,           ///< what a model of the machine predicts
    forecast,        ///< a plan for when ranks are expected to come (comm.arrivals)
  };
  BackendId backend = BackendId::native;
  plan::Choice choice{};  ///< none: native's own
  Ground ground = Ground::model;

  [[nodiscard]] bool is_as(const Decision& other) const {
    return backend == other.backend && choice == other.choice;
  }
  /// "shared: ring", "native".
  [[nodiscard]] std::string name() const;
};

}  // namespace cartwright::comm
