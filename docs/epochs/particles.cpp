// SPDX-License-Identifier: Apache-2.0
// Particles in cells that are dealt to ranks. Those that leave a rank's cells, and copies of those
// at its edges, are put into its neighbours' memory: how many come nobody has to ask for.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cartwright/comm/window.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

struct Particle {
  long long number = 0;
  double x = 0, y = 0, vx = 0, vy = 0, fx = 0, fy = 0;
};
using Particles = std::vector<Particle>;

/// Cells in a row, of length 1, which is as far as particles see each other; both axes are
/// periodic.
static constexpr int cells = 24, particles = 960, steps = 60;
static constexpr double height = 4, time_step = 0.02;

/// Particles on their way to the two neighbours: each has an inbox for either side.
class Neighbours {
 public:
  explicit Neighbours(const comm::CartComm& cart)
      : inboxes_(comm::Window<Particle>::allocate(cart, 2 * room, {.name = "inboxes"})),
        sides_{*cart.neighbour(0, -1), *cart.neighbour(0, +1)},
        both_(sides_.begin(), sides_[0] == sides_[1] ? sides_.begin() + 1 : sides_.end()) {}

  /// What goes to the left and to the right. Waits for nobody.
  void send(const std::array<Particles, 2>& leaving) {
    auto inbox = inboxes_.post(both_);
    auto access = inboxes_.start(both_);
    for (std::size_t side = 0; side < 2; ++side) {
      outgoing_[side].assign(1, {.number = static_cast<long long>(leaving[side].size())});
      outgoing_[side].insert(outgoing_[side].end(), leaving[side].begin(), leaving[side].end());
      access.put(sides_[side], side == 0 ? room : 0, outgoing_[side]);  // it comes from its right
    }
    sent_ = access.complete();
    come_ = inbox.wait();
  }
  /// What has come from both sides.
  [[nodiscard]] Particles receive() {
    comm::wait_all(sent_, come_);
    Particles all;
    for (const std::size_t begin : {std::size_t{0}, std::size_t{room}}) {
      const auto inbox = inboxes_.local().subspan(begin, room);
      const auto count = static_cast<std::size_t>(inbox.front().number);
      all.insert(all.end(), inbox.begin() + 1, inbox.begin() + 1 + static_cast<long>(count));
    }
    return all;
  }

 private:
  static constexpr int room = particles + 1;
  comm::Window<Particle> inboxes_;
  std::array<rt::Rank, 2> sides_;
  std::vector<rt::Rank> both_;
  std::array<Particles, 2> outgoing_;
  comm::EpochRequest sent_, come_;
};

