// SPDX-License-Identifier: Apache-2.0
// The dot product of 64³ doubles, with the same bits on any number of ranks and threads, against a
// plain loop and against OpenBLAS' ddot: of arrays (a binned sum alone), of fields
// (cartwright::dot, with its collective), and as a kernel with cartwright::Sum. layouts: 1x1
#include <cblas.h>
#include <fmt/format.h>

#include <array>
#include <cartwright/cartwright.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "common/deck_run.hpp"
#include "common/opponents.hpp"
#include "common/program.hpp"
#include "common/race.hpp"

namespace cw = cartwright;
namespace bench = cartwright::bench;

namespace {

constexpr int cells = 64;

/// Keeps the compiler from dropping the work whose result this is.
void use(double result) {
  asm volatile("" : : "x"(result) : "memory");
}

/// As users write and compile it.
[[gnu::noinline]] double plain_loop(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void race_dots(cw::Run& run, const bench::Setting& setting, bench::Results& results) {
  cw::Grid<3> grid(run);
  cw::Field<double, 3> u(grid, "u");
  auto v = u.like();
  u.set_from([](const std::array<double, 3>& x, int) { return std::sin(9 * x[0] + 7 * x[1]); });
  v.set_from([](const std::array<double, 3>& x, int) { return std::cos(5 * x[1] + 3 * x[2]); });
  const std::vector<double> a = bench::owned_values(u);
  const std::vector<double> b = bench::owned_values(v);
  const auto left = u.view();
  const auto right = v.view();
  openblas_set_num_threads(1);

  const auto arrays = [&] {
    cw::comm::BinnedSum sum;
    sum.add_products(a, b);
    use(sum.value());
  };
  const auto fields = [&] { use(cw::dot(u, v)); };
  const auto kernel = [&] {
    double total = 0.0;
    cw::reduce(
        u, KOKKOS_LAMBDA(cw::Index<3> i, double& sum) { sum += left(i) * right(i); },
        cw::Sum(total));
    use(total);
  };
  const auto plain = [&] { use(plain_loop(a, b)); };
  const auto ddot = [&] { use(cblas_ddot(static_cast<int>(a.size()), a.data(), 1, b.data(), 1)); };
  const bench::Effort effort{.seconds = setting.options.quick ? 4.0 : 15.0};
  const auto times = bench::race(setting.world, {arrays, fields, kernel, plain, ddot}, effort);
  const nlohmann::ordered_json parameters{{"elements", {cells, cells, cells}},
                                          {"ranks", setting.world.size()},
                                          {"layout", setting.layout}};
  const std::array<std::string, 3> ours{"arrays", "fields", "kernel"};
  for (std::size_t i = 0; i < ours.size(); ++i) {
    results.add(bench::Case::of_times(ours[i] + " / plain loop", parameters, times[i], times[3]));
    results.add(bench::Case::of_times(ours[i] + " / ddot", parameters, times[i], times[4]));
  }
  cw::comm::BinnedSum sum;
  sum.add_products(a, b);
  results.note(
      fmt::format("The sum: ours {:.17g}, a plain loop's {:.17g}.", sum.value(), plain_loop(a, b)));
}

void measure(const bench::Setting& setting, bench::Results& results) {
  cartwright::grid::SolverEntry entry;
  entry.bind = [](cartwright::rt::SectionNode&) {};
  entry.name = "dot";
  entry.about = "dot products";
  entry.functions[2] = [&](cw::Run& run) { race_dots(run, setting, results); };
  bench::run_deck(entry, fmt::format("grid: {{extent: [{0}, {0}, {0}], length: [1.0, 1.0, 1.0]}}\n"
                                     "time: {{steps: 1, step: 1.0}}\n",
                                     cells));
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark(argc, argv, "dot", measure);
}
