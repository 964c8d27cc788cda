// SPDX-License-Identifier: Apache-2.0
// What goes from rank to rank: records of doubles, an identity and then numbers.
#include <algorithm>
#include <array>
#include <bit>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cmath>

#include "parcels.hpp"

namespace cartwright::grid {
namespace {

double packed(long long identity) {
  return std::bit_cast<double>(identity);
}
long long unpacked(double identity) {
  return std::bit_cast<long long>(identity);
}
void add_numbers(std::vector<double>& parcel, const ParticleAttribute& attribute,
                 std::size_t particle) {
  for (int c = 0; c < attribute.components(); ++c) parcel.push_back(attribute.at(particle, c));
}

}  // namespace

void Particles::migrate() {
  const rt::Timed timed(grid_.trace(), migrate_region_);
  identities_.resize(owned_);  // no ghosts
  wrap();
  travel();
}

void Particles::travel() {
  identities_.resize(owned_);
  if (stay_) return;
  at_home_ = false;
  if (!migrants_) migrants_ = std::make_unique<Parcels>(ranks_);
  parts_.clear();
  for (ParticleAttribute& each : attributes_) parts_.push_back(&each);
  const int me = ranks_.rank().value;
  std::size_t kept = 0;
  for (std::size_t p = 0; p < owned_; ++p) {
    const int owner = owner_of(p);
    if (owner == me) {
      if (kept != p) {
        identities_[kept] = identities_[p];
        for (ParticleAttribute& each : attributes_)
          for (int c = 0; c < each.components(); ++c) each.at(kept, c) = each.at(p, c);
      }
      ++kept;
      continue;
    }
    std::vector<double>& parcel = migrants_->to(owner);
    parcel.push_back(packed(identities_[p]));
    for (const ParticleAttribute& each : attributes_) add_numbers(parcel, each, p);
  }
  owned_ = kept;
  identities_.resize(owned_);
  migrants_->exchange();
  append(*migrants_);
  owned_ = identities_.size();
  sort_by_identity();
}

void Particles::append(const Parcels& came) {
  std::size_t length = 1;
  for (const ParticleAttribute* each : parts_)
    length += static_cast<std::size_t>(each->components());
  reserve(identities_.size() + came.count() / length);
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    const std::span<const double> records = came.from(rank);
    for (const double* record = records.data(); record != records.data() + records.size();) {
      const std::size_t particle = identities_.size();
      identities_.push_back(unpacked(*record++));
      for (ParticleAttribute* each : parts_)
        for (int c = 0; c < each->components(); ++c) each->at(particle, c) = *record++;
    }
  }
}

/// Which ranks have cells within a radius of a place, along one axis.
class Particles::Surroundings {
  struct Nearby {
    int coordinate;  ///< of a rank
    double shift;    ///< by which an image of the particle is moved to get near
  };

 public:
  explicit Surroundings(const Particles& particles) : set_(particles) {}

  void set_radius(double radius) noexcept { radius_ = radius; }

  /// Farther than that from all faces of this rank's cells: nobody else wants it.
  [[nodiscard]] bool is_deep(std::size_t particle) const {
    for (int axis = 0; axis < set_.dimensions_; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const auto mine = static_cast<std::size_t>(set_.ranks_.coordinates()[a]);
      const double x = set_.position().at(particle, axis);
      if (!(x >= set_.edges_[a][mine] + radius_ && x < set_.edges_[a][mine + 1] - radius_))
        return false;
    }
    return true;
  }

  /// The place itself, and its images beyond periodic faces.
  void find(int axis, double x, std::vector<Nearby>& found) const {
    const std::vector<double>& edges = set_.edges_[static_cast<std::size_t>(axis)];
    const double length = set_.grid_.length(axis);
    const bool periodic = set_.grid_.periodic(axis);
    const int images = periodic ? 1 + static_cast<int>(radius_ / length) : 0;
    found.clear();
    for (int image = -images; image <= images; ++image)
      for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const double shift = image * length;
        // Those of a bounded axis have all that is beyond its ends.
        const bool is_first = i == 0 && !periodic, is_last = i + 2 == edges.size() && !periodic;
        if ((is_first || x + shift >= edges[i] - radius_) &&
            (is_last || x + shift <= edges[i + 1] + radius_))
          found.push_back({static_cast<int>(i), shift});
      }
  }

  /// Calls `visit(rank, shift)` for all but the particle itself on this rank.
  template <class Visit>
  void visit(std::size_t particle, const Visit& visit) {
    for (int axis = 0; axis < set_.dimensions_; ++axis)
      find(axis, set_.position().at(particle, axis), places_[static_cast<std::size_t>(axis)]);
    const auto& dims = set_.ranks_.dims();
    const int columns = dims[0], rows = set_.dimensions_ > 1 ? dims[1] : 1;
    for (const Nearby& z : places_[2])
      for (const Nearby& y : places_[1])
        for (const Nearby& x : places_[0]) {
          const int rank = x.coordinate + columns * (y.coordinate + rows * z.coordinate);
          const std::array shift{x.shift, y.shift, z.shift};
          if (rank != set_.ranks_.rank().value || shift != std::array{0.0, 0.0, 0.0})
            visit(rank, shift);
        }
  }

 private:
  const Particles& set_;
  double radius_ = 0.0;
  /// Along axes that aren't there everybody is near.
  std::array<std::vector<Nearby>, 3> places_{std::vector<Nearby>{{0, 0.0}}, {{0, 0.0}}, {{0, 0.0}}};
};

