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

/// How many of its tasks each rank has given out: a number that others raise.
class TaskEpochs {
 public:
  /// Collective. `waits`: an answer is waited for where it is asked for, as MPI's are.
  explicit TaskEpochs(const cartwright::comm::CartComm& cart, bool waits = false)
      : given_(cartwright::comm::Window<int>::allocate(cart, 1, {.name = "tasks"})),
        epoch_(given_.lock_all()),
        waits_(waits) {}
  void ask(int rank) {
    epoch_.fetch_and_op(cartwright::rt::Rank{rank}, 0, 1, answer_, cartwright::comm::Operator::sum);
    asked_ = epoch_.flush(cartwright::rt::Rank{rank});
    if (waits_) asked_.wait();
  }
  int answer() {
    asked_.wait();
    return answer_;
  }
  /// None of this rank's: while nobody asks.
  void reset() { given_.local()[0] = 0; }
  void close() { epoch_.unlock().wait(); }

 private:
  cartwright::comm::Window<int> given_;
  cartwright::comm::LockAllEpoch<int> epoch_;
  cartwright::comm::EpochRequest asked_;
  int answer_ = 0;
  bool waits_;
};

/// A rank's own tasks come first; whose own are gone steals. `Numbers`: as TaskEpochs.
template <class Numbers>
class StolenTasks {
 public:
  StolenTasks(const WordTasks& tasks, int me, Numbers& numbers)
      : tasks_(tasks), numbers_(&numbers), me_(me), victim_(me) {}
  /// Asks, and doesn't wait.
  void ask() {
    if (tried_ < tasks_.ranks) numbers_->ask(victim_);
  }
  /// What was asked for: a task, or -1 if there is none anywhere.
  int take() {
    for (; tried_ < tasks_.ranks; ask()) {
      const int task = tasks_.begin_of(victim_) + numbers_->answer();
      if (task < tasks_.begin_of(victim_ + 1)) return task;
      ++tried_;
      victim_ = (victim_ + 1) % tasks_.ranks;  // steals there
    }
    return -1;
  }
  /// All of this rank's can be taken again: while nobody takes any.
  void give_again() {
    numbers_->reset();
    tried_ = 0;
    victim_ = me_;
  }

 private:
  WordTasks tasks_;
  Numbers* numbers_;
  int me_, victim_, tried_ = 0;
};

/// Places of words on all ranks: at an even number a word, and behind it how often it came.
class PlaceEpochs {
 public:
  static constexpr Word of_each_rank = 2048;

  /// Collective. `waits`: each try is waited for by itself.
  explicit PlaceEpochs(const cartwright::comm::CartComm& cart, bool waits = false)
      : table_(cartwright::comm::Window<Word>::allocate(cart, 2 * of_each_rank, {.name = "table"})),
        epoch_(table_.lock_all()),
        waits_(waits) {}
  /// Who is there then: nobody (0), the word, or another one.
  void claim(int rank, long long at, const Word& word, Word& found) {
    epoch_.compare_and_swap(cartwright::rt::Rank{rank}, at, 0, word, found);
    if (waits_) epoch_.flush(cartwright::rt::Rank{rank}).wait();
  }
  void count(int rank, long long at) {
    epoch_.accumulate(cartwright::rt::Rank{rank}, at + 1, once_, cartwright::comm::Operator::sum);
  }
  /// All that was asked for has been done.
  void finish() { epoch_.flush().wait(); }
  void close() { epoch_.unlock().wait(); }
  /// What has come to this rank.
  [[nodiscard]] std::span<const Word> local() const { return table_.local(); }

 private:
  cartwright::comm::Window<Word> table_;
  cartwright::comm::LockAllEpoch<Word> epoch_;
  bool waits_;
  std::vector<Word> once_{1};
};

/// A word's rank and place follow from its bits; where another word has a place already, it takes
/// the next. `Places`: as PlaceEpochs.
template <class Places>
class WordTable {
 public:
  WordTable(int ranks, Places& places) : ranks_(static_cast<Word>(ranks)), places_(&places) {}
  void count(const std::vector<Word>& words) {
    struct Try {
      Word word, place, found;
    };
    std::vector<Try> tries;
    tries.reserve(words.size());
    for (const Word word : words) tries.push_back({word, word * 0x9e3779b97f4a7c15U >> 50, 0});
    while (!tries.empty()) {
      for (Try& one : tries) places_->claim(owner(one.word), at(one.place), one.word, one.found);
      places_->finish();  // all together
      std::erase_if(tries, [&](Try& one) {
        const bool has_place = one.found == 0 || one.found == one.word;
        if (has_place) places_->count(owner(one.word), at(one.place));
        ++one.place;
        return has_place;
      });
    }
  }

 private:
  [[nodiscard]] int owner(Word word) const { return static_cast<int>(word % ranks_); }
  static long long at(Word place) {
    return static_cast<long long>(2 * (place % PlaceEpochs::of_each_rank));
  }

  Word ranks_;
  Places* places_;
};
