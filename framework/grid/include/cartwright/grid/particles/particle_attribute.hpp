// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/particles/particle_view.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <span>
#include <string>
#include <vector>

namespace cartwright::grid {

class Particles;

/// Some numbers of each particle, such as its velocity: "bodies.velocity". Output and checkpoints
/// know it as a field of one axis, in the order of the particles' identities.
class ParticleAttribute final : public FieldBase {
 public:
  /// `set` outlives it. Particles::attribute finds it.
  ParticleAttribute(Particles& set, const std::string& name, std::string unit, int components);

  /// Of owned particles and ghosts.
  [[nodiscard]] ParticleView view() noexcept { return {numbers_.data(), stride()}; }
  /// One component of the particles that this rank owns.
  [[nodiscard]] std::span<double> along(int component);
  [[nodiscard]] std::span<const double> along(int component) const;
  [[nodiscard]] int components() const noexcept { return components_; }
  /// Of one particle, owned or ghost.
  [[nodiscard]] double& at(std::size_t particle, int component = 0) {
    return numbers_[static_cast<std::size_t>(component) * capacity_ + particle];
  }
  [[nodiscard]] double at(std::size_t particle, int component = 0) const {
    return numbers_[static_cast<std::size_t>(component) * capacity_ + particle];
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& unit() const override { return unit_; }
  [[nodiscard]] const GridBase& grid() const override;
  [[nodiscard]] Centring centring() const override { return Centring::cell; }
  [[nodiscard]] ElementType element() const override { return {ScalarType::float64, components_}; }
  /// Identities of which this rank writes the numbers, whoever owns the particles.
  [[nodiscard]] Block block() const override;
  [[nodiscard]] const FieldBase* positions() const override;
  /// Collective, as is copy_owned_from: numbers travel between a particle's owner and who writes
  /// them.
  void copy_owned_to(std::span<std::byte> bytes) const override;
  void copy_owned_from(std::span<const std::byte> bytes) override;
  /// Collective. Particles go to those in whose cells they are.
  void restored() override;
  void impose_boundary(double /*time*/) override {}
  [[nodiscard]] std::optional<std::array<long long, 3>> first_not_finite() const override;
  /// `value(position of the particle, component)`.
  void set_from(const std::function<double(const std::array<double, 3>&, int)>& value) override;

 private:
  friend class Particles;
  [[nodiscard]] std::ptrdiff_t stride() const noexcept {
    return static_cast<std::ptrdiff_t>(capacity_);
  }
  /// Makes room; numbers of the first `keep` particles stay.
  void reserve(std::size_t particles, std::size_t keep);

  Particles& set_;
  std::string name_, unit_;
  int components_;
  std::size_t capacity_ = 0;
  std::vector<double> numbers_;  // component by component
};

}  // namespace cartwright::grid
