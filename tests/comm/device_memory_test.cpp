// SPDX-License-Identifier: Apache-2.0
// An MPI library that takes memory of an imagined device: its calls here turn the device's
// addresses into those that they stand for. Whoever else touched them would end the program.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/rt/device_memory.hpp>
#include <cartwright/rt/error.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "imagined_device.hpp"

using cartwright::comm::test::device_bit, cartwright::comm::test::on_imagined_device;

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): functions of C have no others
int calls_with_devices = 0;  ///< of MPI
int copies = 0, settlings = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

template <class T>
T* reached(T* address) {
  if (address == MPI_IN_PLACE) return address;  // all bits, with MPICH
  if ((reinterpret_cast<std::uintptr_t>(address) & device_bit) == 0) return address;
  ++calls_with_devices;
  return static_cast<T*>(on_imagined_device(
      static_cast<std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>*>(address)));
}

}  // namespace

extern "C" {

int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  return PMPI_Bcast(reached(data), n, type, root, comm);
}
int MPI_Ibcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  return PMPI_Ibcast(reached(data), n, type, root, comm, request);
}
int MPI_Gather(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
               int root, MPI_Comm comm) {
  return PMPI_Gather(reached(in), n, type, reached(out), each, to, root, comm);
}
int MPI_Igather(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
                int root, MPI_Comm comm, MPI_Request* request) {
  return PMPI_Igather(reached(in), n, type, reached(out), each, to, root, comm, request);
}
int MPI_Scatter(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
                int root, MPI_Comm comm) {
  return PMPI_Scatter(reached(in), n, type, reached(out), each, to, root, comm);
}
int MPI_Iscatter(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
                 int root, MPI_Comm comm, MPI_Request* request) {
  return PMPI_Iscatter(reached(in), n, type, reached(out), each, to, root, comm, request);
}
int MPI_Allgather(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
                  MPI_Comm comm) {
  return PMPI_Allgather(reached(in), n, type, reached(out), each, to, comm);
}
int MPI_Iallgather(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
                   MPI_Comm comm, MPI_Request* request) {
  return PMPI_Iallgather(reached(in), n, type, reached(out), each, to, comm, request);
}
int MPI_Alltoall(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
                 MPI_Comm comm) {
  return PMPI_Alltoall(reached(in), n, type, reached(out), each, to, comm);
}
int MPI_Ialltoall(const void* in, int n, MPI_Datatype type, void* out, int each, MPI_Datatype to,
                  MPI_Comm comm, MPI_Request* request) {
  return PMPI_Ialltoall(reached(in), n, type, reached(out), each, to, comm, request);
}
int MPI_Send_init(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return PMPI_Send_init(reached(data), n, type, to, tag, comm, request);
}
int MPI_Recv_init(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return PMPI_Recv_init(reached(data), n, type, from, tag, comm, request);
}

}  // extern "C"

namespace cartwright::comm {
namespace {

constexpr DeviceCopies counted_copies{
    [](std::byte* host, const std::byte* device, std::size_t bytes) {
      ++copies;
      test::imagined_copies.to_host(host, device, bytes);
    },
    [](std::byte* device, const std::byte* host, std::size_t bytes) {
      ++copies;
      test::imagined_copies.to_device(device, host, bytes);
    },
    [] { ++settlings; }};

/// By that backend, with memory of devices as asked.
class DeviceMemories : public ::testing::TestWithParam<std::string> {
 protected:
  DeviceMemories()
      : world_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        me_(world_.rank().value),
        ranks_(world_.size()) {
    engine_.set_oversubscribed(true);
  }
  [[nodiscard]] CartComm cart(DeviceMemory memory, bool checked = false) {
    return {world_,
            engine_,
            {.dims = {ranks_},
             .settings = {.backend = known_backend(GetParam()),
                          .device_memory = memory,
                          .checked = checked,
                          .is_resolved = true}}};
  }
  [[nodiscard]] bool leaves_calls_to_mpi() const {
    return GetParam() == "native" || GetParam() == "auto";
  }
  [[nodiscard]] static OnDevice<int> there(std::vector<int>& numbers) {
    return on_device(on_imagined_device(numbers.data()), static_cast<plan::Count>(numbers.size()),
                     counted_copies);
  }
  /// What `call` has needed.
  template <class F>
  void expect(bool is_direct, const F& call) {
    calls_with_devices = copies = settlings = 0;
    call();
    EXPECT_EQ(calls_with_devices > 0, is_direct);
    EXPECT_EQ(copies == 0, is_direct);
    EXPECT_EQ(settlings > 0, is_direct);
  }
  [[nodiscard]] std::vector<int> numbers_of(int rank, int count) const {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 1000 * rank);
    return numbers;
  }
  [[nodiscard]] std::vector<int> numbers_of_all(int count) const {
    std::vector<int> all;
    for (int rank = 0; rank < ranks_; ++rank)
      for (const int number : numbers_of(rank, count)) all.push_back(number);
    return all;
  }

