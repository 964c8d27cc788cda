// SPDX-License-Identifier: Apache-2.0
// C = A B of square matrices of doubles: SUMMA against ScaLAPACK's pdgemm on the same process grid,
// each with its best blocking, and against its floor: what the slowest rank needs for its local
// dgemms alone, with all operands in its memory, while all ranks run theirs.
// layouts: 2x1 4x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/trace.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "blacs_grid.hpp"
#include "check.hpp"
#include "common/program.hpp"
#include "common/race.hpp"
#include "engines.hpp"
#include "local_product.hpp"

namespace bench = cartwright::bench;
namespace grid = cartwright::grid;
namespace rt = cartwright::rt;
using cartwright::comm::CartComm;
using matmul::Matrix;

namespace {

/// Operands and product of one contestant.
struct Operands {
  Matrix a, b, c;

  /// Plain, or block-cyclic if `block` isn't 0.
  Operands(const CartComm& cart, long long n, long long block)
      : a(make(cart, n, block)), b(make(cart, n, block)), c(make(cart, n, block)) {
    grid::fill(a, grid::MatrixKind::random, 1);
    grid::fill(b, grid::MatrixKind::random, 2);
  }
  static Matrix make(const CartComm& cart, long long n, long long block) {
    return block == 0 ? Matrix::plain(cart, n, n) : Matrix::cyclic(cart, n, n, block);
  }
};

/// The local dgemms of one rank, by panels of a width.
class Floor {
 public:
  Floor(const CartComm& cart, long long n, long long panel)
      : panels_(cart),
        rows_(grid::AxisDistribution::plain(n, cart.dims()[1]).count(cart.coordinates()[1])),
        columns_(grid::AxisDistribution::plain(n, cart.dims()[0]).count(cart.coordinates()[0])),
        inner_(n),
        panel_(panel),
        a_(static_cast<std::size_t>(rows_ * n)),
        b_(static_cast<std::size_t>(n * columns_)),
        c_(static_cast<std::size_t>(rows_ * columns_)) {
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = grid::random_element(1, i);
    for (std::size_t i = 0; i < b_.size(); ++i) b_[i] = grid::random_element(2, i);
  }
  void run(matmul::Phases& phases) {
    for (long long k = 0; k < inner_; k += panel_)
      matmul::multiply_locally(panels_, phases, {rows_, columns_, std::min(panel_, inner_ - k)},
                               {a_.data() + k * rows_, std::min(panel_, inner_ - k)},
                               {b_.data() + k * columns_, columns_}, c_.data(), columns_, k == 0);
  }

 private:
  matmul::Panels panels_;
  long long rows_, columns_, inner_, panel_;
  std::vector<double> a_, b_, c_;  // A panel after panel
};

/// What took the least time, and how long.
template <class Choice>
struct Best {
  Choice choice{};
  double seconds = std::numeric_limits<double>::max();
  void offer(const Choice& offered, double time) {
    if (time < seconds) {
      choice = offered;
      seconds = time;
    }
  }
};

/// Everything for one extent.
class Contest {
 public:
  Contest(const bench::Setting& setting, long long n) : setting_(setting), n_(n), phases_(trace_) {
    engine_.set_oversubscribed(true);
    matmul::set_blas_threads(1);
  }

  void run(bench::Results& results) {
    choose_pdgemm();
    choose_ours();
    require_right_products();
    Operands ours(*cart_, n_, 0), theirs(*cart_, n_, block_.choice);
    Floor floor(*cart_, n_, floor_.choice);
    const matmul::BlacsGrid blacs(*cart_);
    const bench::Effort effort{.seconds = setting_.options.quick ? 6.0 : 60.0,
                               .fewest_rounds = setting_.options.quick ? 2 : 9,
                               .most_rounds = 41,
                               .patience = 2.0};
    const auto times = bench::race(setting_.world,
                                   {[&] { summa(ours, summa_.choice); },
                                    [&] { pdgemm(blacs, theirs); }, [&] { floor.run(phases_); }},
                                   effort);
    add_cases(times, results);
  }

 private:
  [[nodiscard]] std::vector<std::vector<int>> process_grids() const {
    const int ranks = setting_.world.size();
    std::vector<std::vector<int>> grids;
    for (int columns = 1; columns <= ranks; ++columns)
      if (ranks % columns == 0) grids.push_back({columns, ranks / columns});
    return grids;
  }
  [[nodiscard]] std::unique_ptr<CartComm> make_cart(const std::vector<int>& dims) {
    cartwright::comm::CartOptions options;
    options.dims = dims;
    return std::make_unique<CartComm>(setting_.world, engine_, options);
  }

  /// The slowest rank's time: the shorter one of two.
  double time(const std::function<void()>& work) {
    bench::Race race(setting_.world, 1);
    for (int i = 0; i < (setting_.options.quick ? 1 : 2); ++i) race.turn(0, work);
    const auto samples = race.finish();
    return *std::min_element(samples.front().begin(), samples.front().end());
  }

