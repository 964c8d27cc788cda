// SPDX-License-Identifier: Apache-2.0
// Fox's algorithm as Karlsson 2012 (Algorithm 6.13) runs it: a block of A is broadcast along each
// row of ranks, from the next column in every step, and B rolls upwards. What is printed there
// rolls B before each product with a blocking send and receive, which can deadlock, and needs a
// square process grid; here the roll and the next broadcast are under way while blocks are
// multiplied, and the rolls start after the first product (one less). On process grids that aren't
// square the row r begins with inner block r Lb and goes on to the next one in every step.
#include "inner_blocks.hpp"

namespace matmul {

namespace comm = cartwright::comm;

namespace {

/// Broadcasts of A's blocks: one is worked with while the next one is under way.
class RowBroadcasts {
 public:
  RowBroadcasts(const Matrix& a, const InnerBlocks& blocks, const Panels& panels, Phases& phases)
      : a_(a), blocks_(blocks), panels_(panels), phases_(phases) {}

  void start(std::size_t slot, const InnerStep& step) {
    Buffer& buffer = buffers_[slot];
    const long long width = step.end - step.begin;
    const long long in_group = step.begin - blocks_.group_begin_a(step.group_a);
    const bool is_root = step.group_a == a_.cart().coordinates()[0];
    if (blocks_.columns == 1) {
      buffer.tile = {a_.at(0, in_group), a_.local_columns()};
      return;
    }
    const auto timed = phases_.time(Phase::pack);
    const auto size = static_cast<std::size_t>(a_.local_rows() * width);
    if (buffer.memory.size() < size) buffer.memory = PanelMemory(size);
    if (is_root)
      for (long long row = 0; row < a_.local_rows(); ++row)
        std::copy_n(a_.at(row, in_group), width, buffer.memory.data() + row * width);
    buffer.tile = {buffer.memory.data(), width};
    buffer.pending =
        panels_.start_broadcast(0, buffer.memory.first(size), static_cast<int>(step.group_a));
  }
  Tile finish(std::size_t slot) {
    const auto timed = phases_.time(Phase::broadcast);
    buffers_[slot].pending.wait();
    return buffers_[slot].tile;
  }

 private:
  struct Buffer {
    PanelMemory memory;
    Tile tile{};
    comm::Pending pending;  // declared last: gone before the memory it works on
  };
  const Matrix& a_;
  const InnerBlocks& blocks_;
  const Panels& panels_;
  Phases& phases_;
  std::array<Buffer, 2> buffers_;
};

}  // namespace

void multiply_fox(const Matrix& a, const Matrix& b, Matrix& c, const Tuning& tuning,
                  Phases& phases) {
  const Panels panels(a.cart());
  const InnerBlocks blocks(a);
  const long long m = c.local_rows(), n = c.local_columns();
  const auto steps = steps_from(blocks, a.cart().coordinates()[1] * blocks.per_b);
  RowBroadcasts broadcasts(a, blocks, panels, phases);
  Roll roll(panels, phases, 1, b.values(), static_cast<std::size_t>(n * blocks.widest_b()),
            tuning.segment);
  broadcasts.start(0, steps[0]);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const InnerStep& step = steps[k];
    const bool is_new_group = k == 0 || steps[k - 1].group_b != step.group_b;
    if (k > 0 && is_new_group) roll.finish();
    const long long next = (step.group_b + 1) % blocks.rows;
    const bool is_last_group = next == a.cart().coordinates()[1];
    if (is_new_group && !is_last_group)
      roll.start(1, static_cast<std::size_t>(n * blocks.width_b(next)));
    if (k + 1 < steps.size()) broadcasts.start((k + 1) % 2, steps[k + 1]);
    const Tile block_of_a = broadcasts.finish(k % 2);
    const long long in_b = step.begin - blocks.group_begin_b(step.group_b);
    multiply_locally(panels, phases, {m, n, step.end - step.begin}, block_of_a,
                     {roll.current() + in_b * n, n}, c.values().data(), n, k == 0);
  }
}

}  // namespace matmul
