// SPDX-License-Identifier: Apache-2.0
// A hash table over all ranks, which count words. Half of the work lies on rank 0: who has none
// steals. The next task is asked for while the last one's words are being counted: epochs inside
// epochs, none of which waits for another.
#include <mpi.h>

#include <cstdio>
#include <map>

#include "word_table.hpp"

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

static void run() {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}});
  const WordTasks tasks{.ranks = cart.size()};
  TaskEpochs numbers(cart);
  PlaceEpochs places(cart);
  StolenTasks todo(tasks, cart.rank().value, numbers);
  WordTable table(cart.size(), places);
  int done = 0;
  todo.ask();
  for (int task = todo.take(); task >= 0; task = todo.take()) {
    todo.ask();  // is answered while this one is worked on
    table.count(tasks.words_of(task));
    ++done;
  }
  numbers.close();
  places.close();
  cart.start_barrier().wait();  // serves others until then

  std::map<Word, Word> expected;
  for (int task = 0; task < tasks.tasks; ++task)
    for (const Word word : tasks.words_of(task)) ++expected[word];
  std::vector<long long> sums{0, 0, done};  // words, those with the right count, tasks
  for (std::size_t i = 0; i < places.local().size(); i += 2) {
    const Word word = places.local()[i];
    if (word == 0) continue;
    ++sums[0];
    sums[1] += expected[word] == places.local()[i + 1] ? 1 : 0;
  }
  cart.allreduce(sums, comm::Operator::sum);
  if (cart.is_root())
    std::printf("%lld tasks done, %lld different words, counts of %lld are right\n", sums[2],
                sums[0], sums[1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run();
  MPI_Finalize();
}
