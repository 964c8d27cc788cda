// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/waiting.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace cartwright::comm {

class Backend;
struct BackendParts;

/// Who carries out a collective: the number of a row in the table of backends.
enum class BackendId : std::uint8_t {
  native,  ///< the MPI library's own collectives
  p2p,     ///< schedules over messages
  shared,  ///< schedules through the memory of a node, over messages between nodes
  rma,     ///< schedules whose senders put data into the receiver's memory, on a node; else as p2p
  automatic,  ///< `auto`: leaves each call to one of the first three
};

/// Which algorithm solves a problem: the same answer on all ranks of the communicator.
using ChooseAlgorithm = std::function<plan::Choice(const plan::Problem&, Waiting)>;

/// A row of the table: all that is known of a backend before there is one.
struct BackendTraits {
  enum class Kind : std::uint8_t {
    library,    ///< knows nothing of schedules
    schedules,  ///< runs the schedule that is chosen for a call
    choice,     ///< leaves calls to others
  };
  enum class Memory : std::uint8_t { unused, welcome, needed };

  BackendId id = BackendId::native;
  std::string_view name;   ///< in decks, tables and reports
  std::string_view about;  ///< one phrase
  Kind kind = Kind::schedules;
  Memory memory = Memory::unused;  ///< of a node, which its ranks share
  /// All that it says between ranks of a host can go through paths, which links delay.
  bool may_have_links = false;
  bool is_one_sided = false;  ///< neighbours talk by epochs, too
  /// Those that a communicator with this one has beside native; the first stands in for it where it
  /// can't be.
  std::span<const BackendId> beside{};
  /// Null where it can't be: there is no memory.
  std::unique_ptr<Backend> (*make)(BackendParts& parts, const ChooseAlgorithm& choose) = nullptr;

  [[nodiscard]] bool uses_memory() const { return memory != Memory::unused; }
  [[nodiscard]] bool runs_schedules() const { return kind != Kind::library; }
};

/// All of them, in the order of their ids (filled on the floor of backends, whose code makes them).
[[nodiscard]] std::span<const BackendTraits> all_backends() noexcept;
[[nodiscard]] const BackendTraits& traits_of(BackendId backend) noexcept;

[[nodiscard]] std::string_view name_of(BackendId backend) noexcept;
/// None for a name that no backend has.
[[nodiscard]] std::optional<BackendId> backend_named(std::string_view name) noexcept;
/// The same; throws an input error of all ranks that lists the names.
[[nodiscard]] BackendId known_backend(std::string_view name);

}  // namespace cartwright::comm