/// The cells of one rank, and one more on either side for copies.
class Strip {
 public:
  explicit Strip(const comm::CartComm& cart)
      : cart_(&cart),
        neighbours_(cart),
        first_(cells * cart.rank().value / cart.size()),
        count_(cells * (cart.rank().value + 1) / cart.size() - first_),
        cells_(static_cast<std::size_t>(count_) + 2) {
    std::minstd_rand random(11);
    std::uniform_real_distribution place(0.0, 1.0);
    for (int i = 0; i < particles; ++i) {
      const Particle one{i, cells * place(random), height * place(random), 8 * place(random) - 4,
                         2 * place(random) - 1};
      if (const int cell = cell_of(one); cell >= 1 && cell <= count_) at(cell).push_back(one);
    }
  }
  void step() {
    migrate();
    send_edges();
    for (int cell = 2; cell < count_; ++cell) push(cell);  // while copies are under way
    for (const Particle& copy : neighbours_.receive()) {
      if ((first_ + cells - 1) % cells == global_cell(copy)) at(0).push_back(copy);
      if ((first_ + count_) % cells == global_cell(copy)) at(count_ + 1).push_back(copy);
    }
    sort(0);
    sort(count_ + 1);
    push(1);
    if (count_ > 1) push(count_);
    move();
  }
  /// Collective: of all particles with all their bits, in whatever order.
  [[nodiscard]] std::array<std::uint64_t, 2> sum() const {
    std::array<std::uint64_t, 2> sums{};
    for (int cell = 1; cell <= count_; ++cell)
      for (const Particle& one : cells_[static_cast<std::size_t>(cell)]) {
        std::uint64_t bits = static_cast<std::uint64_t>(one.number);
        for (const double value : {one.x, one.y, one.vx, one.vy})
          bits = (bits ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
        sums[0] += 1;
        sums[1] += bits;
      }
    cart_->allreduce(sums, comm::Operator::sum);
    return sums;
  }
  [[nodiscard]] long long migrated() const {
    return cart_->allreduce(migrated_, comm::Operator::sum);
  }

 private:
  [[nodiscard]] Particles& at(int cell) { return cells_[static_cast<std::size_t>(cell)]; }
  static int global_cell(const Particle& one) {
    return std::min(static_cast<int>(one.x), cells - 1);
  }
  [[nodiscard]] int cell_of(const Particle& one) const { return global_cell(one) - first_ + 1; }
  void sort(int cell) {
    std::ranges::sort(at(cell), {}, &Particle::number);  // so that forces round alike
  }

  /// Nobody crosses more than one cell in a step.
  void migrate() {
    std::array<Particles, 2> leaving;
    Particles staying;
    for (int cell = 1; cell <= count_; ++cell) {
      for (const Particle& one : at(cell)) {
        const int now = global_cell(one);
        if (now >= first_ && now < first_ + count_) {
          staying.push_back(one);
          continue;
        }
        const bool goes_left = now == (first_ + cells - 1) % cells;
        leaving[goes_left ? 0 : 1].push_back(one);
        ++migrated_;
      }
      at(cell).clear();
    }
    neighbours_.send(leaving);
    for (const Particle& one : staying) at(cell_of(one)).push_back(one);
    for (const Particle& one : neighbours_.receive()) at(cell_of(one)).push_back(one);
    for (int cell = 1; cell <= count_; ++cell) sort(cell);
  }
  void send_edges() {
    at(0).clear();
    at(count_ + 1).clear();
    neighbours_.send({at(1), at(count_)});
  }
  /// All that is near pushes a particle away, from left to right.
  void push(int cell) {
    for (Particle& one : at(cell)) {
      one.fx = one.fy = 0;
      for (const int other : {cell - 1, cell, cell + 1})
        for (const Particle& near : at(other)) {
          if (near.number == one.number) continue;
          double dx = one.x - near.x, dy = one.y - near.y;
          dx -= cells * std::round(dx / cells);
          dy -= height * std::round(dy / height);
          const double distance = std::sqrt(dx * dx + dy * dy);
          if (distance >= 1 || distance == 0) continue;
          one.fx += 5 * (1 - distance) * dx / distance;
          one.fy += 5 * (1 - distance) * dy / distance;
        }
    }
  }
  void move() {
    const auto inside = [](double x, double length) {
      const double moved = x - length * std::floor(x / length);
      return moved < length ? moved : 0.0;
    };
    for (int cell = 1; cell <= count_; ++cell)
      for (Particle& one : at(cell)) {
        one.vx += time_step * one.fx;
        one.vy += time_step * one.fy;
        one.x = inside(one.x + time_step * one.vx, cells);
        one.y = inside(one.y + time_step * one.vy, height);
      }
  }

  const comm::CartComm* cart_;
  Neighbours neighbours_;
  int first_, count_;
  std::vector<Particles> cells_;  // from 1 to count_: this rank's
  long long migrated_ = 0;
};

struct Outcome {
  std::array<std::uint64_t, 2> sum{};
  long long migrated = 0;
};

static Outcome simulate(MPI_Comm ranks) {
  const auto world = rt::Communicator::duplicate(ranks);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}, .periodic = {true}});
  Strip strip(cart);
  for (int step = 0; step < steps; ++step) strip.step();
  return {strip.sum(), strip.migrated()};
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Outcome all = simulate(MPI_COMM_WORLD), alone = simulate(MPI_COMM_SELF);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    std::printf("%d particles: %lld are there; the bits are those of one rank: %s; %s\n", particles,
                static_cast<long long>(all.sum[0]), all.sum == alone.sum ? "yes" : "no",
                (size == 1) == (all.migrated == 0) ? "they move between ranks" : "nobody moves");
  MPI_Finalize();
}