  void summa(Operands& operands, const matmul::Tuning& tuning) {
    matmul::multiply(matmul::Algorithm::summa, operands.a, operands.b, operands.c, tuning, phases_);
  }
  void pdgemm(const matmul::BlacsGrid& blacs, Operands& operands) {
    matmul::multiply_pdgemm(blacs, operands.a, operands.b, operands.c, phases_);
  }

  /// The process grid and the block size that are best for pdgemm.
  void choose_pdgemm() {
    const std::vector<long long> blocks = setting_.options.quick
                                              ? std::vector<long long>{64, 192}
                                              : std::vector<long long>{32, 64, 128, 192, 384};
    for (const auto& dims : process_grids()) {
      auto cart = make_cart(dims);
      const matmul::BlacsGrid blacs(*cart);
      Best<long long> best;
      for (const long long block : blocks) {
        Operands operands(*cart, n_, block);
        best.offer(block, time([&] { pdgemm(blacs, operands); }));
      }
      if (best.seconds >= block_.seconds) continue;
      block_ = best;
      cart_ = std::move(cart);
    }
  }

  /// The panels that are best for SUMMA, and those that are best for the floor, there.
  void choose_ours() {
    const std::vector<long long> widths = setting_.options.quick
                                              ? std::vector<long long>{384}
                                              : std::vector<long long>{192, 256, 384, 512, 768};
    Operands operands(*cart_, n_, 0);
    for (const long long panel : widths)
      for (const int ahead : {1, 4}) {
        const matmul::Tuning tuning{.panel = panel, .look_ahead = ahead};
        summa_.offer(tuning, time([&] { summa(operands, tuning); }));
      }
    for (const long long panel : widths) {
      Floor floor(*cart_, n_, panel);
      floor_.offer(panel, time([&] { floor.run(phases_); }));
    }
    Floor whole(*cart_, n_, n_);
    floor_.offer(n_, time([&] { whole.run(phases_); }));
  }

  void require_right_products() {
    Operands ours(*cart_, n_, 0), theirs(*cart_, n_, block_.choice);
    summa(ours, summa_.choice);
    pdgemm(matmul::BlacsGrid(*cart_), theirs);
    for (const Operands* product : {&ours, &theirs})
      if (!(matmul::freivalds_residual(product->a, product->b, product->c) < 1.0))
        throw rt::internal_failure("a product is wrong", {}, rt::Reach::all_ranks);
  }

  void add_cases(const std::vector<bench::Race::Samples>& times, bench::Results& results) {
    const auto dims = cart_->dims();
    const std::string layout = setting_.layout;
    const nlohmann::ordered_json parameters{{"extent", n_},
                                            {"ranks", cart_->size()},
                                            {"process_grid", {dims[0], dims[1]}},
                                            {"panel", summa_.choice.panel},
                                            {"look_ahead", summa_.choice.look_ahead},
                                            {"pdgemm_block", block_.choice},
                                            {"floor_panel", floor_.choice}};
    const std::string what = fmt::format("{}^2, {} ranks", n_, cart_->size());
    auto against_pdgemm = bench::Case::of_times(what + ", pdgemm", parameters, times[0], times[1]);
    auto against_floor =
        bench::Case::of_times(what + ", local dgemms alone", parameters, times[0], times[2]);
    const double operations = 2.0 * std::pow(static_cast<double>(n_), 3);
    results.note(fmt::format(
        "{}: process grid {} x {} (columns x rows), panels of {}, {} ahead; pdgemm's blocks {}; "
        "floor by panels of {}.\n"
        "  SUMMA {:.1f}, pdgemm {:.1f}, local dgemms {:.1f} Gflop/s. Asked: at most 0.85 of "
        "pdgemm, "
        "at most 1.10 of the local dgemms.",
        what, dims[0], dims[1], summa_.choice.panel, summa_.choice.look_ahead, block_.choice,
        floor_.choice, operations / against_pdgemm.ours.median / 1e9,
        operations / against_pdgemm.peer.median / 1e9,
        operations / against_floor.peer.median / 1e9));
    results.add(std::move(against_pdgemm));
    results.add(std::move(against_floor));
  }

  const bench::Setting& setting_;
  long long n_;
  rt::ProgressEngine engine_;
  rt::Trace trace_;
  matmul::Phases phases_;
  std::unique_ptr<CartComm> cart_;
  Best<long long> block_, floor_;
  Best<matmul::Tuning> summa_;
};

void measure(const bench::Setting& setting, bench::Results& results) {
  const std::vector<long long> extents =
      setting.options.quick ? std::vector<long long>{2048} : std::vector<long long>{3072, 4096};
  for (const long long n : extents) Contest(setting, n).run(results);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "matmul", measure);
}
