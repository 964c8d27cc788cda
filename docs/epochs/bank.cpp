// SPDX-License-Identifier: Apache-2.0
// A plain MPI program whose ranks reach into each other's memory, and wait once, at the end.
#include <mpi.h>

#include <cartwright/comm/window.hpp>
#include <cstdio>
#include <vector>

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

static void talk() {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}, .periodic = {true}});
  const int me = cart.rank().value;
  const rt::Rank left = *cart.neighbour(0, -1), right = *cart.neighbour(0, +1);

  // Ghosts: open, fill, close. None of these calls waits, whoever is late.
  auto ghosts = comm::Window<double>::allocate(cart, 4);
  const std::vector<double> edge{1.0 * me, 2.0 * me};
  auto exposure = ghosts.post({left});  // left may write here
  auto access = ghosts.start({right});  // I write there
  access.put(right, 2, edge);
  comm::EpochRequest sent = access.complete();
  comm::EpochRequest come = exposure.wait();

  // Meanwhile: accounts, of which everybody changes any, one alone at a time.
  auto accounts = comm::Window<std::int64_t>::allocate(cart, 2);
  const std::vector<std::int64_t> paid{10, 1};  // an amount; a booking
  std::vector<comm::EpochRequest> bookings;
  for (int i = 0; i < 100; ++i) {
    auto lock = accounts.lock(rt::Rank{(me + i) % cart.size()});
    lock.accumulate(0, paid, comm::Operator::sum);
    bookings.push_back(lock.unlock());
  }

  // A ticket for each rank; whoever wants a number now waits for the flush.
  auto tickets = comm::Window<int>::allocate(cart, me == 0 ? 1 : 0);
  int mine = -1;
  auto all = tickets.lock_all();
  all.fetch_and_op(rt::Rank{0}, 0, 1, mine, comm::Operator::sum);
  comm::EpochRequest done = all.unlock();

  std::vector<int> sum{1};
  auto ranks = cart.start_allreduce(sum, comm::Operator::sum);
  comm::wait_all(sent, come, done, ranks);
  bookings.clear();  // waits, too
  cart.start_barrier().wait();

  const bool is_right = ghosts.local()[2] == left.value && ghosts.local()[3] == 2.0 * left.value;
  const std::int64_t money = cart.allreduce(accounts.local()[0], comm::Operator::sum);
  const int numbers = cart.allreduce(mine, comm::Operator::sum);
  if (cart.is_root())
    std::printf("ghosts %s; %lld paid by %d ranks; tickets add up to %d\n",
                is_right ? "have come" : "are wrong", static_cast<long long>(money), sum[0],
                numbers);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  talk();
  MPI_Finalize();
}