void Particles::ghosts(double radius, const std::vector<std::string>& with) {
  const rt::Timed timed(grid_.trace(), ghosts_region_);
  identities_.resize(owned_);
  if (!images_) {
    images_ = std::make_unique<Parcels>(ranks_);
    surroundings_ = std::make_unique<Surroundings>(*this);
  }
  parts_.assign(1, &position());
  for (const std::string& name : with) parts_.push_back(&(*this)[name]);
  surroundings_->set_radius(radius);
  for (std::size_t p = 0; p < owned_; ++p) {
    if (surroundings_->is_deep(p)) continue;
    surroundings_->visit(p, [&](int rank, const std::array<double, 3>& shift) {
      std::vector<double>& parcel = images_->to(rank);
      parcel.push_back(packed(identities_[p]));
      for (int axis = 0; axis < dimensions_; ++axis)
        parcel.push_back(position().at(p, axis) + shift[static_cast<std::size_t>(axis)]);
      for (std::size_t part = 1; part < parts_.size(); ++part)
        add_numbers(parcel, *parts_[part], p);
    });
  }
  images_->exchange();
  append(*images_);
}

std::vector<double> Particles::to_homes(const ParticleAttribute& attribute) const {
  const auto width = static_cast<std::size_t>(attribute.components());
  const int me = ranks_.rank().value;
  std::vector<double> numbers(static_cast<std::size_t>(home_begin(me + 1) - home_begin(me)) *
                              width);
  const auto put = [&](long long identity, const auto& number) {
    for (std::size_t c = 0; c < width; ++c)
      numbers[static_cast<std::size_t>(identity - home_begin(me)) * width + c] = number(c);
  };
  if (at_home_) {
    for (std::size_t p = 0; p < owned_; ++p)
      put(identities_[p], [&](std::size_t c) { return attribute.at(p, static_cast<int>(c)); });
    return numbers;
  }
  Parcels parcels(ranks_);
  for (std::size_t p = 0; p < owned_; ++p) {
    std::vector<double>& parcel = parcels.to(home_of(identities_[p]));
    parcel.push_back(packed(identities_[p]));
    add_numbers(parcel, attribute, p);
  }
  parcels.exchange();
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    const std::span<const double> received = parcels.from(rank);
    for (std::size_t at = 0; at < received.size(); at += width + 1)
      put(unpacked(received[at]), [&](std::size_t c) { return received[at + 1 + c]; });
  }
  return numbers;
}

void Particles::from_homes(ParticleAttribute& attribute, std::span<const double> numbers) const {
  const auto width = static_cast<std::size_t>(attribute.components());
  const long long begin = home_begin(ranks_.rank().value);
  if (at_home_) {
    for (std::size_t p = 0; p < owned_; ++p)
      for (std::size_t c = 0; c < width; ++c)
        attribute.at(p, static_cast<int>(c)) = numbers[p * width + c];
    return;
  }
  // Owners ask homes, in the order of their particles; the answers come in this order.
  Parcels questions(ranks_);
  for (std::size_t p = 0; p < owned_; ++p)
    questions.to(home_of(identities_[p])).push_back(packed(identities_[p]));
  questions.exchange();
  Parcels answers(ranks_);
  for (int rank = 0; rank < ranks_.size(); ++rank)
    for (const double identity : questions.from(rank)) {
      const auto from = static_cast<std::size_t>(unpacked(identity) - begin) * width;
      for (std::size_t c = 0; c < width; ++c) answers.to(rank).push_back(numbers[from + c]);
    }
  answers.exchange();
  // Identities rise, and so do their homes.
  std::size_t p = 0;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    const std::span<const double> answered = answers.from(rank);
    for (std::size_t at = 0; at < answered.size(); at += width, ++p)
      for (std::size_t c = 0; c < width; ++c)
        attribute.at(p, static_cast<int>(c)) = answered[at + c];
  }
}

/// Here, where what it consists of is known.
Particles::~Particles() {
  if (WorkBalance* const work = grid_.work()) work->forget(this);
}

}  // namespace cartwright::grid
