// SPDX-License-Identifier: Apache-2.0
// A hash table over all ranks that counts words (numbers, here), and tasks that ranks take from
// each other.
#pragma once

#include <cartwright/comm/window.hpp>
#include <cstdint>
#include <vector>

using Word = std::uint64_t;

/// Work for `ranks`: tasks of as many words each; half of the tasks are rank 0's.
struct WordTasks {
  int tasks = 240, words_of_task = 64;
  int ranks = 1;
  static constexpr Word different = 997;

  /// Of task `number`; some of them are common.
  [[nodiscard]] std::vector<Word> words_of(int number) const {
    std::vector<Word> words;
    Word random = static_cast<Word>(number) * 7919 + 1;
    for (int i = 0; i < words_of_task; ++i) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      words.push_back(1 + (random >> 40) % (i % 2 == 0 ? different : 11));
    }
    return words;
  }
  /// The first task of a rank's own; of `ranks`: how many there are.
  [[nodiscard]] int begin_of(int rank) const {
    return rank == 0 ? 0 : tasks / 2 + tasks / 2 * rank / ranks;
  }
};

/// Where a word's count is: its rank and place follow from its bits.
struct WordPlaces {
  Word ranks = 1;
  static constexpr Word of_each_rank = 2048;

  [[nodiscard]] int owner(Word word) const { return static_cast<int>(word % ranks); }
  static Word first_place(Word word) { return word * 0x9e3779b97f4a7c15U >> 50; }
  /// A place is a word, and how often it came.
  static long long at(Word place) { return static_cast<long long>(2 * (place % of_each_rank)); }
};

/// Tasks are numbers that each rank gives out, its own first; whose own are gone steals.
class StolenTasks {
 public:
  /// Collective. `waits`: an answer is waited for where it is asked for, as MPI's are.
  StolenTasks(const cartwright::comm::CartComm& cart, const WordTasks& tasks, bool waits = false)
      : given_(cartwright::comm::Window<int>::allocate(cart, 1, {.name = "tasks"})),
        epoch_(given_.lock_all()),
        tasks_(tasks),
        me_(cart.rank().value),
        victim_(me_),
        waits_(waits) {}
  /// Asks, and doesn't wait.
  void ask() {
    if (tried_ == tasks_.ranks) return;
    const cartwright::rt::Rank victim{victim_};
    epoch_.fetch_and_op(victim, 0, 1, mine_, cartwright::comm::Operator::sum);
    asked_ = epoch_.flush(victim);
    if (waits_) asked_.wait();
  }
  /// What was asked for: a task, or -1 if there is none anywhere.
  int take() {
    for (; tried_ < tasks_.ranks; ask()) {
      asked_.wait();
      const int task = tasks_.begin_of(victim_) + mine_;
      if (task < tasks_.begin_of(victim_ + 1)) return task;
      ++tried_;
      victim_ = (victim_ + 1) % tasks_.ranks;  // steals there
    }
    return -1;
  }
  /// All of this rank's can be taken again: while nobody takes any.
  void give_again() {
    given_.local()[0] = 0;
    tried_ = 0;
    victim_ = me_;
  }
  void close() { epoch_.unlock().wait(); }

 private:
  cartwright::comm::Window<int> given_;
  cartwright::comm::LockAllEpoch<int> epoch_;
  cartwright::comm::EpochRequest asked_;
  WordTasks tasks_;
  int me_, victim_, tried_ = 0, mine_ = 0;
  bool waits_;
};

/// Where another word has a place already, a word takes the next.
class WordTable {
 public:
  /// Collective. `waits`: each try is waited for by itself.
  explicit WordTable(const cartwright::comm::CartComm& cart, bool waits = false)
      : table_(cartwright::comm::Window<Word>::allocate(cart, 2 * WordPlaces::of_each_rank,
                                                        {.name = "table"})),
        epoch_(table_.lock_all()),
        places_{static_cast<Word>(cart.size())},
        waits_(waits) {}
  void count(const std::vector<Word>& words) {
    struct Try {
      Word word, place, found;
    };
    std::vector<Try> tries;
    for (const Word word : words) tries.push_back({word, WordPlaces::first_place(word), 0});
    while (!tries.empty()) {
      for (Try& one : tries) {
        epoch_.compare_and_swap(owner(one.word), WordPlaces::at(one.place), 0, one.word, one.found);
        if (waits_) epoch_.flush(owner(one.word)).wait();
      }
      epoch_.flush().wait();  // all together
      std::erase_if(tries, [&](Try& one) {
        const bool has_place = one.found == 0 || one.found == one.word;
        if (has_place)
          epoch_.accumulate(owner(one.word), WordPlaces::at(one.place) + 1, once_,
                            cartwright::comm::Operator::sum);
        ++one.place;
        return has_place;
      });
    }
  }
  /// What this rank has counted is in the table.
  void finish() { epoch_.flush().wait(); }
  void close() { epoch_.unlock().wait(); }
  /// What has come to this rank.
  [[nodiscard]] std::span<const Word> local() const { return table_.local(); }

 private:
  [[nodiscard]] cartwright::rt::Rank owner(Word word) const { return {places_.owner(word)}; }

  cartwright::comm::Window<Word> table_;
  cartwright::comm::LockAllEpoch<Word> epoch_;
  WordPlaces places_;
  bool waits_;
  std::vector<Word> once_{1};
};
