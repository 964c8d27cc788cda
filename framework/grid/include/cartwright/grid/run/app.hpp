// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/halo_statistics.hpp>
#include <cartwright/grid/run/inner_loop.hpp>
#include <cartwright/grid/run/run_info.hpp>
#include <cartwright/grid/run/run_options.hpp>
#include <cartwright/rt/runtime.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::comm {
class CartComm;
struct Settings;
}  // namespace cartwright::comm
namespace cartwright::mapping {
struct Options;
struct Topology;
}  // namespace cartwright::mapping

namespace cartwright::grid {

struct AppOptions;

/// Ranks along each axis, and what neighbours say to each other across it.
struct CartShape {
  std::vector<int> dims;
  std::vector<bool> periodic = {};        ///< empty: nowhere
  std::vector<double> face_weights = {};  ///< size of a message across each axis; empty: 1
};

/// What every program has around what it computes: deck, machine, communicators, where results go,
/// report. A Run is one with steps or iterations; programs without them get theirs from run_app.
class App {
 public:
  /// All must outlive this.
  App(rt::Runtime& runtime, const AppOptions& options, const ExchangeOptions& exchange);
  App(rt::Runtime& runtime, const AppOptions& options);
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  [[nodiscard]] rt::Runtime& runtime() const noexcept { return runtime_; }
  [[nodiscard]] const mapping::Options& mapping_options() const noexcept;
  [[nodiscard]] const comm::Settings& comm_settings() const noexcept;

  /// Who sits where on the machine, real or imagined. The first call is collective over all ranks
  /// of the run.
  [[nodiscard]] const mapping::Topology& topology() const;
  /// Collective over all ranks of the run: a communicator of all of them, placed on the machine as
  /// sections `mapping` and `comm` say.
  [[nodiscard]] std::unique_ptr<comm::CartComm> make_cart(const CartShape& shape) const;
  /// Where results come from, for the files that hold them.
  [[nodiscard]] RunInfo info(const comm::CartComm& cart) const;

  [[nodiscard]] const ExchangeOptions& exchange_options() const noexcept { return exchange_; }
  /// What this rank's halo exchanges have amounted to so far.
  [[nodiscard]] HaloStatistics& halo_statistics() noexcept { return halo_statistics_; }
  /// What loops towards a solution have come to; that of `name`, which may be new.
  [[nodiscard]] const std::vector<InnerLoopRecord>& inner_loops() const noexcept {
    return inner_loops_;
  }
  [[nodiscard]] InnerLoopRecord& inner_loop(const std::string& name);
  /// The step that is being made; 0 if none is.
  [[nodiscard]] long long step_under_way() const noexcept { return step_under_way_; }

 protected:
  void set_step_under_way(long long number) noexcept { step_under_way_ = number; }

 private:
  rt::Runtime& runtime_;
  const AppOptions& options_;
  ExchangeOptions exchange_;
  HaloStatistics halo_statistics_;
  std::vector<InnerLoopRecord> inner_loops_;
  long long step_under_way_ = 0;
  mutable std::shared_ptr<const mapping::Topology> topology_;
};

/// Runs `body`: for programs that have grids and fields, but no steps of a run. Command line, MPI,
/// Kokkos, log, signals and exit code are taken care of; a deck with sections `mapping` and `comm`
/// may be given. Returns what `main` returns.
int run_app(int argc, char** argv, const std::string& about, std::function<void(App&)> body);

/// Collective. Throws an input error on all ranks unless every node has so much memory for each of
/// its ranks. `what_needs`: how the message begins ("field 'u' needs").
void require_memory(const comm::CartComm& cart, double bytes_of_rank, const std::string& what_needs,
                    const std::string& what_to_do);

}  // namespace cartwright::grid
