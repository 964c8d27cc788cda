// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/rt/large_pages.hpp>
#include <cmath>
#include <cstring>
#include <utility>

namespace cartwright::grid {

ParticleAttribute::ParticleAttribute(Particles& set, const std::string& name, std::string unit,
                                     int components)
    : set_(set), name_(set.name() + "." + name), unit_(std::move(unit)), components_(components) {}

std::span<double> ParticleAttribute::along(int component) {
  return {view().along(component), set_.size()};
}

std::span<const double> ParticleAttribute::along(int component) const {
  return {numbers_.data() + static_cast<std::size_t>(component) * capacity_, set_.size()};
}

const GridBase& ParticleAttribute::grid() const {
  return set_.grid();
}

Block ParticleAttribute::block() const {
  const int rank = set_.ranks().rank().value;
  Block block;
  block.global[0] = set_.count();
  block.start[0] = set_.home_begin(rank);
  block.count[0] = set_.home_begin(rank + 1) - block.start[0];
  return block;
}

const FieldBase* ParticleAttribute::positions() const {
  return &set_.position();
}

void ParticleAttribute::copy_owned_to(std::span<std::byte> bytes) const {
  const std::vector<double> numbers = set_.to_homes(*this);
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
}

void ParticleAttribute::copy_owned_from(std::span<const std::byte> bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  set_.from_homes(*this, numbers);
}

/// Positions stay as the last step left them, perhaps beyond a periodic face: the next one brings
/// them back, as it would have without a restart.
void ParticleAttribute::restored() {
  if (this == &set_.position()) set_.travel();
}

std::optional<std::array<long long, 3>> ParticleAttribute::first_not_finite() const {
  for (std::size_t p = 0; p < set_.size(); ++p)
    for (int c = 0; c < components_; ++c)
      if (!std::isfinite(at(p, c))) return std::array{set_.identities()[p], 0LL, 0LL};
  return std::nullopt;
}

void ParticleAttribute::set_from(
    const std::function<double(const std::array<double, 3>&, int)>& value) {
  const ParticleAttribute& where = std::as_const(set_).position();
  for (std::size_t p = 0; p < set_.size(); ++p) {
    std::array<double, 3> place{};
    for (int axis = 0; axis < set_.dimensions(); ++axis)
      place[static_cast<std::size_t>(axis)] = where.at(p, axis);
    for (int c = 0; c < components_; ++c) at(p, c) = value(place, c);
  }
}

void ParticleAttribute::reserve(std::size_t particles, std::size_t keep) {
  if (particles <= capacity_) return;
  const std::size_t capacity = std::max(particles, capacity_ + capacity_ / 2);
  auto numbers = rt::zeros_in_large_pages<double>(capacity * static_cast<std::size_t>(components_));
  for (std::size_t c = 0; c < static_cast<std::size_t>(components_); ++c)
    std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(c * capacity_), keep,
                numbers.begin() + static_cast<std::ptrdiff_t>(c * capacity));
  capacity_ = capacity;
  numbers_ = std::move(numbers);
}

}  // namespace cartwright::grid
