// SPDX-License-Identifier: Apache-2.0
// Particles in cells that are dealt to ranks. Those that leave a rank's cells, and copies of those
// at its edges, are put into its neighbours' memory: how many come nobody has to ask for.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cartwright/comm/window.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

struct Particle {
  long long number = 0;
  double x = 0, y = 0, vx = 0, vy = 0, fx = 0, fy = 0;
};
using Particles = std::vector<Particle>;

/// Cells in a row, of length 1, which is as far as particles see each other; both axes are
/// periodic.
struct Row {
  int cells = 24, particles = 960;
  double height = 4, time_step = 0.02;
};

/// Particles on their way to the two neighbours: each has an inbox for either side, for `most`.
class Inboxes {
 public:
  /// Collective. `waits`: epochs are closed by waiting, as MPI's are.
  Inboxes(const cartwright::comm::CartComm& cart, int most, bool waits = false)
      : room_(most + 1),
        inboxes_(
            cartwright::comm::Window<Particle>::allocate(cart, 2 * room_, {.name = "inboxes"})),
        waits_(waits),
        sides_{*cart.neighbour(0, -1), *cart.neighbour(0, +1)},
        both_(sides_.begin(), sides_[0] == sides_[1] ? sides_.begin() + 1 : sides_.end()) {}

  /// What goes to the left and to the right. Waits for nobody.
  void send(const std::array<Particles, 2>& leaving) {
    auto inbox = inboxes_.post(both_);
    auto access = inboxes_.start(both_);
    for (std::size_t side = 0; side < 2; ++side) {
      outgoing_[side].assign(1, {.number = static_cast<long long>(leaving[side].size())});
      outgoing_[side].insert(outgoing_[side].end(), leaving[side].begin(), leaving[side].end());
      access.put(sides_[side], side == 0 ? room_ : 0, outgoing_[side]);  // it comes from its right
    }
    sent_ = access.complete();
    come_ = inbox.wait();
    if (waits_) cartwright::comm::wait_all(sent_, come_);
  }
  /// What has come from both sides.
  [[nodiscard]] Particles receive() {
    cartwright::comm::wait_all(sent_, come_);
    Particles all;
    for (const int begin : {0, room_}) {
      const auto inbox = inboxes_.local().subspan(static_cast<std::size_t>(begin),
                                                  static_cast<std::size_t>(room_));
      const auto count = static_cast<std::size_t>(inbox.front().number);
      all.insert(all.end(), inbox.begin() + 1, inbox.begin() + 1 + static_cast<long>(count));
    }
    return all;
  }

 private:
  int room_;
  cartwright::comm::Window<Particle> inboxes_;
  bool waits_;
  std::array<cartwright::rt::Rank, 2> sides_;
  std::vector<cartwright::rt::Rank> both_;
  std::array<Particles, 2> outgoing_;
  cartwright::comm::EpochRequest sent_, come_;
};

/// The cells of one rank, and one more on either side for copies. `Neighbours`: as Inboxes.
template <class Neighbours>
class Strip {
 public:
  Strip(const cartwright::comm::CartComm& cart, const Row& row, Neighbours neighbours)
      : cart_(&cart),
        row_(row),
        neighbours_(std::move(neighbours)),
        first_(row.cells * cart.rank().value / cart.size()),
        count_(row.cells * (cart.rank().value + 1) / cart.size() - first_),
        cells_(static_cast<std::size_t>(count_) + 2) {
    std::minstd_rand random(11);
    std::uniform_real_distribution place(0.0, 1.0);
    for (int i = 0; i < row.particles; ++i) {
      const Particle one{i, row.cells * place(random), row.height * place(random),
                         8 * place(random) - 4, 2 * place(random) - 1};
      if (const int cell = cell_of(one); cell >= 1 && cell <= count_) at(cell).push_back(one);
    }
  }
  void step() {
    migrate();
    send_edges();
    for (int cell = 2; cell < count_; ++cell) push(cell);  // while copies are under way
    for (const Particle& copy : neighbours_.receive()) {
      if (left_of_all() == global_cell(copy)) at(0).push_back(copy);
      if (right_of_all() == global_cell(copy)) at(count_ + 1).push_back(copy);
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
    cart_->allreduce(sums, cartwright::comm::Operator::sum);
    return sums;
  }
  [[nodiscard]] long long migrated() const {
    return cart_->allreduce(migrated_, cartwright::comm::Operator::sum);
  }

 private:
  [[nodiscard]] Particles& at(int cell) { return cells_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] int global_cell(const Particle& one) const {
    return std::min(static_cast<int>(one.x), row_.cells - 1);
  }
  /// The cells beside this rank's.
  [[nodiscard]] int left_of_all() const { return (first_ + row_.cells - 1) % row_.cells; }
  [[nodiscard]] int right_of_all() const { return (first_ + count_) % row_.cells; }
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
        const bool goes_left = now == left_of_all();
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
          dx -= row_.cells * std::round(dx / row_.cells);
          dy -= row_.height * std::round(dy / row_.height);
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
        one.vx += row_.time_step * one.fx;
        one.vy += row_.time_step * one.fy;
        one.x = inside(one.x + row_.time_step * one.vx, row_.cells);
        one.y = inside(one.y + row_.time_step * one.vy, row_.height);
      }
  }

  const cartwright::comm::CartComm* cart_;
  Row row_;
  Neighbours neighbours_;
  int first_, count_;
  std::vector<Particles> cells_;  // from 1 to count_: this rank's
  long long migrated_ = 0;
};
