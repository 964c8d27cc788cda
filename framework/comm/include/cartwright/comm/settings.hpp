// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/arrivals/arrival_use.hpp>
#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/backends/supervision.hpp>
#include <cartwright/comm/calls/device_memory.hpp>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/schema.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::comm {

/// Whether collectives along several axes run at the same time.
enum class AxisOrder {
  automatic,   ///< as a model predicts: of this machine or, where nobody measured it, a typical one
  overlapped,  ///< all at the same time
  sequential,  ///< one axis after the other
};

/// How collectives are carried out: section `comm` of a deck, or what a program says. Where there
/// is no deck, variables CARTWRIGHT_COMM_… win over it (see resolved).
struct Settings {
  /// Section of one operation.
  struct OfOperation {
    std::string algorithm{};  ///< empty: chosen
  };
  /// Section `shared`.
  struct Shared {
    std::optional<long long> memory{};  ///< MiB, of a node for all communicators; absent: as usual
  };

  /// Section `links`: a network that is imagined between nodes.
  struct Links {
    std::optional<std::chrono::duration<double>> latency{};  ///< absent: nothing is imagined
    double bandwidth = 0;                                    ///< GB/s; 0: no limit
  };

  BackendId backend = BackendId::automatic;
  AxisOrder axes = AxisOrder::automatic;
  Shared shared{};
  Links links{};
  bool learn = false;
  ArrivalUse arrivals = ArrivalUse::off;
  DeviceMemory device_memory = DeviceMemory::automatic;
  bool any_order = false;  ///< plans for arrivals may change how what rounds is combined
  bool checked = false;
  std::optional<std::chrono::duration<double>> time_limit{};
  OfOperation allreduce{}, reduce{}, reduce_scatter{}, scan{}, exscan{}, broadcast{}, scatter{},
      gather{}, allgather{}, alltoall{}, barrier{};
  bool is_resolved = false;  ///< the environment was heeded, or isn't to be

  [[nodiscard]] Supervision supervision() const { return {checked, time_limit}; }
  /// What memory for communicators of at most so many ranks each is asked for with.
  [[nodiscard]] NodeMemory::Options memory_options(std::vector<int> communicators,
                                                   const Knowledge& knowledge,
                                                   std::optional<rt::Arena> arena = {}) const {
    std::optional<std::size_t> bytes;
    if (shared.memory) bytes = static_cast<std::size_t>(*shared.memory) << 20U;
    return {.communicators = std::move(communicators),
            .bytes = bytes,
            .arena = std::move(arena),
            .links = link_speed(),
            .tuning = knowledge.defaults};
  }
  [[nodiscard]] std::optional<LinkSpeed> link_speed() const {
    if (!links.latency) return std::nullopt;
    return LinkSpeed{links.latency->count(), links.bandwidth * 1e9};
  }
  /// The algorithms that are asked for, by operation.
  [[nodiscard]] std::map<plan::Operation, std::string> algorithms() const;
  /// Collectives that only move data of a device are left to the MPI library, which takes them.
  [[nodiscard]] bool gives_devices_to_mpi() const {
    return device_memory == DeviceMemory::direct && !link_speed();
  }
  /// For settings of a deck, which has heeded the environment already.
  [[nodiscard]] Settings as_resolved() const {
    Settings settings = *this;
    settings.is_resolved = true;
    return settings;
  }
};

[[nodiscard]] rt::Schema<Settings> schema();

/// Throws Deck::error for backends and algorithms that don't exist.
void check_settings(const rt::Deck& deck, const Settings& settings);

/// `settings`, and in their place what the environment says of their keys, in a deck's words
/// (CARTWRIGHT_COMM_BACKEND=p2p). Collective: rank 0's counts. Throws an input error on all ranks
/// for what can't be read. As they are if they are resolved.
[[nodiscard]] Settings resolved(const rt::Communicator& comm, Settings settings);

/// What choices rest on where these settings hold. Collective over `comm`, for which `topology` was
/// discovered.
[[nodiscard]] std::shared_ptr<const Knowledge> known_to(const rt::Communicator& comm,
                                                        const mapping::Topology& topology,
                                                        const Settings& settings);

}  // namespace cartwright::comm
