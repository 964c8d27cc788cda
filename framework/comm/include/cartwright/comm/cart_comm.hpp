// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/settings.hpp>
#include <cartwright/mapping/faces/node_map.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/mapping/placement/remap.hpp>
#include <cartwright/rt/arena.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {

class WindowSpace;

struct CartOptions {
  std::vector<int> dims;  ///< ranks along each axis, axis 0 = x; their product is all ranks
  std::vector<bool> periodic = {};  ///< empty: nowhere
  mapping::Strategy strategy = mapping::Strategy::automatic;
  std::vector<double> weights = {};  ///< cost of an off-node face across each axis; empty: 1
  Settings settings = {};
  std::optional<rt::Arena> arena = {};  ///< of the run, for shared memory; else it makes one
};

/// A Cartesian communicator whose ranks are placed so that neighbours share a node where possible.
/// Rank x + p (y + q z) sits at (x, y, z) of a (p, q, r) grid. Constructor and reductions are
/// collective; queries are local.
class CartComm {
 public:
  CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine, const CartOptions& options);
  /// With a machine that is known already (or virtual); `topology` was discovered for `parent`.
  CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine, const CartOptions& options,
           const mapping::Topology& topology);

  [[nodiscard]] const rt::Communicator& communicator() const noexcept { return *communicator_; }
  /// The ranks of my line along `axis`, in order of that coordinate. MPI makes a communicator of
  /// them when its handle is first asked for: by all ranks of the line together.
  [[nodiscard]] const rt::Communicator& axis(int axis) const;
  [[nodiscard]] rt::ProgressEngine& engine() const noexcept { return engine_; }
  [[nodiscard]] rt::Rank rank() const noexcept { return communicator_->rank(); }
  [[nodiscard]] int size() const noexcept { return communicator_->size(); }
  [[nodiscard]] bool is_root() const noexcept { return communicator_->is_root(); }

  [[nodiscard]] int dimensions() const noexcept { return shape_.dimensions(); }
  [[nodiscard]] std::span<const int> dims() const noexcept { return shape_.dims; }
  [[nodiscard]] std::span<const int> coordinates() const noexcept { return mapping_.coordinates; }
  [[nodiscard]] std::vector<int> coordinates_of(rt::Rank rank) const;
  [[nodiscard]] bool periodic(int axis) const;

  /// The rank one step away, `direction` -1 or +1; nothing at a physical face. May be this rank.
  [[nodiscard]] std::optional<rt::Rank> neighbour(int axis, int direction) const;
  /// The rank at an offset of any size along each axis: also edges and corners.
  [[nodiscard]] std::optional<rt::Rank> neighbour(std::span<const int> offsets) const;
  /// True if `rank` is on another node (of the virtual topology, if there is one). O(dimensions).
  [[nodiscard]] bool is_off_node(rt::Rank rank) const;

  /// Collectives of all ranks, and of the ranks of my line along an axis.
  [[nodiscard]] const Collectives& all() const noexcept { return *all_; }
  [[nodiscard]] const Collectives& along(int axis) const { return *along_[checked(axis)]; }

  // Those of all ranks, for short: `cart.allreduce(…)` is `cart.all().allreduce(…)`.
  void barrier(CallSite site = CallSite::here()) const { all().barrier(site); }
  template <class T>
  requires(!Buffer<T>) [[nodiscard]] T
      allreduce(const T& value, auto op, CallSite site = CallSite::here()) const {
    return all().allreduce(value, std::move(op), site);
  }
  template <Buffer Data>
  void allreduce(Data&& in_out, auto op, CallSite site = CallSite::here()) const {
    all().allreduce(std::forward<Data>(in_out), std::move(op), site);
  }
  template <Buffer Data>
  void reduce(Data&& in_out, auto op, rt::Rank root, CallSite site = CallSite::here()) const {
    all().reduce(std::forward<Data>(in_out), std::move(op), root, site);
  }
  template <Buffer Data>
  void broadcast(Data&& data, rt::Rank root, CallSite site = CallSite::here()) const {
    all().broadcast(std::forward<Data>(data), root, site);
  }
  template <Buffer Data>
  Pending start_allreduce(Data&& in_out, auto op, CallSite site = CallSite::here()) const {
    return all().start_allreduce(std::forward<Data>(in_out), std::move(op), site);
  }
  template <Buffer Data>
  Pending start_reduce(Data&& in_out, auto op, rt::Rank root,
                       CallSite site = CallSite::here()) const {
    return all().start_reduce(std::forward<Data>(in_out), std::move(op), root, site);
  }
  template <Buffer Data>
  Pending start_broadcast(Data&& data, rt::Rank root, CallSite site = CallSite::here()) const {
    return all().start_broadcast(std::forward<Data>(data), root, site);
  }
  [[nodiscard]] Pending start_barrier(CallSite site = CallSite::here()) const {
    return all().start_barrier(site);
  }

  /// What drives its windows (see window.hpp): made with the first of them.
  [[nodiscard]] const std::shared_ptr<WindowSpace>& windows() const;

  [[nodiscard]] const mapping::GridShape& shape() const noexcept { return shape_; }
  [[nodiscard]] const mapping::Mapping& mapping() const noexcept { return mapping_; }
  [[nodiscard]] const mapping::Topology& topology() const noexcept { return topology_; }
  /// Whether broadcasts of so many bytes along all axes had better run at the same time: what the
  /// options say or, if they leave it open, the model of the machine (Karlsson 2012, 5.3, repaired:
  /// mapping/predict.hpp) or of a typical one. On one node, and beyond 32,768 ranks, always. The
  /// same on all ranks.
  [[nodiscard]] bool overlap_pays(double bytes) const;
  /// What to say when a run starts: names and values, one line each, the same on every rank.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> description() const;

 private:
  CartComm(const rt::Communicator& parent, rt::ProgressEngine& engine, const Settings& settings,
           const std::optional<rt::Arena>& arena, mapping::GridShape shape,
           mapping::Topology topology, mapping::Remapped remapped);
  [[nodiscard]] std::vector<int> line_of(int axis) const;
  [[nodiscard]] std::string describe_backend() const;
  [[nodiscard]] std::string describe_neighbours() const;
  void learn_node_map();
  [[nodiscard]] std::size_t checked(int axis) const;

  rt::ProgressEngine& engine_;
  mapping::GridShape shape_;
  mapping::Topology topology_;
  std::shared_ptr<const rt::Communicator> communicator_;
  mapping::Placement placement_;
  mapping::Mapping mapping_;
  std::unique_ptr<Collectives> all_;
  std::vector<std::unique_ptr<Collectives>> along_;
  AxisOrder axis_order_;
  std::shared_ptr<const Knowledge> knowledge_;
  mutable std::shared_ptr<WindowSpace> windows_;
  std::optional<mapping::NodeMap> node_map_;  // where a model is to be asked
};

}  // namespace cartwright::comm
