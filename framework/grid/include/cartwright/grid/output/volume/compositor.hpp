// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/output/volume/pixel.hpp>
#include <cartwright/rt/report.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cartwright::comm {
class CartComm;
}

namespace cartwright::grid {

class App;

/// Pictures of parts, one on each rank, become one on rank 0 of a grid: reductions of pixels,
/// carried out as the deck says. `Over` doesn't commute: its operands go by the ranks' numbers, so
/// ranks get others, by depth, on a communicator of their own for each order that comes up (eight,
/// from outside of a grid), which is kept.
class Compositor {
 public:
  /// `algorithm`: a reduce of comm, or empty: comm chooses. Both must outlive this.
  Compositor(const App& app, const comm::CartComm& cart, std::string algorithm);

  /// Collective. In place on rank 0; what other ranks have then isn't defined. `ranks`: of the
  /// grid, nearest first, the same on all.
  void over(std::span<VolumePixel> pixels, const std::vector<int>& ranks);
  /// Collective. The largest of each; no NaN.
  void maximum(std::span<float> values);

  /// Collective. Who has carried it out and, where comm watches arrivals, how unevenly ranks came.
  void report(rt::Report::Section& section) const;

 private:
  [[nodiscard]] const comm::Collectives& in_order(const std::vector<int>& ranks);
  [[nodiscard]] std::unique_ptr<comm::Collectives> make(const std::vector<int>& ranks);
  void lease_memory();
  void note_method(const comm::Collectives& by);

  static constexpr int orders_a_lease = 8;

  const App& app_;
  const comm::CartComm& cart_;
  std::string algorithm_;
  std::shared_ptr<comm::NodeMemory> memory_;
  int shares_left_ = 0;
  std::map<std::vector<int>, std::unique_ptr<comm::Collectives>> by_order_;
  std::string method_;
};

}  // namespace cartwright::grid
