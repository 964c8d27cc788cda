// SPDX-License-Identifier: Apache-2.0
// Epochs and collectives on views where kernels run: on a device, if Kokkos was built for one.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/window.hpp>
#include <cartwright/grid/kernels/device_copies.hpp>
#include <cartwright/grid/kernels/execution.hpp>

namespace cartwright::grid {
namespace {

using View = Kokkos::View<double*, Memory>;

constexpr int count = 3000;  // as one message; the tens as records

View make_ramp(double first) {
  View view("ramp", count);
  Kokkos::parallel_for(
      "ramp", Kokkos::RangePolicy<Execution>(0, count),
      KOKKOS_LAMBDA(const int i) { view(i) = first + i; });
  return view;
}

/// How many elements differ from `first + i` or, from `from` to before `to`, from `other + i`.
int wrong_elements(const View& view, double first, int from, int to, double other) {
  int wrong = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Execution>(0, count),
      KOKKOS_LAMBDA(const int i, int& sum) {
        sum += view(i) == (i >= from && i < to ? other : first) + i ? 0 : 1;
      },
      wrong);
  return wrong;
}

auto there(const View& view) {
  return comm::on_device(comm::in_view(view), device_copies);
}

TEST(ViewsInEpochs, AreWindowsAndOperands) {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}, .periodic = {true}});
  const int me = cart.rank().value;
  const rt::Rank next = *cart.neighbour(0, +1), previous = *cart.neighbour(0, -1);
  const View memory = make_ramp(0), mine = make_ramp(1e6 * (me + 1)), back("back", count);
  comm::Window<double> window(cart, there(memory));

  const auto some = Kokkos::subview(mine, Kokkos::make_pair(10, 40));
  auto exposure = window.post({previous});
  auto access = window.start({next});
  access.put(next, 10, comm::on_device(comm::in_view(some), device_copies));
  auto sent = access.complete();
  auto come = exposure.wait();
  comm::wait_all(sent, come);
  EXPECT_EQ(wrong_elements(memory, 0, 10, 40, 1e6 * (previous.value + 1)), 0);

  auto fence = window.fence();
  fence.get(next, 0, there(back));
  fence.close().wait();
  EXPECT_EQ(wrong_elements(back, 0, 10, 40, 1e6 * (me + 1)), 0);

  fence = window.fence();
  fence.put(next, 0, there(mine));
  fence.close().wait();
  EXPECT_EQ(wrong_elements(memory, 1e6 * (previous.value + 1), 0, 0, 0), 0);

  auto lock = window.lock(rt::Rank{0});
  lock.accumulate(0, there(make_ramp(1)), comm::Operator::maximum);
  lock.unlock().wait();
  cart.start_barrier().wait();
}

TEST(ViewsInEpochs, AreReducedByCollectives) {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}});
  const View mine = make_ramp(100 * cart.rank().value), most("most", count);
  cart.all().allreduce(there(mine), there(most), comm::Operator::maximum);
  EXPECT_EQ(wrong_elements(most, 100 * (cart.size() - 1), 0, 0, 0), 0);
}

}  // namespace
}  // namespace cartwright::grid
