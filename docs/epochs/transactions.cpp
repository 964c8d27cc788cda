// SPDX-License-Identifier: Apache-2.0
// Many small transactions on ranks chosen at random, some of each rank's under way at a time: each
// locks a rank's record alone, changes all of it, and unlocks it. Readers never see half of one.
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/window.hpp>
#include <cstdio>
#include <deque>
#include <random>
#include <vector>

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

static constexpr std::size_t words = 32, under_way = 8;

struct Reading {
  std::vector<long long> record;
  comm::EpochRequest done;
  [[nodiscard]] bool is_whole() {
    done.wait();
    return std::ranges::adjacent_find(record, std::not_equal_to<>()) == record.end();
  }
};

static void transact(int transactions) {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}});
  // They may overtake each other, as they are on different ranks; those on one rank don't.
  auto records = comm::Window<long long>::allocate(
      cart, words, {.name = "records", .reorder = {.access_after_access = true}});

  std::minstd_rand random(static_cast<unsigned>(cart.rank().value) + 1);
  const std::vector<long long> change(words, 1);
  std::deque<comm::EpochRequest> pending;
  std::deque<Reading> readings;
  int torn = 0;
  for (int i = 0; i < transactions; ++i) {
    const rt::Rank target{static_cast<int>(random() % static_cast<unsigned>(cart.size()))};
    auto update = records.lock(target);
    update.accumulate(0, change, comm::Operator::sum);
    pending.push_back(update.unlock());
    if (i % 10 == 0) {
      Reading& reading = readings.emplace_back(Reading{std::vector<long long>(words), {}});
      auto look = records.lock(target, comm::Lock::shared);
      look.get(0, reading.record);
      reading.done = look.unlock();
    }
    while (pending.size() >= under_way) pending.pop_front();  // waits
    for (; readings.size() >= under_way; readings.pop_front())
      torn += readings.front().is_whole() ? 0 : 1;
  }
  pending.clear();
  for (Reading& reading : readings) torn += reading.is_whole() ? 0 : 1;
  cart.start_barrier().wait();  // serves others until then

  const auto sums = records.local();
  std::vector<long long> all{*std::ranges::min_element(sums), *std::ranges::max_element(sums),
                             torn};
  cart.allreduce(all, comm::Operator::sum);
  const bool is_right = all[0] == 1LL * transactions * cart.size() && all[1] == all[0];
  if (cart.is_root())
    std::printf("%d transactions of each rank: %s, %lld torn readings\n", transactions,
                is_right ? "none is lost" : "some are lost", all[2]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  transact(1000);
  MPI_Finalize();
}
