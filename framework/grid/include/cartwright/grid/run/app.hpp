// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/run_info.hpp>
#include <cartwright/rt/runtime.hpp>
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
/// report. A Run is one with steps or iterations; programs without them make their own, in the body
/// that `rt::execute` calls.
class App {
 public:
  /// Both must outlive this.
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

 private:
  rt::Runtime& runtime_;
  const AppOptions& options_;
  mutable std::shared_ptr<const mapping::Topology> topology_;
};

/// Collective. Throws an input error on all ranks unless every node has so much memory for each of
/// its ranks. `what_needs`: how the message begins ("field 'u' needs").
void require_memory(const comm::CartComm& cart, double bytes_of_rank, const std::string& what_needs,
                    const std::string& what_to_do);

}  // namespace cartwright::grid
