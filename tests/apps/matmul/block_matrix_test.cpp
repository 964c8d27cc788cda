// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/field/block_matrix.hpp>
#include <cartwright/grid/field/block_matrix_copy.hpp>
#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <cartwright/grid/output/block_matrix_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "reference.hpp"

namespace matmul_test {
namespace {

using cw::grid::AxisDistribution;
using cw::grid::MatrixKind;
using matmul::Matrix;

int ranks() {
  return cw::rt::Communicator::duplicate(MPI_COMM_WORLD).size();
}

void check_distribution(const AxisDistribution& axis) {
  std::vector<long long> seen(static_cast<std::size_t>(axis.parts()), 0);
  for (long long index = 0; index < axis.extent(); ++index) {
    const int owner = axis.owner(index);
    ASSERT_LT(owner, axis.parts());
    long long& next = seen[static_cast<std::size_t>(owner)];
    ASSERT_EQ(axis.local(index), next);  // local places rise with the index
    ASSERT_EQ(axis.global(owner, next), index);
    ++next;
    const long long end = axis.run_end(index);
    ASSERT_GT(end, index);
    for (long long i = index; i < end; ++i) {
      ASSERT_EQ(axis.owner(i), owner);
      ASSERT_EQ(axis.local(i), axis.local(index) + i - index);
    }
  }
  for (int part = 0; part < axis.parts(); ++part)
    ASSERT_EQ(axis.count(part), seen[static_cast<std::size_t>(part)]);
}

TEST(AxisDistribution, EveryIndexHasOneOwner) {
  for (const long long extent : {1, 2, 3, 7, 12, 31, 100})
    for (const int parts : {1, 2, 3, 5, 8, 40}) {
      check_distribution(AxisDistribution::plain(extent, parts));
      for (const long long block : {1, 2, 3, 8, 200})
        check_distribution(AxisDistribution::cyclic(extent, parts, block));
    }
}

TEST(AxisDistribution, PlainPartsDifferByOneAtMost) {
  for (const long long extent : {1, 5, 12, 97})
    for (const int parts : {1, 2, 7, 30}) {
      const AxisDistribution axis = AxisDistribution::plain(extent, parts);
      for (int part = 0; part < parts; ++part) {
        EXPECT_GE(axis.count(part), extent / parts);
        EXPECT_LE(axis.count(part), (extent + parts - 1) / parts);
      }
    }
}

TEST(AxisDistribution, RefusesWhatIsNone) {
  EXPECT_THROW((void)AxisDistribution::plain(0, 2), cw::rt::Error);
  EXPECT_THROW((void)AxisDistribution::plain(5, 0), cw::rt::Error);
  EXPECT_THROW((void)AxisDistribution::cyclic(5, 2, 0), cw::rt::Error);
  EXPECT_THROW((void)AxisDistribution::plain(1LL << 62, 4), cw::rt::Error);
}

TEST(BlockMatrix, RefusesAnotherProcessGrid) {
  const Grid grid({ranks(), 1});
  EXPECT_THROW(
      Matrix(*grid, AxisDistribution::plain(4, ranks() + 1), AxisDistribution::plain(4, ranks())),
      cw::rt::Error);
}

TEST(BlockMatrix, ElementsDoNotDependOnTheProcessGrid) {
  for (const auto& dims : process_grids(ranks())) {
    const Grid grid(dims);
    for (const auto& [name, kind] : cw::grid::matrix_kinds())
      for (const long long block : {0, 3}) {
        Matrix matrix = make(*grid, 11, 6, block);
        cw::grid::fill(matrix, kind, 9);
        double sum = 0.0;
        for (const double value : matrix.values()) sum += std::abs(value);
        double expected = 0.0;
        for (long long i = 0; i < 11; ++i)
          for (long long j = 0; j < 6; ++j)
            expected += std::abs(cw::grid::matrix_element(kind, 9, 6, i, j));
        EXPECT_NEAR((*grid).allreduce(sum, cw::comm::Operator::sum), expected, 1.0e-10) << name;
      }
  }
}

TEST(BlockMatrix, RandomElementsAreEven) {
  double sum = 0.0, squares = 0.0, least = 1.0, most = -1.0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double value = cw::grid::random_element(5, static_cast<std::uint64_t>(i));
    sum += value;
    squares += value * value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  EXPECT_NEAR(sum / count, 0.0, 0.01);
  EXPECT_NEAR(squares / count, 1.0 / 3.0, 0.01);
  EXPECT_GE(least, -1.0);
  EXPECT_LT(most, 1.0);
  EXPECT_NE(cw::grid::random_element(1, 0), cw::grid::random_element(2, 0));
}

bool is_filled(const Matrix& matrix, int seed) {
  for (long long i = 0; i < matrix.local_rows(); ++i)
    for (long long j = 0; j < matrix.local_columns(); ++j)
      if (*matrix.at(i, j) != element(seed, matrix.global_row(i), matrix.global_column(j)))
        return false;
  return true;
}

TEST(BlockMatrix, IsRedistributed) {
  for (const auto& dims : process_grids(ranks())) {
    const Grid grid(dims);
    for (const long long from : {0, 1, 4})
      for (const long long to : {0, 2, 5, 100}) {
        Matrix source = make(*grid, 23, 14, from), target = make(*grid, 23, 14, to);
        fill(source, 1);
        cw::grid::redistribute(source, target);
        EXPECT_TRUE(is_filled(target, 1)) << "blocks " << from << " to " << to;
      }
  }
}

TEST(BlockMatrix, GoesThroughFiles) {
  const Grid any({1, ranks()});
  for (const auto& dims : process_grids(ranks())) {
    const Grid grid(dims);
    const std::string file = "block_matrix_" + std::to_string(ranks()) + ".h5";
    for (const long long block : {0, 3}) {
      Matrix written = make(*grid, 19, 7, block);
      fill(written, 4);
      cw::grid::write_matrix(written, file, "m", {});
      for (const long long other : {0, 2}) {
        Matrix read = make(*grid, 19, 7, other);
        cw::grid::read_matrix(read, file, "m");
        EXPECT_TRUE(is_filled(read, 4));
      }
      Matrix wrong = make(*grid, 7, 19, block);
      EXPECT_THROW(cw::grid::read_matrix(wrong, file, "m"), cw::rt::Error);
      EXPECT_THROW(cw::grid::read_matrix(written, file, "n"), cw::rt::Error);
      EXPECT_THROW(cw::grid::read_matrix(written, file + ".none", "m"), cw::rt::Error);
    }
    (*grid).communicator().barrier();
    if ((*grid).is_root()) std::filesystem::remove(file);
    (*grid).communicator().barrier();
  }
}

}  // namespace
}  // namespace matmul_test
