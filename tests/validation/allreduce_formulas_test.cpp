// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <validation/formulas/prior_models.hpp>
#include <vector>

namespace cartwright::validation::formulas {
namespace {

TEST(PriorModels, tree_and_doubling) {
  const LatencyBandwidth model{2.0, 0.5, 0.25};
  EXPECT_DOUBLE_EQ(model.message(4.0), 4.0);
  EXPECT_DOUBLE_EQ(tree_allreduce_time(model, 8, 4.0), 6.0 * 5.0);
  EXPECT_DOUBLE_EQ(tree_allreduce_time(model, 9, 4.0), 8.0 * 5.0);
  EXPECT_DOUBLE_EQ(recursive_doubling_time(model, 8, 4.0), 3.0 * 5.0);
  EXPECT_DOUBLE_EQ(recursive_doubling_time(model, 9, 4.0), 5.0 * 5.0);
  EXPECT_DOUBLE_EQ(recursive_doubling_time(model, 1, 4.0), 0.0);
}

}  // namespace
}  // namespace cartwright::validation::formulas
