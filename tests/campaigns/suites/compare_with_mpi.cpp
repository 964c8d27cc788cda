// SPDX-License-Identifier: Apache-2.0
// compare_with_mpi SEED CALLS: random collectives on types with gaps, blocks in any place,
// operators of one's own; each is called twice, by MPI_… (which comm carries out where
// drop_in is preloaded) and by PMPI_…: memory must be the same afterwards, gaps included.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::byte>;

/// The same numbers on all ranks.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  int below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }
  bool once_in(int n) { return below(n) == 0; }

 private:
  std::mt19937 engine_;
};

/// A type of ints, maybe with gaps, and how many bytes so many of them span.
struct Type {
  MPI_Datatype handle = MPI_INT;
  const char* name = "int";
};

std::vector<Type> types_of_ints() {
  std::vector<Type> types{{MPI_INT, "int"}, {MPI_2INT, "two ints"}};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, MPI_INT, &made);
  types.push_back({made, "three ints"});
  MPI_Type_vector(2, 1, 2, MPI_INT, &made);
  types.push_back({made, "every second int"});
  const std::array<int, 2> lengths{1, 2};
  const std::array<int, 2> places{3, 0};
  MPI_Type_indexed(2, lengths.data(), places.data(), MPI_INT, &made);
  types.push_back({made, "ints out of order"});
  MPI_Datatype resized = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, -4, 12, &resized);
  types.push_back({resized, "an int between gaps"});
  for (Type& type : types) MPI_Type_commit(&type.handle);
  return types;
}

/// x -> a x + b over the integers modulo 2^32: composition is associative and doesn't commute.
// NOLINTNEXTLINE(readability-non-const-parameter): as MPI declares it
void compose(void* left, void* right, int* count, MPI_Datatype* /*type*/) {
  const auto* outer = static_cast<const unsigned*>(left);
  auto* inner = static_cast<unsigned*>(right);
  for (int left_over = *count; left_over > 0; --left_over, outer += 2, inner += 2) {
    const unsigned a = outer[0] * inner[0];
    const unsigned b = outer[0] * inner[1] + outer[1];
    inner[0] = a;
    inner[1] = b;
  }
}

constexpr std::size_t most = 1 << 16;  // bytes of a memory; data lie in its middle

Bytes random_memory(std::mt19937& engine) {
  Bytes memory(most);
  std::ranges::generate(memory, [&] { return static_cast<std::byte>(engine() & 0x7fU); });
  return memory;
}

void* middle(Bytes& memory) {
  return memory.data() + most / 4;
}

/// Blocks of all ranks in any order with gaps between them, in elements.
struct Blocks {
  std::vector<int> counts, places;
  Blocks(Dice& dice, int ranks, int longest)
      : counts(static_cast<std::size_t>(ranks)), places(static_cast<std::size_t>(ranks)) {
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(dice.below(static_cast<int>(i)))]);
    const bool lie_in_a_row = dice.once_in(3);
    if (lie_in_a_row) std::iota(order.begin(), order.end(), 0);
    int next = 0;
    for (const std::size_t rank : order) {
      counts[rank] = dice.below(longest + 1);
      places[rank] = next;
      next += counts[rank] + (lie_in_a_row ? 0 : dice.below(3));
    }
  }
};

/// By MPI_… or PMPI_…, blocking or started.
struct Calls {
  bool is_ours = true;
  bool starts = false;
};

// MPI's functions of one name by all four ways: (ours, PMPI's) x (at once, begun).
template <class Ours, class OursBegun, class Theirs, class TheirsBegun, class... Arguments>
int called(Calls how, MPI_Request* request, Ours ours, OursBegun ours_begun, Theirs theirs,
           TheirsBegun theirs_begun, Arguments... arguments) {
  if (how.starts)
    return how.is_ours ? ours_begun(arguments..., request) : theirs_begun(arguments..., request);
  return how.is_ours ? ours(arguments...) : theirs(arguments...);
}

/// A call that was drawn: done on some memory, begun or to its end.
struct Drawn {
  std::string name;
  std::function<int(Calls, void* in, void* out, MPI_Request*)> call;
  /// Bytes of the output that MPI leaves undefined.
  std::size_t undefined_from = 0;
  std::size_t undefined_to = 0;
};

class Draw {
 public:
  Draw(MPI_Comm comm, std::vector<Type> types) : comm_(comm), types_(std::move(types)) {
    MPI_Comm_size(comm, &ranks_);
    MPI_Comm_rank(comm, &me_);
    MPI_Op_create(compose, 0, &composition_);
  }

