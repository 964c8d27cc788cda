// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/particles/particle_attribute.hpp>
#include <cartwright/rt/trace.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cartwright::comm {
class CartComm;
}

namespace cartwright::mapping {
struct PairTraffic;
}

namespace cartwright::grid {

class GridBase;
class Parcels;

/// Points that move through a grid, with a position and attributes of their own:
/// `cw::Particles tracers(grid, "tracers", 10000, {{"velocity", "m/s", 2}})`. How many there are
/// stays the same. Each has an identity, a number from 0 on that never changes: what is computed
/// from identities and positions alone is the same on any number of ranks.
///
/// A particle belongs to the rank whose cells hold it (beyond a bounded face: to the nearest one);
/// `migrate` sends those that have left to their new owner. At first, before they are placed, and
/// in files, they are spread by identity. `run.steps(u, tracers)` makes them part of checkpoints
/// and output: datasets `tracers.position` and so on, in the order of identities; a restart sends
/// them to their owners. They lie in the host's memory. Where about as many travel from step to
/// step, nothing is allocated.
class Particles {
 public:
  struct Attribute {
    std::string name, unit;
    int components = 1;
  };
  /// Identities are dealt out in blocks of so many: sums over a block have one order everywhere.
  static constexpr long long identity_block = 32;

  /// Local. `grid` outlives them. While --dry-run measures, there are fewer. Throws an internal
  /// failure (all ranks) for names that are taken.
  Particles(const GridBase& grid, std::string name, long long count,
            const std::vector<Attribute>& attributes = {});
  /// Those that stay where their identities are: in even, consecutive blocks over `ranks`, for
  /// forces between all pairs. `ranks` has all ranks of the grid, and outlives them, too.
  Particles(const GridBase& grid, std::string name, long long count,
            const std::vector<Attribute>& attributes, const comm::CartComm& ranks);
  Particles(const Particles&) = delete;
  Particles& operator=(const Particles&) = delete;
  ~Particles();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const GridBase& grid() const noexcept { return grid_; }
  [[nodiscard]] const comm::CartComm& ranks() const noexcept { return ranks_; }
  [[nodiscard]] int dimensions() const noexcept { return dimensions_; }
  /// Of all ranks.
  [[nodiscard]] long long count() const noexcept { return count_; }
  /// That this rank owns: particles 0 to size() - 1 of its views. Ghosts follow.
  [[nodiscard]] std::size_t size() const noexcept { return owned_; }
  [[nodiscard]] std::size_t ghost_count() const noexcept { return identities_.size() - owned_; }
  /// Of owned particles, which rise, then of ghosts.
  [[nodiscard]] std::span<const long long> identities() const noexcept { return identities_; }

  /// The cell that holds an owned particle or a ghost, by its number along each axis of the whole
  /// grid; beyond the grid the nearest one.
  [[nodiscard]] std::array<long long, 3> cell_of(std::size_t particle) const;

  [[nodiscard]] ParticleAttribute& position() noexcept { return attributes_.front(); }
  [[nodiscard]] const ParticleAttribute& position() const noexcept { return attributes_.front(); }
  /// By its name, such as "velocity". Throws an internal failure (all ranks) for others.
  [[nodiscard]] ParticleAttribute& operator[](const std::string& attribute);
  /// For checked mode: a NaN among all numbers that this rank has, or 0.
  [[nodiscard]] double suspect() const;
  /// The positions and all attributes: what run.steps() takes.
  [[nodiscard]] std::deque<ParticleAttribute>& parts() noexcept { return attributes_; }

  /// Collective. Sets positions from identities, and sends particles to their owners:
  /// `place([](long long identity) { return std::array{x, y, 0.0}; })`.
  void place(const std::function<std::array<double, 3>(long long identity)>& position);
  /// Collective, after positions have changed. Those beyond a periodic face come in at the other
  /// one; then each particle goes to its owner, with all attributes. Ghosts are gone.
  void migrate();
  /// Collective. Copies of all particles, as far as `radius` from this rank's cells, that others
  /// own, and images of those behind periodic faces: with positions, and the attributes named in
  /// `with`. They follow the owned ones in views, until particles migrate.
  void ghosts(double radius, const std::vector<std::string>& with = {});
  /// Local. For forces between all pairs: what ranks tell each other in a step, for --dry-run to
  /// predict it (`traffic.particles` is filled in).
  void note_traffic(mapping::PairTraffic traffic) const;
  /// Particles beyond a bounded face come back as from a mirror, with their `velocity` turned.
  void reflect(ParticleAttribute& velocity);

  /// The first identity of a rank's part, by identity; of ranks().size(): count().
  [[nodiscard]] long long home_begin(int rank) const noexcept;

 private:
  friend class ParticleAttribute;
  Particles(const GridBase& grid, std::string name, long long count,
            const std::vector<Attribute>& attributes, const comm::CartComm& ranks, bool stay);
  class Surroundings;
  [[nodiscard]] int home_of(long long identity) const noexcept;
  [[nodiscard]] int owner_of(std::size_t particle) const;
  void wrap();
  /// Collective. To their owners, wherever positions are; ghosts are gone.
  void travel();
  void reserve(std::size_t particles);
  /// Behind all that are there: what came, records of an identity and the numbers of parts_.
  void append(const Parcels& came);
  void sort_by_identity();
  /// Collective. An attribute's numbers of the identities whose home this rank is, and back.
  [[nodiscard]] std::vector<double> to_homes(const ParticleAttribute& attribute) const;
  void from_homes(ParticleAttribute& attribute, std::span<const double> numbers) const;

  const GridBase& grid_;
  const comm::CartComm& ranks_;
  std::string name_;
  int dimensions_;
  long long count_;
  bool stay_;            // where their identities are
  bool at_home_ = true;  // they are there, on all ranks
  std::size_t owned_ = 0;
  std::vector<long long> identities_;
  std::deque<ParticleAttribute> attributes_;  // first: positions
  std::vector<std::vector<double>> edges_;    // between ranks, along each axis
  rt::RegionId migrate_region_, ghosts_region_;
  // What is kept from one call to the next, so that nothing is allocated:
  std::unique_ptr<Parcels> migrants_, images_;
  std::unique_ptr<Surroundings> surroundings_;
  std::vector<ParticleAttribute*> parts_;  // that travel
  std::vector<std::size_t> order_;
  std::vector<double> sorted_;
};

}  // namespace cartwright::grid
