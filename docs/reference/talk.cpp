// SPDX-License-Identifier: Apache-2.0
// A plain MPI program without a grid: the examples of reference/comm.md. A test runs it on some
// ranks, and what it shows holds, or it ends with an exit code other than 0.
#include <mpi.h>

#include <cartwright/comm/axis_collectives.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/collective_report.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>
#include <cartwright/comm/elements/located.hpp>
#include <cartwright/comm/neighbour_exchange.hpp>
#include <cartwright/comm/pending_set.hpp>
#include <cartwright/comm/window.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/report.hpp>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace comm = cartwright::comm;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

// example: rt::internal_failure rt::Error
void require(bool right, const std::string& what) {
  if (!right) throw rt::internal_failure(what + " is wrong", "See talk.cpp.");
}
// end

void talk_of_all(const comm::CartComm& cart) {
  const int me = cart.rank().value, ranks = cart.size();
  // example: comm::Collectives comm::Operator
  const comm::Collectives& all = cart.all();
  const int sum = all.allreduce(me, comm::Operator::sum);  // a single value comes back
  std::vector<double> field(100, me);
  all.allreduce(field, comm::Operator::maximum);  // a vector, array or span is written
  const std::vector<int> mine(3, me);
  std::vector<int> everyones(3 * static_cast<std::size_t>(ranks));
  all.allgather(mine, everyones);
  int before = 0;  // of rank 0: what it was
  all.exscan(std::vector<int>{me + 1}, std::span(&before, 1), comm::Operator::sum);
  // end
  require(sum == ranks * (ranks - 1) / 2 && before == me * (me + 1) / 2, "a sum");
  require(field.back() == ranks - 1 && everyones.back() == ranks - 1, "a maximum or an allgather");

  // example: comm::associative comm::commutative
  const auto longer = [](int left, int right) { return left < right ? right : left; };
  const int longest = all.allreduce(me, comm::commutative(longer));
  const auto last = [](int /*left*/, int right) { return right; };
  const int of_last = all.allreduce(me, comm::associative(last));  // in the order of ranks
  // end
  require(longest == ranks - 1 && of_last == ranks - 1, "an operator");

  // example: comm::Located comm::least comm::greatest
  const comm::Located<double> here{.value = 1.0 / (1 + me), .place = me};
  const auto smallest = all.allreduce(here, comm::least);
  require(smallest.place == ranks - 1, "the place of the least");
  // end

  // example: comm::BinnedSum comm::binned_sum
  comm::BinnedSum energy;  // the same bits on any number of ranks
  energy.add(field);
  energy.add_products(field, field);
  const double total = all.allreduce(energy, comm::binned_sum).value();
  // end
  const double most = ranks - 1;
  require(total == ranks * 100.0 * (most + most * most), "a binned sum");
}

void talk_in_blocks(const comm::CartComm& cart) {
  const comm::Collectives& all = cart.all();
  const int me = cart.rank().value, ranks = cart.size();
  const rt::Rank root{0};
  // example: comm::Blocks comm::Collected
  const comm::Blocks blocks = comm::Blocks::balanced(ranks, 10);  // 10 elements, on all ranks alike
  std::vector<int> ten(10);
  std::iota(ten.begin(), ten.end(), 0);
  std::vector<int> part(static_cast<std::size_t>(blocks.count(me)));
  all.scatter(ten, part, root, blocks);
  // Where each rank knows its own length alone:
  const comm::Collected<int> all_parts = all.allgather_uneven(part);
  for (const int number : all_parts.of(me)) require(number >= blocks.offset(me), "a block");
  // end
  require(all_parts.elements == ten, "what was scattered and gathered");

  // example: comm::strided comm::Strides
  const int rows = 4, columns = 5;
  std::vector<double> matrix(static_cast<std::size_t>(rows * columns), me);  // rows are contiguous
  std::vector<double> column(static_cast<std::size_t>(rows * ranks));
  all.gather(comm::strided(matrix.data() + 2, {.block = 1, .stride = columns, .count = rows}),
             column, root);
  // end
  require(!cart.is_root() || column.back() == ranks - 1, "a column");

  // example: comm::Pieces comm::in_pieces
  const std::vector<int> mine(2, me);
  const comm::Blocks twos(std::vector<int>(static_cast<std::size_t>(ranks), 2));
  std::vector<cartwright::plan::Count> begins;
  for (int rank = 0; rank < ranks; ++rank) begins.push_back(3 * rank);  // a gap behind each block
  const comm::Pieces pieces(begins, twos);
  std::vector<int> with_gaps(3 * static_cast<std::size_t>(ranks), -1);
  all.allgather(mine, comm::in_pieces(std::span(with_gaps), pieces), twos);
  // end
  require(with_gaps[3 * static_cast<std::size_t>(me)] == me && with_gaps.back() == -1, "pieces");
}