  rt::Communicator world_;
  rt::ProgressEngine engine_;
  int me_, ranks_;
};

TEST_P(DeviceMemories, GoToMpiAsTheyAreWhereDataAreOnlyMoved) {
  const CartComm comm = cart(DeviceMemory::direct);
  const Collectives& all = comm.all();
  const rt::Rank root{ranks_ - 1};
  const bool is_root = comm.rank() == root;
  for (const int count : {1, 5, 20'000}) {
    std::vector<int> mine = numbers_of(comm.rank().value, count);
    std::vector<int> of_all(static_cast<std::size_t>(count * ranks_));
    const bool direct = leaves_calls_to_mpi();
    expect(direct, [&] { all.allgather(there(mine), there(of_all)); });
    EXPECT_EQ(of_all, numbers_of_all(count));
    of_all.assign(of_all.size(), -1);
    expect(direct, [&] { all.start_allgather(there(mine), there(of_all)).wait(); });
    EXPECT_EQ(of_all, numbers_of_all(count));
    Persistent again = all.prepare_allgather(there(mine), there(of_all));
    for (int round = 0; round < 3; ++round) {
      of_all.assign(of_all.size(), -1);
      expect(direct, [&] {
        again.start();
        again.wait();
      });
      EXPECT_EQ(of_all, numbers_of_all(count));
    }
  }
  std::vector<int> mine = numbers_of(comm.rank().value, 7);
  std::vector<int> of_all(static_cast<std::size_t>(7 * ranks_), -1);
  expect(leaves_calls_to_mpi(), [&] { all.gather(there(mine), there(of_all), root); });
  if (is_root) {
    EXPECT_EQ(of_all, numbers_of_all(7));
  }
  mine.assign(7, -1);
  of_all = numbers_of_all(7);
  expect(leaves_calls_to_mpi(), [&] { all.scatter(there(of_all), there(mine), root); });
  EXPECT_EQ(mine, numbers_of(comm.rank().value, 7));
  mine = is_root ? numbers_of(42, 7) : std::vector<int>(7, -1);
  expect(leaves_calls_to_mpi(), [&] { all.broadcast(there(mine), root); });
  EXPECT_EQ(mine, numbers_of(42, 7));
  // In place: rank r gets the r-th number of each.
  mine = numbers_of(comm.rank().value, ranks_);
  expect(leaves_calls_to_mpi(), [&] { all.alltoall(there(mine)); });
  for (int rank = 0; rank < ranks_; ++rank)
    EXPECT_EQ(mine[static_cast<std::size_t>(rank)], 1000 * rank + comm.rank().value);
}

TEST_P(DeviceMemories, AreCopiedWhereTheyMustBe) {
  const CartComm comm = cart(DeviceMemory::direct);
  const Collectives& all = comm.all();
  // What is calculated with.
  std::vector<int> mine(3, 1), sum(3);
  expect(false, [&] { all.allreduce(there(mine), there(sum), Operator::sum); });
  EXPECT_EQ(sum, std::vector<int>(3, ranks_));
  // What has gaps.
  std::vector<int> wide(static_cast<std::size_t>(4 * ranks_), -1);
  const Strides odd{.block = 1, .stride = 2, .count = plan::Count{2} * ranks_};
  std::vector<int> two{comm.rank().value, 100};
  expect(false, [&] {
    all.allgather(there(two),
                  on_device(strided(on_imagined_device(wide.data()) + 1, odd), counted_copies));
  });
  std::vector<int> expected;
  for (int rank = 0; rank < ranks_; ++rank)
    for (const int number : {-1, rank, -1, 100}) expected.push_back(number);
  EXPECT_EQ(wide, expected);
  // On the host on this side, on the device on that.
  std::vector<int> of_all(static_cast<std::size_t>(2 * ranks_));
  expect(false, [&] { all.allgather(two, there(of_all)); });
  EXPECT_EQ(of_all[of_all.size() - 2], ranks_ - 1);
}

TEST_P(DeviceMemories, AreCopiedInCollectivesIfNobodyAsksForMore) {
  for (const DeviceMemory memory : {DeviceMemory::automatic, DeviceMemory::staged}) {
    const CartComm comm = cart(memory);
    std::vector<int> data = numbers_of(comm.is_root() ? 1 : 2, 9);
    expect(false, [&] { comm.broadcast(there(data), rt::Rank{0}); });
    EXPECT_EQ(data, numbers_of(1, 9));
    // So ranks may differ: some read from the device, some write to the host.
    data = numbers_of(comm.is_root() ? 3 : 2, 9);
    if (comm.is_root())
      comm.broadcast(there(data), rt::Rank{0});
    else
      comm.broadcast(data, rt::Rank{0});
    EXPECT_EQ(data, numbers_of(3, 9));
  }
}

TEST_P(DeviceMemories, AreComparedAcrossRanksWhereCallsAre) {
  if (ranks_ < 2 || !leaves_calls_to_mpi()) GTEST_SKIP() << "nobody differs";
  const CartComm comm = cart(DeviceMemory::direct, true);
  std::vector<int> data = numbers_of(1, 9);
  comm.broadcast(there(data), rt::Rank{0});
  try {
    if (comm.is_root())
      comm.broadcast(there(data), rt::Rank{0});
    else
      comm.broadcast(data, rt::Rank{0});
    ADD_FAILURE() << "nobody complains";
  } catch (const rt::Error& error) {
    EXPECT_NE(std::string(error.what()).find("on a device"), std::string::npos) << error.what();
  }
}

TEST_P(DeviceMemories, CarryMessagesOfNeighbours) {
  const CartComm comm = cart(DeviceMemory::direct);
  rt::Trace trace;
  const rt::RegionId region = trace.region("exchange");
  const int me = comm.rank().value, next = (me + 1) % ranks_, last = (me + ranks_ - 1) % ranks_;
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{3000}, std::size_t{300'000}}) {
    std::vector<NeighbourBytes> neighbours{{rt::Rank{next}, bytes, 0}, {rt::Rank{last}, 0, bytes}};
    if (ranks_ == 2) neighbours = {{rt::Rank{next}, bytes, bytes}};
    if (ranks_ == 1) neighbours.clear();
    std::vector<std::byte> memory(NeighbourExchange::bytes_of(neighbours) + 64);
    settlings = calls_with_devices = 0;
    NeighbourExchange exchange(
        comm, neighbours, static_cast<int>(bytes), trace, {region, region, region}, {"neighbours"},
        0, {.data = {on_imagined_device(memory.data()), [](const std::byte*) {}}, .settle = [] {
              ++settlings;
            }});
    for (int round = 0; round < 5; ++round) {
      const auto of = [&](int rank) { return static_cast<std::byte>(31 * rank + round); };
      int packed = 0;
      exchange.begin([&](std::size_t n, std::byte* to) {
        std::fill_n(on_imagined_device(to), neighbours[n].outgoing, of(me));
        ++packed;
        EXPECT_EQ(settlings, round) << "the device is waited for when all is packed";
      });
      EXPECT_EQ(packed, ranks_ > 1 ? 1 : 0);
      EXPECT_EQ(settlings, round + 1);
      int unpacked = 0;
      exchange.complete([&](std::size_t n, const std::byte* from) {
        const std::byte* const seen = on_imagined_device(from);
        EXPECT_EQ(std::count(seen, seen + neighbours[n].incoming, of(last)),
                  static_cast<std::ptrdiff_t>(bytes));
        ++unpacked;
      });
      EXPECT_EQ(unpacked, ranks_ > 1 ? 1 : 0);
    }
    EXPECT_EQ(calls_with_devices > 0, ranks_ > 1);
  }
}

INSTANTIATE_TEST_SUITE_P(By, DeviceMemories,
                         ::testing::Values("native", "p2p", "shared", "auto", "rma"),
                         [](const auto& named) { return named.param; });

TEST(DeviceMemoryOfMpi, IsReadFromItsListOfKinds) {
  using enum rt::DeviceKind;
  EXPECT_FALSE(rt::names_memory_of(cuda, ""));
  EXPECT_FALSE(rt::names_memory_of(cuda, "mpi,system"));
  EXPECT_TRUE(rt::names_memory_of(cuda, "mpi,system,cuda"));
  EXPECT_TRUE(rt::names_memory_of(cuda, "cuda:host:device,system"));
  EXPECT_FALSE(rt::names_memory_of(cuda, "system,cuda:host"));
  EXPECT_TRUE(rt::names_memory_of(cuda, "cuda:host,cuda:device"));
  EXPECT_FALSE(rt::names_memory_of(hip, "cuda"));
  EXPECT_TRUE(rt::names_memory_of(hip, "system,rocm:device"));
  EXPECT_FALSE(rt::names_memory_of(cuda, "cudart:device,,:"));
  // Whatever the library says, it says it.
  const rt::Communicator world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  const bool says = rt::mpi_takes_memory_of(cuda, world);
  EXPECT_EQ(rt::mpi_takes_memory_of(cuda, world), says);
}

}  // namespace
}  // namespace cartwright::comm
