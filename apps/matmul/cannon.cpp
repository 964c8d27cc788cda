// SPDX-License-Identifier: Apache-2.0
// Cannon's algorithm (1969) on process grids that need not be square: the rank at row r and column
// c begins with inner block c La + r Lb (La and Lb blocks make up a group of A's and of B's) and
// goes on to the next one in every step. So the ranks of a row work with different groups of A at
// any time and change to the next group together: A rolls to the left, and B likewise upwards. On a
// square grid this is Cannon's skew of r + c. Needs lcm(rows, columns) inner blocks, which are thin
// on grids such as 7 x 8.
#include "inner_blocks.hpp"

namespace matmul {

void multiply_cannon(const Matrix& a, const Matrix& b, Matrix& c, const Tuning& tuning,
                     Phases& phases) {
  const Panels panels(a.cart());
  const InnerBlocks blocks(a);
  const int column = a.cart().coordinates()[0];
  const int row = a.cart().coordinates()[1];
  const long long m = c.local_rows(), n = c.local_columns();
  const auto size_a = [&](const InnerStep& step) {
    return static_cast<std::size_t>(m * blocks.width_a(step.group_a));
  };
  const auto size_b = [&](const InnerStep& step) {
    return static_cast<std::size_t>(n * blocks.width_b(step.group_b));
  };
  Roll roll_a(panels, phases, 0, a.values(), static_cast<std::size_t>(m * blocks.widest_a()),
              tuning.segment);
  Roll roll_b(panels, phases, 1, b.values(), static_cast<std::size_t>(n * blocks.widest_b()),
              tuning.segment);
  const auto steps =
      steps_from(blocks, (column * blocks.per_a + row * blocks.per_b) % blocks.count);

  // The skew: each rank fetches the group that it begins with.
  const auto ahead = [](long long group, int own, int ring) {
    return static_cast<int>((group - own + ring) % ring);
  };
  roll_a.start(ahead(steps[0].group_a, column, blocks.columns), size_a(steps[0]));
  roll_b.start(ahead(steps[0].group_b, row, blocks.rows), size_b(steps[0]));
  roll_a.finish();
  roll_b.finish();

  // The group after the present one is fetched while this one is multiplied.
  const auto next_group = [&](std::size_t k, auto group) {
    while (k + 1 < steps.size() && group(steps[k + 1]) == group(steps[k])) ++k;
    return k + 1;
  };
  const auto group_a = [](const InnerStep& step) { return step.group_a; };
  const auto group_b = [](const InnerStep& step) { return step.group_b; };
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const InnerStep& step = steps[k];
    const bool new_a = k == 0 || steps[k - 1].group_a != step.group_a;
    const bool new_b = k == 0 || steps[k - 1].group_b != step.group_b;
    if (k > 0 && new_a) roll_a.finish();
    if (k > 0 && new_b) roll_b.finish();
    if (const std::size_t next = next_group(k, group_a); new_a && next < steps.size())
      roll_a.start(1, size_a(steps[next]));
    if (const std::size_t next = next_group(k, group_b); new_b && next < steps.size())
      roll_b.start(1, size_b(steps[next]));
    const long long in_a = step.begin - blocks.group_begin_a(step.group_a);
    const long long in_b = step.begin - blocks.group_begin_b(step.group_b);
    multiply_locally(panels, phases, {m, n, step.end - step.begin},
                     {roll_a.current() + in_a, blocks.width_a(step.group_a)},
                     {roll_b.current() + in_b * n, n}, c.values().data(), n, k == 0);
  }
}

}  // namespace matmul
