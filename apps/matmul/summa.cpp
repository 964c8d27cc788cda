// SPDX-License-Identifier: Apache-2.0
// SUMMA (van de Geijn and Watts 1997) with look-ahead: the panels of later steps are on their way
// along rows and columns, all at once, while the present ones are multiplied.
#include <algorithm>
#include <map>
#include <utility>

#include "engines.hpp"
#include "local_product.hpp"
#include "panel_memory.hpp"

namespace matmul {

namespace comm = cartwright::comm;

namespace {

/// Indices [begin, end) of the inner dimension, with one owner of A's columns and one of B's rows.
struct Step {
  long long begin, end;
};

std::vector<Step> steps_of(const Matrix& a, const Matrix& b, long long panel) {
  std::vector<Step> steps;
  const long long inner = a.columns().extent();
  for (long long begin = 0; begin < inner;) {
    const long long run = std::min(a.columns().run_end(begin), b.rows().run_end(begin)) - begin;
    const long long parts = (run + panel - 1) / panel;  // of equal width: no slivers
    for (long long i = 0; i < parts; ++i)
      steps.push_back({begin + i * run / parts, begin + (i + 1) * run / parts});
    begin += run;
  }
  return steps;
}

/// One step of each pair of owners in turn: so roots take turns, and no rank's memory is
/// everybody's source for long.
std::vector<Step> interleaved(const Matrix& a, const Matrix& b, const std::vector<Step>& steps) {
  std::map<std::pair<int, int>, std::vector<Step>> of_owners;
  std::size_t most = 0;
  for (const Step& step : steps) {
    auto& group = of_owners[{a.columns().owner(step.begin), b.rows().owner(step.begin)}];
    group.push_back(step);
    most = std::max(most, group.size());
  }
  std::vector<Step> mixed;
  for (std::size_t i = 0; i < most; ++i)
    for (const auto& [owners, group] : of_owners)
      if (i < group.size()) mixed.push_back(group[i]);
  return mixed;
}

class Summa {
 public:
  Summa(const Matrix& a, const Matrix& b, Matrix& c, const Tuning& tuning, Phases& phases)
      : a_(a),
        b_(b),
        c_(c),
        phases_(phases),
        panels_(a.cart()),
        steps_(interleaved(a, b, steps_of(a, b, std::max(1LL, tuning.panel)))),
        slots_(static_cast<std::size_t>(std::max(1, tuning.look_ahead)) + 1) {
    long long widest = 0;
    for (const Step& step : steps_) widest = std::max(widest, step.end - step.begin);
    for (Slot& slot : slots_) {
      if (columns() > 1) slot.a = PanelMemory(static_cast<std::size_t>(a.local_rows() * widest));
      if (rows() > 1) slot.b = PanelMemory(static_cast<std::size_t>(widest * b.local_columns()));
    }
  }

  void run() {
    const std::size_t ahead = slots_.size() - 1;
    for (std::size_t k = 0; k < std::min(ahead, steps_.size()); ++k) start(k);
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      if (k + ahead < steps_.size()) start(k + ahead);
      Slot& slot = slots_[k % slots_.size()];
      {
        const auto timed = phases_.time(Phase::broadcast);
        slot.a_pending.wait();
        slot.b_pending.wait();
      }
      multiply_locally(panels_, phases_,
                       {c_.local_rows(), c_.local_columns(), steps_[k].end - steps_[k].begin},
                       slot.a_tile, slot.b_tile, c_.values().data(), c_.local_columns(), k == 0);
    }
  }

 private:
  struct Slot {
    PanelMemory a, b;
    Tile a_tile{}, b_tile{};
    comm::Pending a_pending, b_pending;  // declared last: gone before the memory they work on
  };

  [[nodiscard]] int columns() const { return a_.cart().dims()[0]; }
  [[nodiscard]] int rows() const { return a_.cart().dims()[1]; }

  void start(std::size_t k) {
    Slot& slot = slots_[k % slots_.size()];
    start_a(steps_[k], slot);
    start_b(steps_[k], slot);
  }

  void start_a(const Step& step, Slot& slot) {
    const int root = a_.columns().owner(step.begin);
    const long long width = step.end - step.begin;
    const long long at = a_.columns().local(step.begin);
    if (columns() == 1) {
      slot.a_tile = {a_.at(0, at), a_.local_columns()};
      return;
    }
    const auto timed = phases_.time(Phase::pack);
    if (root == a_.cart().coordinates()[0])
      for (long long row = 0; row < a_.local_rows(); ++row)
        std::copy_n(a_.at(row, at), width, slot.a.data() + row * width);
    slot.a_tile = {slot.a.data(), width};
    const auto size = static_cast<std::size_t>(a_.local_rows() * width);
    slot.a_pending = panels_.start_broadcast(0, slot.a.first(size), root);
  }

  void start_b(const Step& step, Slot& slot) {
    const int root = b_.rows().owner(step.begin);
    const auto size = static_cast<std::size_t>((step.end - step.begin) * b_.local_columns());
    const bool is_root = root == b_.cart().coordinates()[1];
    const double* own = is_root ? b_.at(b_.rows().local(step.begin), 0) : slot.b.data();
    slot.b_tile = {own, b_.local_columns()};
    if (rows() == 1) return;
    const auto timed = phases_.time(Phase::pack);
    // Whole rows have no gaps; a broadcast only reads its root's memory.
    slot.b_pending = panels_.start_broadcast(1, {const_cast<double*>(own), size}, root);
  }

  const Matrix& a_;
  const Matrix& b_;
  Matrix& c_;
  Phases& phases_;
  Panels panels_;
  std::vector<Step> steps_;
  std::vector<Slot> slots_;
};

}  // namespace

void multiply_summa(const Matrix& a, const Matrix& b, Matrix& c, const Tuning& tuning,
                    Phases& phases) {
  Summa(a, b, c, tuning, phases).run();
}

}  // namespace matmul