void talk_meanwhile(const comm::CartComm& cart) {
  const int ranks = cart.size();
  // example: comm::Pending
  std::vector<double> moments(2, 1.0);
  comm::Pending pending = cart.start_allreduce(moments, comm::Operator::sum);
  for (int part = 0; part < 10; ++part) {
    // … some work; a poll now and then lets all that is under way go on
    cart.engine().poll();
  }
  cart.barrier();  // blocking ones may come meanwhile, on all ranks at the same place
  pending.wait();  // from here on `moments` is set
  // end
  require(moments[1] == ranks, "what was pending");

  // example: comm::PendingSet
  std::vector<std::vector<int>> numbers(3, std::vector<int>(10, 1));
  comm::PendingSet set(cart.engine());
  for (auto& some : numbers) set.add(cart.start_allreduce(some, comm::Operator::sum));
  while (const auto which = set.wait_any())
    require(numbers[*which].front() == ranks, "one of several");
  // end

  // example: comm::Persistent
  std::vector<double> residual(1);
  comm::Persistent reduction = cart.all().prepare_allreduce(residual, comm::Operator::maximum);
  for (int step = 1; step <= 3; ++step) {
    residual[0] = 1.0 / step;
    reduction.start();
    reduction.wait();
  }
  // end
  require(residual[0] == 1.0 / 3, "what was prepared");
}

void talk_along_axes(const comm::CartComm& cart) {
  // example: comm::CartComm
  const int x = cart.coordinates()[0], y = cart.coordinates()[1];
  // The ranks of my line along x, which differ in x alone: rank number x of it is the one at x.
  const comm::Collectives& line = cart.along(0);
  const int from_left_end = line.broadcast(y, rt::Rank{0});
  // Whoever lies above me; nobody at a physical face.
  const std::optional<rt::Rank> above = cart.neighbour(1, +1);
  // end
  require(line.communicator().rank().value == x && from_left_end == y, "a line");
  require(above.has_value() == (y + 1 < cart.dims()[1]), "a neighbour");

  // example: comm::AxisCollectives comm::AxisOrder
  std::vector<double> a(1000, x), b(1000, y);
  comm::AxisCollectives panels(cart);
  panels.add(cart.along(0).prepare_broadcast(a, rt::Rank{0}));
  panels.add(cart.along(1).prepare_broadcast(b, rt::Rank{0}));
  panels.run();
  // end
  require(a.back() == 0 && b.back() == 0, "panels");
}

/// Rows of a field to the ranks above and below, on an axis that isn't periodic.
void talk_to_neighbours(const comm::CartComm& cart) {
  const double y = cart.coordinates()[1];
  // example: comm::NeighbourExchange comm::NeighbourBytes comm::NeighbourRegions
  const std::size_t width = 8;
  std::vector<double> first_row(width, y), last_row(width, y), below(width, -1), above(width, -1);
  struct Side {
    std::vector<double>*mine, *ghosts;
  };
  std::vector<comm::NeighbourBytes> neighbours;
  std::vector<Side> sides;
  const std::size_t bytes = width * sizeof(double);
  if (const auto rank = cart.neighbour(1, -1)) {
    neighbours.push_back({.rank = *rank, .outgoing = bytes, .incoming = bytes});
    sides.push_back({&first_row, &below});
  }
  if (const auto rank = cart.neighbour(1, +1)) {
    neighbours.push_back({.rank = *rank, .outgoing = bytes, .incoming = bytes});
    sides.push_back({&last_row, &above});
  }
  rt::Trace trace;  // where its time goes
  const comm::NeighbourRegions regions{
      .pack = trace.region("pack"), .wait = trace.region("wait"), .unpack = trace.region("unpack")};
  comm::NeighbourExchange halo(cart, neighbours, 0, trace, regions);
  for (int step = 0; step < 3; ++step) {
    halo.begin(
        [&](std::size_t n, std::byte* to) { std::memcpy(to, sides[n].mine->data(), bytes); });
    // … what needs no ghosts
    halo.complete([&](std::size_t n, const std::byte* from) {
      std::memcpy(sides[n].ghosts->data(), from, bytes);
    });
  }
  // end
  require(!cart.neighbour(1, -1) || below.back() == y - 1, "the row below");
  require(!cart.neighbour(1, +1) || above.back() == y + 1, "the row above");
}