  Drawn operator()(Dice& dice) const {
    const int root = dice.below(ranks_);
    const bool in_place = dice.once_in(3);
    const Type type = types_[static_cast<std::size_t>(dice.below(static_cast<int>(types_.size())))];
    const int n = dice.once_in(6) ? 0 : dice.below(dice.once_in(4) ? 200 : 20);
    const MPI_Comm comm = comm_;
    const auto from = [=, this](void* in, bool here) {
      return in_place && here ? MPI_IN_PLACE : in;
    };
    const bool at_root = me_ == root;
    const std::string on = std::string(type.name) + (in_place ? ", in place" : "");
    const int kind = dice.below(16);
    if (kind < 6) return combination(dice, kind, root, in_place, n);
    switch (kind) {
      case 6:
        return {"barrier", [=](Calls how, void*, void*, MPI_Request* r) {
                  return called(how, r, MPI_Barrier, MPI_Ibarrier, PMPI_Barrier, PMPI_Ibarrier,
                                comm);
                }};
      case 7:
        return {"broadcast of " + on, [=](Calls how, void*, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Bcast, MPI_Ibcast, PMPI_Bcast, PMPI_Ibcast, out, n,
                                type.handle, root, comm);
                }};
      case 8:
        return {"gather of " + on, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Gather, MPI_Igather, PMPI_Gather, PMPI_Igather,
                                from(in, at_root), n, type.handle, out, n, type.handle, root, comm);
                }};
      case 9:
        return {"scatter of " + on, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Scatter, MPI_Iscatter, PMPI_Scatter, PMPI_Iscatter, in,
                                n, type.handle, from(out, at_root), n, type.handle, root, comm);
                }};
      case 10:
        return {"allgather of " + on, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Allgather, MPI_Iallgather, PMPI_Allgather,
                                PMPI_Iallgather, from(in, true), n, type.handle, out, n,
                                type.handle, comm);
                }};
      case 11:
        return {"alltoall of " + on, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Alltoall, MPI_Ialltoall, PMPI_Alltoall, PMPI_Ialltoall,
                                from(in, true), n, type.handle, out, n, type.handle, comm);
                }};
      default:
        return of_blocks(dice, kind, root, in_place, type, on);
    }
  }

 private:
  /// Rank 0 of an exscan has no result; of what lies in place a reduce_scatter leaves the front.
  [[nodiscard]] Drawn combination(Dice& dice, int kind, int root, bool in_place, int n) const {
    const std::array<std::pair<MPI_Op, const char*>, 5> ops{{{MPI_SUM, "sum"},
                                                             {MPI_BXOR, "exclusive or"},
                                                             {MPI_MAX, "maximum"},
                                                             {MPI_MAXLOC, "greatest, and where"},
                                                             {composition_, "composition"}}};
    const auto& drawn = ops[static_cast<std::size_t>(dice.below(5))];
    const MPI_Op op = drawn.first;
    const MPI_Datatype type = op == MPI_MAXLOC || op == composition_ ? MPI_2INT : MPI_INT;
    const MPI_Comm comm = comm_;
    const Blocks blocks(dice, ranks_, 12);
    const bool at_root = me_ == root;
    const std::size_t size = type == MPI_2INT ? 8 : 4;
    const auto bytes = [=](int count) { return static_cast<std::size_t>(count) * size; };
    const auto from = [=](void* in, bool here) { return in_place && here ? MPI_IN_PLACE : in; };
    const std::string what = std::string(drawn.second) + (in_place ? ", in place" : "");
    switch (kind) {
      case 0:
        return {"reduce: " + what, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Reduce, MPI_Ireduce, PMPI_Reduce, PMPI_Ireduce,
                                from(in, at_root), out, n, type, op, root, comm);
                }};
      case 1:
        return {"allreduce: " + what, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Allreduce, MPI_Iallreduce, PMPI_Allreduce,
                                PMPI_Iallreduce, from(in, true), out, n, type, op, comm);
                }};
      case 2:
        return {"scan: " + what, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Scan, MPI_Iscan, PMPI_Scan, PMPI_Iscan, from(in, true),
                                out, n, type, op, comm);
                }};
      case 3:
        return {"exscan: " + what,
                [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Exscan, MPI_Iexscan, PMPI_Exscan, PMPI_Iexscan,
                                from(in, true), out, n, type, op, comm);
                },
                0, me_ == 0 ? bytes(n) : 0};
      case 4:
        return {"reduce_scatter_block: " + what,
                [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
                                PMPI_Reduce_scatter_block, PMPI_Ireduce_scatter_block,
                                from(in, true), out, n, type, op, comm);
                },
                bytes(n), in_place ? bytes(n * ranks_) : 0};
      default:
        return {
            "reduce_scatter: " + what,
            [=](Calls how, void* in, void* out, MPI_Request* r) {
              return called(how, r, MPI_Reduce_scatter, MPI_Ireduce_scatter, PMPI_Reduce_scatter,
                            PMPI_Ireduce_scatter, from(in, true), out, blocks.counts.data(), type,
                            op, comm);
            },
            bytes(blocks.counts[static_cast<std::size_t>(me_)]),
            in_place ? bytes(std::accumulate(blocks.counts.begin(), blocks.counts.end(), 0)) : 0};
    }
  }

  [[nodiscard]] Drawn of_blocks(Dice& dice, int kind, int root, bool in_place, const Type& type,
                                const std::string& on) const {
    const MPI_Comm comm = comm_;
    const MPI_Datatype handle = type.handle;
    const Blocks blocks(dice, ranks_, 12);
    const int mine = blocks.counts[static_cast<std::size_t>(me_)];
    const bool at_root = me_ == root;
    const auto from = [=](void* in, bool here) { return in_place && here ? MPI_IN_PLACE : in; };
    switch (kind) {
      case 12:
        return {"gatherv of " + on, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Gatherv, MPI_Igatherv, PMPI_Gatherv, PMPI_Igatherv,
                                from(in, at_root), mine, handle, out, blocks.counts.data(),
                                blocks.places.data(), handle, root, comm);
                }};
      case 13:
        return {"scatterv of " + on, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Scatterv, MPI_Iscatterv, PMPI_Scatterv, PMPI_Iscatterv,
                                in, blocks.counts.data(), blocks.places.data(), handle,
                                from(out, at_root), mine, handle, root, comm);
                }};
      case 14:
        return {"allgatherv of " + on, [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Allgatherv, MPI_Iallgatherv, PMPI_Allgatherv,
                                PMPI_Iallgatherv, from(in, true), mine, handle, out,
                                blocks.counts.data(), blocks.places.data(), handle, comm);
                }};
      default: {  // every rank gets as much from all as its own block has
        std::vector<int> received(blocks.counts.size(), mine);
        std::vector<int> places(received.size());
        for (std::size_t rank = 0; rank < places.size(); ++rank)
          places[rank] = static_cast<int>(rank) * mine;
        return {"alltoallv of " + std::string(type.name),
                [=](Calls how, void* in, void* out, MPI_Request* r) {
                  return called(how, r, MPI_Alltoallv, MPI_Ialltoallv, PMPI_Alltoallv,
                                PMPI_Ialltoallv, in, blocks.counts.data(), blocks.places.data(),
                                handle, out, received.data(), places.data(), handle, comm);
                }};
      }
    }
  }

  MPI_Comm comm_;
  std::vector<Type> types_;
  MPI_Op composition_ = MPI_OP_NULL;
  int ranks_ = 1;
  int me_ = 0;
};

