// SPDX-License-Identifier: Apache-2.0
// How many communicators there are: MPI's functions that make them are counted here.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <vector>

namespace {

int alive = 0;

int counted(int code, const MPI_Comm* made) {
  if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) ++alive;
  return code;
}

}  // namespace

extern "C" {
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  return counted(PMPI_Comm_dup(comm, made), made);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  return counted(PMPI_Comm_split(comm, color, key, made), made);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  return counted(PMPI_Comm_split_type(comm, type, key, info, made), made);
}
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  return counted(PMPI_Comm_create(comm, group, made), made);
}
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  return counted(PMPI_Comm_create_group(comm, group, tag, made), made);
}
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int dims[], const int periods[],
                    int reorder, MPI_Comm* made) {
  return counted(PMPI_Cart_create(comm, dimensions, dims, periods, reorder, made), made);
}
int MPI_Cart_sub(MPI_Comm comm, const int keep[], MPI_Comm* made) {
  return counted(PMPI_Cart_sub(comm, keep, made), made);
}
int MPI_Comm_free(MPI_Comm* comm) {
  --alive;
  return PMPI_Comm_free(comm);
}
}

namespace cartwright::comm {
namespace {

TEST(Communicators, OfACartCommAreFew) {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const auto dims = mapping::choose_process_grid({.ranks = world.size(), .extents = {64, 64, 64}});
  for (const char* backend : {"auto", "p2p", "shared", "rma"}) {
    const int before = alive;
    {
      const CartComm cart(world, engine,
                          {.dims = dims, .settings = {.backend = known_backend(backend)}});
      EXPECT_LE(alive - before, 4) << backend;
      const int made = alive;
      // No collective makes one, blocking or not.
      std::vector<int> numbers(9, 1);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(cart.along(axis).allreduce(1, Operator::sum),
                  cart.dims()[static_cast<std::size_t>(axis)]);
        cart.along(axis).start_allreduce(numbers, Operator::sum).wait();
      }
      cart.barrier();
      EXPECT_EQ(alive, made) << backend;
      // Whose handle is asked for, is made.
      for (int axis = 0; axis < 3; ++axis) {
        int size = 0;
        MPI_Comm_size(cart.axis(axis).handle(), &size);
        EXPECT_EQ(size, cart.dims()[static_cast<std::size_t>(axis)]);
        EXPECT_EQ(cart.along(axis).by(BackendId::native).allreduce(1, Operator::sum), size);
      }
      EXPECT_EQ(alive, made + 3) << backend;
    }
    EXPECT_EQ(alive, before) << backend;
  }
}

}  // namespace
}  // namespace cartwright::comm
