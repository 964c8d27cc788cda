// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <panel_lu.hpp>
#include <random>

#include "../peer/mpi_window.hpp"
#include "applications.hpp"
#include "contest.hpp"
#include "ways.hpp"

namespace cartwright::bench {

namespace {

/// As PanelEpochs that are closed by waiting, by the MPI library's windows.
class MpiPanels {
 public:
  static constexpr int count = 2;
  static constexpr std::size_t own_count = 3;

  MpiPanels(const rt::Communicator& world, const ColumnMatrix& a)
      : window_(world, count * slot_bytes(a)),
        ranks_(a.ranks),
        me_(a.me),
        slot_bytes_(slot_bytes(a)),
        own_(own_count * slot_bytes_ / sizeof(double)) {
    for (int rank = 0; rank < ranks_; ++rank)
      if (rank != me_) others_.push_back(rank);
  }
  [[nodiscard]] int slots() const { return count; }
  [[nodiscard]] double* place(int number) {
    return number % ranks_ == me_ ? own_.data() + static_cast<std::size_t>(number / ranks_) %
                                                      own_count * slot_bytes_ / sizeof(double)
                                  : reinterpret_cast<double*>(window_.memory() + at(number));
  }
  [[nodiscard]] int ahead() const { return 1; }
  [[nodiscard]] bool has_come(int /*number*/) const { return false; }
  void expect(int number) { window_.post({number % ranks_}); }
  void receive(int /*number*/) { window_.wait(); }
  void prepare(int /*number*/) {}
  void send(int number, const Panel& panel) {
    window_.start(others_);
    for (const int rank : others_)
      window_.put(rank, panel.values, panel.doubles() * sizeof(double), at(number));
    window_.complete();
  }

 private:
  static std::size_t slot_bytes(const ColumnMatrix& a) {
    return static_cast<std::size_t>(a.block) * static_cast<std::size_t>(a.extent + 1) *
           sizeof(double);
  }
  [[nodiscard]] std::size_t at(int number) const {
    return static_cast<std::size_t>(number % count) * slot_bytes_;
  }

  MpiWindow window_;
  std::vector<int> others_;
  int ranks_, me_;
  std::size_t slot_bytes_;
  std::vector<double> own_;
};

ColumnMatrix random_matrix(const rt::Communicator& world, int extent, int block) {
  ColumnMatrix a(extent, block, world.size(), world.rank().value);
  fill_randomly(a);
  return a;
}

/// All contestants on one matrix.
class LuRace {
 public:
  static constexpr int slots_ahead = 8;

  LuRace(const comm::CartComm& cart, int extent, int block)
      : cart_(&cart),
        given_(random_matrix(cart.communicator(), extent, block)),
        a_(given_),
        ahead_(cart, given_, slots_ahead, false),
        waiting_(cart, given_, 2, true),
        peer_(cart.communicator(), given_),
        disturbance_(cart.rank().value) {}

  void ahead() { run(ahead_); }
  void waiting() { run(waiting_); }
  void peer() { run(peer_); }
  [[nodiscard]] int steps() const { return given_.panels(); }
  [[nodiscard]] Disturbance& disturbance() { return disturbance_; }
  /// Whether all contestants have made the same bits.
  [[nodiscard]] bool is_right() const { return is_right_; }

 private:
  template <class Panels>
  void run(Panels& panels) {
    a_.values = given_.values;
    (void)Factorisation(a_, panels).run([this](int step, int panel) { disturb(step, panel); });
    if (expected_.empty()) expected_ = a_.values;
    is_right_ = is_right_ && expected_ == a_.values;
    cart_->start_barrier().wait();  // serves others until then
  }

  /// In each step, before one of the updates, chosen at random; whatever the order of updates.
  void disturb(int step, int panel) const {
    if (!disturbance_.is_on()) return;
    std::mt19937 random = disturbance_.random_of(step);
    const int first = given_.me + (step - given_.me + given_.ranks) / given_.ranks * given_.ranks;
    const int updates = (given_.panels() - first + given_.ranks - 1) / given_.ranks;
    const int chosen = std::uniform_int_distribution(0, updates - 1)(random);
    if (panel == first + chosen * given_.ranks) disturbance_.sleep(random);
  }

  const comm::CartComm* cart_;
  ColumnMatrix given_, a_;
  PanelEpochs ahead_, waiting_;
  MpiPanels peer_;
  Disturbance disturbance_;
  std::vector<double> expected_;
  bool is_right_ = true;
};

void measure_way(const comm::CartComm& cart, bool by_messages, const Setting& setting,
                 Results& results) {
  const int extent = setting.options.quick ? 512 : 1024, block = 16;
  LuRace lu(cart, extent, block);
  race_disturbed({.what = fmt::format("LU {0} x {0}", extent),
                  .peer = "MPI's",
                  .way = name_of_way(by_messages),
                  .parameters = {{"extent", extent}, {"block", block}},
                  .contestants = {[&] { lu.ahead(); }, [&] { lu.waiting(); }, [&] { lu.peer(); }}},
                 lu.disturbance(), {0.0, 0.5, 1.0, 2.0}, lu.steps(),
                 {.seconds = setting.options.quick ? 3.0 : 15.0, .fewest_rounds = 5}, setting,
                 results);
  if (cart.allreduce(lu.is_right() ? 1 : 0, comm::Operator::minimum) == 0)
    throw rt::numerical_failure("factors differ", {}, rt::Reach::all_ranks);
}

}  // namespace

void measure_lu(const rt::Communicator& world, const Setting& setting, Results& results) {
  by_both_ways(world, [&](const comm::CartComm& cart, bool by_messages) {
    measure_way(cart, by_messages, setting, results);
  });
}

}  // namespace cartwright::bench