/// A call on two memories that are the same before, by both.
struct Pair {
  Drawn drawn;
  Bytes in, out, expected_in, expected_out;
  MPI_Request request = MPI_REQUEST_NULL;
};

std::string fault_of(Pair& pair) {
  if (pair.drawn.undefined_from < pair.drawn.undefined_to) {
    const std::size_t begin = most / 4;
    std::copy(
        pair.expected_out.begin() + static_cast<std::ptrdiff_t>(begin + pair.drawn.undefined_from),
        pair.expected_out.begin() + static_cast<std::ptrdiff_t>(begin + pair.drawn.undefined_to),
        pair.out.begin() + static_cast<std::ptrdiff_t>(begin + pair.drawn.undefined_from));
  }
  if (pair.in != pair.expected_in) return pair.drawn.name + ": the input has changed";
  if (pair.out == pair.expected_out) return {};
  const auto [ours, theirs] = std::ranges::mismatch(pair.out, pair.expected_out);
  return pair.drawn.name + ": byte " +
         std::to_string(ours - pair.out.begin() - static_cast<std::ptrdiff_t>(most / 4)) +
         " of the output is another";
}

/// Up to three calls under way at once.
std::string compare(const Draw& draw, Dice& dice, std::mt19937& own) {
  const bool starts = dice.once_in(2);
  std::vector<Pair> pairs(static_cast<std::size_t>(starts ? 1 + dice.below(3) : 1));
  for (Pair& pair : pairs) {
    pair.drawn = draw(dice);
    pair.in = pair.expected_in = random_memory(own);
    pair.out = pair.expected_out = random_memory(own);
    pair.drawn.call({false, false}, middle(pair.expected_in), middle(pair.expected_out), nullptr);
  }
  std::vector<MPI_Request> requests;
  for (Pair& pair : pairs) {
    pair.drawn.call({true, starts}, middle(pair.in), middle(pair.out), &pair.request);
    if (starts) requests.push_back(pair.request);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  std::string fault;
  for (Pair& pair : pairs)
    if (fault.empty()) fault = fault_of(pair);
  return fault;
}

int count_faults(unsigned seed, int calls) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Dice dice(seed);
  std::mt19937 own(seed + 1000U * static_cast<unsigned>(rank + 1));
  const Draw draw(MPI_COMM_WORLD, types_of_ints());
  int faults = 0;
  for (int call = 0; call < calls; ++call) {
    const std::string fault = compare(draw, dice, own);
    if (fault.empty()) continue;
    std::fprintf(stderr, "rank %d, call %d: %s\n", rank, call, fault.c_str());
    ++faults;
  }
  int all = 0;
  PMPI_Allreduce(&faults, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d calls, %d differences\n", calls, all);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const unsigned seed = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1;
  const int faults = count_faults(seed, argc > 2 ? std::atoi(argv[2]) : 100);
  MPI_Finalize();
  return faults == 0 ? 0 : 1;
}