/// The same around a periodic axis: both neighbours may be one rank, or this one.
void talk_by_messages(const comm::CartComm& cart) {
  const int x = cart.coordinates()[0], p = cart.dims()[0];
  // example: rt::isend rt::ireceive rt::Message rt::Tag
  const std::vector<double> edge(8, x);
  std::vector<double> left(8), right(8);
  const rt::Rank at_left = *cart.neighbour(0, -1), at_right = *cart.neighbour(0, +1);
  const rt::Tag leftwards{0}, rightwards{1};
  const rt::Communicator& ranks = cart.communicator();
  rt::Message messages[] = {rt::ireceive(ranks, std::span(left), at_left, rightwards),
                            rt::ireceive(ranks, std::span(right), at_right, leftwards),
                            rt::isend(ranks, std::span(edge), at_left, leftwards),
                            rt::isend(ranks, std::span(edge), at_right, rightwards)};
  for (rt::Message& message : messages) message.wait();
  // end
  require(left[7] == (x + p - 1) % p && right[7] == (x + 1) % p, "a message");
}

void reach_memory(const comm::CartComm& cart) {
  const int me = cart.rank().value, ranks = cart.size();
  const int x = cart.coordinates()[0], p = cart.dims()[0];
  const rt::Rank at_left = *cart.neighbour(0, -1), at_right = *cart.neighbour(0, +1);
  // example: comm::Window comm::WindowOptions comm::AccessEpoch comm::ExposureEpoch
  auto ghosts = comm::Window<double>::allocate(cart, 4, {.name = "ghosts"});
  const std::vector<double> edge{1.0 * x, 2.0 * x};
  comm::ExposureEpoch exposure = ghosts.post({at_left});        // who may write here
  comm::AccessEpoch<double> access = ghosts.start({at_right});  // where I write
  access.put(at_right, 2, edge);                                // to its elements 2 and 3
  comm::EpochRequest sent = access.complete(), come = exposure.wait();
  // … what needs neither `edge` changed nor the ghosts
  comm::wait_all(sent, come);
  // end
  require(ghosts.local()[3] == 2.0 * ((x + p - 1) % p), "a ghost");

  // example: comm::LockEpoch comm::Lock comm::Reorder comm::EpochRequest
  auto counts = comm::Window<long long>::allocate(
      cart, 2, {.name = "counts", .reorder = {.access_after_access = true}});
  const std::vector<long long> more{1, me};
  std::vector<comm::EpochRequest> done;
  for (int rank = 0; rank < ranks; ++rank) {
    auto lock = counts.lock(rt::Rank{rank}, comm::Lock::shared);  // updates are atomic anyway
    lock.accumulate(0, more, comm::Operator::sum);
    done.push_back(lock.unlock());
  }
  done.clear();                 // each waits when it is destroyed
  cart.start_barrier().wait();  // all have: now this rank's counts are whole
  // end
  require(counts.local()[0] == ranks && counts.local()[1] == ranks * (ranks - 1) / 2, "counts");

  // example: comm::LockAllEpoch comm::RemoteAccess
  auto next = comm::Window<int>::allocate(cart, cart.is_root() ? 1 : 0, {.name = "next task"});
  int task = -1;
  auto tickets = next.lock_all();
  tickets.fetch_and_op(rt::Rank{0}, 0, 1, task, comm::Operator::sum);
  tickets.flush(rt::Rank{0}).wait();  // `task` is this rank's from here on
  tickets.unlock().wait();
  cart.start_barrier().wait();  // serves the others until all have theirs
  // end
  require(cart.allreduce(task, comm::Operator::sum) == ranks * (ranks - 1) / 2, "a ticket");

  // example: comm::FenceEpoch comm::Slice
  std::vector<float> mine(6, 0.0F);
  comm::Window<float> whole(cart, std::span(mine));  // the caller's memory
  const std::vector<float> pair{1.0F, 2.0F};
  comm::FenceEpoch<float> fence = whole.fence();
  // Every third element of the next rank, from its element 1 on: 1 and 4.
  fence.put(rt::Rank{(me + 1) % ranks},
            comm::Slice(1, comm::Strides{.block = 1, .stride = 3, .count = 2}), pair);
  fence.close().wait();
  // end
  require(mine[1] == 1.0F && mine[4] == 2.0F && mine[2] == 0.0F, "a slice");
}

