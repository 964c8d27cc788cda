// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace cartwright::grid {

class Particles;

/// Particles and ghosts, sorted into bins at least `radius` wide: whatever is within the radius of
/// a particle lies in its bin or one of those around it. Bins are places of the whole domain, and
/// the particles of one stand in the order of their identities: so who walks over the bins around
/// a particle meets its neighbours in the same order on any number of ranks.
class CellList {
 public:
  /// Places in the order of bins; particle(slot) says whose.
  struct Slots {
    std::size_t begin, end;
  };

  /// In pieces, at most nine.
  struct Around {
    std::array<Slots, 9> pieces{};
    std::size_t count = 0;
    [[nodiscard]] const Slots* begin() const { return pieces.data(); }
    [[nodiscard]] const Slots* end() const { return pieces.data() + count; }
  };

  explicit CellList(double radius) : radius_(radius) {}

  /// After Particles::ghosts(radius).
  void sort(const Particles& particles);

  [[nodiscard]] double radius() const noexcept { return radius_; }
  [[nodiscard]] std::size_t bins() const noexcept { return begin_.size() - 1; }
  [[nodiscard]] Slots in(std::size_t bin) const { return {begin_[bin], begin_[bin + 1]}; }
  /// All particles in a bin and around it.
  [[nodiscard]] Around around(std::size_t bin) const;
  /// Which particle of the views stands there.
  [[nodiscard]] std::size_t particle(std::size_t slot) const { return order_[slot]; }
  /// Positions along an axis, by slot.
  [[nodiscard]] std::span<const double> along(int axis) const {
    return positions_[static_cast<std::size_t>(axis)];
  }

 private:
  using Place = std::array<long long, 3>;
  void choose_bins(const Particles& particles);
  [[nodiscard]] Place place_of(const Particles& particles, std::size_t particle) const;

  double radius_;
  int dimensions_ = 0;
  std::array<long long, 3> count_{1, 1, 1};  // of the domain, along each axis
  std::array<double, 3> origin_{}, width_{1, 1, 1};
  std::array<bool, 3> periodic_{};
  Place lower_{}, extent_{1, 1, 1};  // of the bins that this rank has
  std::vector<std::size_t> begin_{0}, order_;
  std::array<std::vector<double>, 3> positions_;
  // Kept from one time to the next:
  std::vector<Place> places_;
  std::vector<std::size_t> next_;
};

}  // namespace cartwright::grid
