// SPDX-License-Identifier: Apache-2.0
// A hash table over all ranks, which count words (numbers, here). Half of the work lies on rank 0:
// who has none steals. The next task is asked for while the last one's words are being counted:
// epochs inside epochs, none of which waits for another.
#include <mpi.h>

#include <cartwright/comm/window.hpp>
#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;
using Word = std::uint64_t;

static constexpr int tasks = 240, words_of_task = 64;
static constexpr Word different = 997, places = 2048;  // of each rank

/// Task `number`, some of whose words are common.
static std::vector<Word> words_of(int number) {
  std::vector<Word> words;
  Word random = static_cast<Word>(number) * 7919 + 1;
  for (int i = 0; i < words_of_task; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    words.push_back(1 + (random >> 40) % (i % 2 == 0 ? different : 11));
  }
  return words;
}

/// Tasks are numbers that each rank gives out, its own first; half of all are rank 0's.
class Tasks {
 public:
  explicit Tasks(const comm::CartComm& cart)
      : given_(comm::Window<int>::allocate(cart, 1, {.name = "tasks"})),
        epoch_(given_.lock_all()),
        ranks_(cart.size()),
        victim_(cart.rank().value) {}
  /// Asks, and doesn't wait.
  void ask() {
    if (tried_ == ranks_) return;
    epoch_.fetch_and_op(rt::Rank{victim_}, 0, 1, mine_, comm::Operator::sum);
    asked_ = epoch_.flush(rt::Rank{victim_});
  }
  /// What was asked for: a task, or -1 if there is none anywhere.
  int take() {
    for (; tried_ < ranks_; ask()) {
      asked_.wait();
      if (begin_of(victim_) + mine_ < begin_of(victim_ + 1)) return begin_of(victim_) + mine_;
      ++tried_;
      victim_ = (victim_ + 1) % ranks_;  // steals there
    }
    return -1;
  }
  void close() { epoch_.unlock().wait(); }

 private:
  [[nodiscard]] int begin_of(int rank) const {
    return rank == 0 ? 0 : tasks / 2 + tasks / 2 * rank / ranks_;
  }

  comm::Window<int> given_;
  comm::LockAllEpoch<int> epoch_;
  comm::EpochRequest asked_;
  int ranks_, victim_, tried_ = 0, mine_ = 0;
};

/// Each place is a word and how often it came; a word's rank and place follow from its bits, and
/// where another one has that place already, it takes the next.
class Table {
 public:
  explicit Table(const comm::CartComm& cart)
      : places_(comm::Window<Word>::allocate(cart, 2 * places, {.name = "table"})),
        epoch_(places_.lock_all()),
        ranks_(static_cast<Word>(cart.size())) {}
  void count(const std::vector<Word>& words) {
    struct Try {
      Word word, place, found;
    };
    std::vector<Try> tries;
    for (const Word word : words) tries.push_back({word, word * 0x9e3779b97f4a7c15U >> 50, 0});
    while (!tries.empty()) {
      for (Try& one : tries)
        epoch_.compare_and_swap(owner(one.word), at(one.place), 0, one.word, one.found);
      epoch_.flush().wait();  // all together
      std::erase_if(tries, [&](Try& one) {
        const bool has_place = one.found == 0 || one.found == one.word;
        if (has_place)
          epoch_.accumulate(owner(one.word), at(one.place) + 1, once_, comm::Operator::sum);
        ++one.place;
        return has_place;
      });
    }
  }
  void close() { epoch_.unlock().wait(); }
  /// What has come to this rank.
  [[nodiscard]] std::span<const Word> local() const { return places_.local(); }

 private:
  [[nodiscard]] rt::Rank owner(Word word) const { return {static_cast<int>(word % ranks_)}; }
  [[nodiscard]] static long long at(Word place) {
    return static_cast<long long>(2 * (place % places));
  }

  comm::Window<Word> places_;
  comm::LockAllEpoch<Word> epoch_;
  Word ranks_;
  std::vector<Word> once_{1};
};

static void run() {
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const comm::CartComm cart(world, engine, {.dims = {world.size()}});
  Tasks todo(cart);
  Table table(cart);
  int done = 0;
  todo.ask();
  for (int task = todo.take(); task >= 0; task = todo.take()) {
    todo.ask();  // is answered while this one is worked on
    table.count(words_of(task));
    ++done;
  }
  todo.close();
  table.close();
  cart.start_barrier().wait();  // serves others until then

  std::map<Word, Word> expected;
  for (int task = 0; task < tasks; ++task)
    for (const Word word : words_of(task)) ++expected[word];
  std::vector<long long> sums{0, 0, done};  // words, those with the right count, tasks
  for (std::size_t i = 0; i < table.local().size(); i += 2) {
    const Word word = table.local()[i];
    if (word == 0) continue;
    ++sums[0];
    sums[1] += expected[word] == table.local()[i + 1] ? 1 : 0;
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
