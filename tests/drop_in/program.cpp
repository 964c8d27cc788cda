// SPDX-License-Identifier: Apache-2.0
// program PART: a program that knows MPI only. Says "right" on rank 0 at its end, and dies where
// something isn't; what was carried out by whom is told by drop_in (CARTWRIGHT_DROP_IN_REPORT).
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

void require(bool is_right, const char* what) {
  if (is_right) return;
  std::fprintf(stderr, "FAULT: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 9);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

void sum_ranks(MPI_Comm comm) {
  const int mine = rank_in(comm);
  const int all = size_of(comm);
  int sum = -1;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  require(sum == all * (all - 1) / 2, "a sum of ranks");
}

/// 20 collectives of everybody, and 3 nonblocking ones.
void plain() {
  for (int i = 0; i < 20; ++i) sum_ranks(MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) {
    int number = rank_in(MPI_COMM_WORLD) == 0 ? i : -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(number == i && request == MPI_REQUEST_NULL, "a broadcast that was started");
  }
}

/// Communicators that are freed soon, and one between groups.
void communicators() {
  const int rank = rank_in(MPI_COMM_WORLD);
  for (int i = 0; i < 200; ++i) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    for (int j = 0; j < (i == 0 ? 40 : 3); ++j) sum_ranks(part);
    MPI_Comm_free(&part);
  }
  if (size_of(MPI_COMM_WORLD) < 2) return;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &both);
  for (int i = 0; i < 40; ++i) MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&part);
}

/// What is wrong is the MPI library's to say.
void errors() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int number = 0;
  int kind = MPI_SUCCESS;
  MPI_Error_class(MPI_Bcast(&number, 1, MPI_INT, size_of(comm), comm), &kind);
  require(kind == MPI_ERR_ROOT, "a root that isn't there");
  MPI_Error_class(MPI_Bcast(&number, -1, MPI_INT, 0, comm), &kind);
  require(kind == MPI_ERR_COUNT, "a negative count");
  const std::vector<int> places(static_cast<std::size_t>(size_of(comm)));
  const std::vector<int> counts(places.size(), -1);
  MPI_Error_class(MPI_Alltoallv(&number, counts.data(), places.data(), MPI_INT, &number,
                                counts.data(), places.data(), MPI_INT, comm),
                  &kind);
  require(kind == MPI_ERR_COUNT, "a negative length of a block");
  MPI_Comm_free(&comm);
}

