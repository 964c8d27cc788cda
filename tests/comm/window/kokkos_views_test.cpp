// SPDX-License-Identifier: Apache-2.0
// Views of Kokkos's in epochs: comm itself doesn't know Kokkos.
#include <gtest/gtest.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cartwright/comm/window.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::comm {
namespace {

template <class Layout>
class KokkosViews : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!Kokkos::is_initialized()) Kokkos::initialize();
  }
};
using Layouts = testing::Types<Kokkos::LayoutLeft, Kokkos::LayoutRight>;
TYPED_TEST_SUITE(KokkosViews, Layouts);

TYPED_TEST(KokkosViews, AreSourcesAndResultsOfEpochs) {
  using View = Kokkos::View<double**, TypeParam, Kokkos::HostSpace>;
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const CartComm cart(world, engine, {.dims = {world.size()}, .periodic = {true}});
  const rt::Rank next = *cart.neighbour(0, +1), previous = *cart.neighbour(0, -1);
  View field("field", 6, 5), back("back", 6, 5);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 5; ++j) field(i, j) = 100 * cart.rank().value + 10 * i + j;
  auto window = Window<double>::allocate(cart, 100);

  // A whole view, a column and a row: one of these two has gaps.
  const auto column = Kokkos::subview(field, Kokkos::ALL, 2);
  const auto row = Kokkos::subview(field, 3, Kokkos::ALL);
  auto fence = window.fence();
  fence.put(next, 0, in_view(field));
  fence.put(next, 40, in_view(column));
  fence.put(next, 50, in_view(row));
  fence.close().wait();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(window.local()[static_cast<std::size_t>(40 + i)], 100 * previous.value + 10 * i + 2);
  for (int j = 0; j < 5; ++j)
    EXPECT_EQ(window.local()[static_cast<std::size_t>(50 + j)], 100 * previous.value + 30 + j);

  fence = window.fence();
  fence.get(next, 0, in_view(back));
  const auto middle = Kokkos::subview(field, Kokkos::make_pair(1, 5), Kokkos::make_pair(1, 4));
  Kokkos::deep_copy(middle, -1.0);
  fence.put(next, 60, in_view(middle));
  fence.close().wait();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 5; ++j) EXPECT_EQ(back(i, j), 100 * cart.rank().value + 10 * i + j);
  for (std::size_t i = 60; i < 73; ++i) EXPECT_EQ(window.local()[i], i < 72 ? -1 : 0);
}

TYPED_TEST(KokkosViews, OfVolumesMayHaveGapsInOneDirection) {
  Kokkos::View<int***, TypeParam, Kokkos::HostSpace> volume("volume", 4, 4, 4);
  const auto all = Kokkos::ALL;
  const auto some = Kokkos::make_pair(1, 3);
  EXPECT_EQ(in_view(volume).strides.block, 64);
  EXPECT_EQ(in_view(Kokkos::subview(volume, all, some, all)).strides.elements(), 32);
  EXPECT_THROW((void)in_view(Kokkos::subview(volume, some, some, some)), rt::Error);
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): it doesn't follow a view's counter
}

}  // namespace
}  // namespace cartwright::comm