void explain(const comm::CartComm& cart) {
  // example: comm::report_collectives rt::Report
  rt::Report report;
  comm::report_collectives(report, cart);  // collective
  if (cart.is_root()) std::printf("%s", report.text().c_str());
  // end
  // example: comm::DecisionNote
  for (const comm::DecisionNote& note : cart.along(0).backends().decisions())
    if (cart.is_root())
      std::printf("%s of %lld bytes: %s\n",
                  std::string(cartwright::plan::name_of(note.key.operation)).c_str(),
                  static_cast<long long>(note.bytes), note.explanation.c_str());
  // end
}

/// Ranks as on two nodes, or more: algorithms and mapping are those of nodes, time isn't.
void imagine_nodes(const rt::Communicator& world, rt::ProgressEngine& engine) {
  // example: mapping::discover mapping::Topology comm::Settings
  const int nodes = (world.size() + 1) / 2;
  const mapping::Topology topology =
      mapping::discover(world, "node:" + std::to_string(nodes) + " core:2");
  const comm::CartComm cart(world, engine,
                            {.dims = {world.size()}, .settings = {.backend = comm::BackendId::p2p}},
                            topology);
  // end
  require(cart.topology().is_virtual && cart.topology().nodes == nodes, "a topology");
  require(cart.allreduce(1, comm::Operator::sum) == world.size(), "a sum between nodes");
}

void on_any_ranks(const rt::Communicator& world, rt::ProgressEngine& engine) {
  // example: comm::Context comm::BackendId
  comm::Context context;
  context.settings.time_limit = std::chrono::minutes(5);
  const rt::Communicator half = world.split(world.rank().value % 2, 0);
  const comm::Collectives of_half(half, engine, context);
  const int even_or_odd = of_half.broadcast(world.rank().value, rt::Rank{0}) % 2;
  // The quickest of all ways: who shares a node, and what was measured, it finds out by itself.
  const comm::Collectives all(world, engine, comm::BackendId::automatic);
  all.barrier();
  // end
  require(even_or_odd == world.rank().value % 2, "a half");
}

void talk() {
  // example: rt::Communicator rt::ProgressEngine comm::CartOptions mapping::choose_process_grid
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const auto dims = mapping::choose_process_grid({.ranks = world.size(), .extents = {400, 300}});
  const comm::CartComm cart(world, engine, {.dims = dims, .periodic = {true, false}});
  if (cart.is_root())
    for (const auto& [what, how] : cart.description())
      std::printf("%s: %s\n", what.c_str(), how.c_str());
  // end
  talk_of_all(cart);
  talk_in_blocks(cart);
  talk_meanwhile(cart);
  talk_along_axes(cart);
  talk_to_neighbours(cart);
  talk_by_messages(cart);
  reach_memory(cart);
  explain(cart);
  imagine_nodes(world, engine);
  on_any_ranks(world, engine);
  if (cart.is_root()) std::printf("talk.cpp: all is right\n");
}

}  // namespace

// example: rt::say_uncaught_exceptions_once
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rt::say_uncaught_exceptions_once();  // what nobody catches ends all ranks, with one message
  talk();  // all communicators are gone when it returns: before MPI_Finalize
  MPI_Finalize();
}
// end