/// What MPI forbids and programs do: what they send lies where it is to arrive.
void same_places() {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const auto ranks = static_cast<std::size_t>(size);
  const int all = size * (size - 1) / 2;
  std::vector<int> three(3, rank);
  MPI_Allreduce(three.data(), three.data(), 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  require(three == std::vector<int>(3, all), "a sum");
  three.assign(3, rank);
  MPI_Reduce(three.data(), three.data(), 3, MPI_INT, MPI_SUM, size - 1, MPI_COMM_WORLD);
  require(three[2] == (rank == size - 1 ? all : rank), "a sum on one rank");
  three.assign(3, 1);
  MPI_Scan(three.data(), three.data(), 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  require(three == std::vector<int>(3, rank + 1), "partial sums");
  std::vector<int> each(ranks, -1);
  const auto mine = static_cast<std::size_t>(rank);
  each[mine] = rank;
  MPI_Allgather(&each[mine], 1, MPI_INT, each.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (int other = 0; other < size; ++other)
    require(each[static_cast<std::size_t>(other)] == other, "what all have");
  each.assign(ranks, rank == 1 % size ? 7 : -1);
  each[mine] = rank;
  MPI_Gather(&each[mine], 1, MPI_INT, each.data(), 1, MPI_INT, 1 % size, MPI_COMM_WORLD);
  require(rank != 1 % size || each.back() == size - 1, "what one rank gets of all");
  each.assign(ranks, 5);
  MPI_Scatter(each.data(), 1, MPI_INT, &each[mine], 1, MPI_INT, 0, MPI_COMM_WORLD);
  require(each[mine] == 5, "what all get of one rank");
  std::vector<int> counts(ranks, 1), places(ranks);
  for (std::size_t other = 0; other < ranks; ++other) places[other] = static_cast<int>(other);
  each.assign(ranks, -1);
  each[mine] = rank;
  MPI_Allgatherv(&each[mine], 1, MPI_INT, each.data(), counts.data(), places.data(), MPI_INT,
                 MPI_COMM_WORLD);
  require(each.back() == size - 1, "what all have, in blocks");
  each.assign(ranks, rank);
  MPI_Alltoall(each.data(), 1, MPI_INT, each.data(), 1, MPI_INT, MPI_COMM_WORLD);
  require(each.front() == 0 && each.back() == size - 1, "what all have for each other");
  each.assign(ranks, rank);
  MPI_Reduce_scatter_block(each.data(), each.data(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  require(each.front() == all, "a sum in blocks");
}

/// Rank 0 is in a collective with its neighbour, who waits for the last rank, who waits for a long
/// message that rank 0 has begun: it must go on, though nobody waits for it.
void messages() {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  require(last > 1, "it takes three ranks");
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : 1, rank, &part);
  std::vector<char> data(std::size_t{4} << 20U);
  for (int i = 0; i < 20; ++i) {
    char word = 0;
    if (rank == 0) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_CHAR, last, 1, MPI_COMM_WORLD,
                &request);
      sum_ranks(part);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(&word, 1, MPI_CHAR, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum_ranks(part);
    } else if (rank == last) {
      MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_CHAR, 0, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      MPI_Send(&word, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
    }
  }
  MPI_Comm_free(&part);
}

/// A line of all ranks, in which neighbours may be brought together: says how many aren't.
void grid() {
  const int all = size_of(MPI_COMM_WORLD);
  const int reorder = 1;
  const int periodic = 0;
  MPI_Comm line = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &all, &periodic, reorder, &line);
  sum_ranks(line);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int mine = rank_in(MPI_COMM_WORLD);  // the lowest of my node
  MPI_Bcast(&mine, 1, MPI_INT, 0, node);
  int before = MPI_PROC_NULL;
  int after = MPI_PROC_NULL;
  MPI_Cart_shift(line, 0, 1, &before, &after);
  require(after == (rank_in(line) + 1 < all ? rank_in(line) + 1 : MPI_PROC_NULL), "a neighbour");
  int other = mine;
  MPI_Sendrecv(&mine, 1, MPI_INT, after, 3, &other, 1, MPI_INT, before, 3, line, MPI_STATUS_IGNORE);
  const int differs = other != mine ? 1 : 0;
  int apart = 0;
  MPI_Allreduce(&differs, &apart, 1, MPI_INT, MPI_SUM, line);
  if (rank_in(MPI_COMM_WORLD) == 0) std::printf("%d neighbours on other nodes\n", apart);
  // Fewer ranks than there are; a grid that is too large is MPI's to refuse.
  const std::array<int, 2> dims{1, all > 1 ? all - 1 : 1};
  const std::array<int, 2> periods{1, 0};
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), reorder, &part);
  int members = part != MPI_COMM_NULL ? 1 : 0;
  if (part != MPI_COMM_NULL) {
    std::array<int, 2> found{};
    std::array<int, 2> found_periods{};
    std::array<int, 2> place{};
    MPI_Cart_get(part, 2, found.data(), found_periods.data(), place.data());
    require(found == dims && found_periods == periods && place[1] == rank_in(part), "a grid");
    MPI_Comm_free(&part);
  }
  MPI_Allreduce(MPI_IN_PLACE, &members, 1, MPI_INT, MPI_SUM, line);
  require(members == dims[1], "members of a grid");
  MPI_Comm_set_errhandler(line, MPI_ERRORS_RETURN);
  const int more = all + 1;
  require(MPI_Cart_create(line, 1, &more, &periodic, reorder, &part) != MPI_SUCCESS,
          "more places than ranks");
  MPI_Comm_free(&node);
  MPI_Comm_free(&line);
}

/// More than an int of bytes in all. What isn't written to takes no memory.
void large() {
  constexpr std::size_t each = 1'100'000'000;
  const auto ranks = static_cast<std::size_t>(size_of(MPI_COMM_WORLD));
  const auto rank = static_cast<std::size_t>(rank_in(MPI_COMM_WORLD));
  const auto room = [](std::size_t bytes) {
    return std::unique_ptr<char, void (*)(void*)>(static_cast<char*>(std::calloc(bytes, 1)),
                                                  std::free);
  };
  const auto mine = room(each);
  const auto all = room(rank == 0 ? each * ranks : 1);
  mine.get()[0] = mine.get()[each - 1] = static_cast<char>(rank + 1);
  MPI_Gather(mine.get(), each, MPI_CHAR, all.get(), each, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < ranks && rank == 0; ++i)
    for (const std::size_t at : {i * each, (i + 1) * each - 1})
      require(all.get()[at] == static_cast<char>(i + 1), "blocks of all");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string part = argc > 1 ? argv[1] : "plain";
  int threads = MPI_THREAD_SINGLE;
  const bool has_threads = argc > 2;
  MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &threads);
  const std::map<std::string, void (*)()> parts{{"plain", plain},
                                                {"communicators", communicators},
                                                {"errors", errors},
                                                {"grid", grid},
                                                {"messages", messages},
                                                {"large", large},
                                                {"same_places", same_places}};
  require(parts.contains(part), "there is no such part");
  parts.at(part)();
  if (rank_in(MPI_COMM_WORLD) == 0) std::printf("right, threads %d\n", threads);
  MPI_Finalize();
  return 0;
}
