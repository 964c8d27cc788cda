// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <map>
#include <word_table.hpp>

#include "../common/race.hpp"
#include "../peer/mpi_window.hpp"
#include "applications.hpp"
#include "ways.hpp"

namespace cartwright::bench {
namespace {

/// As StolenTasks, by the MPI library's windows.
class MpiTasks {
 public:
  MpiTasks(const comm::CartComm& cart, const WordTasks& tasks)
      : given_(cart.communicator(), sizeof(int)), tasks_(tasks), me_(cart.rank().value) {
    give_again();
    given_.lock_all();
  }
  ~MpiTasks() { given_.unlock_all(); }
  MpiTasks(const MpiTasks&) = delete;
  MpiTasks& operator=(const MpiTasks&) = delete;

  void ask() {
    if (tried_ < tasks_.ranks) given_.fetch_and_add(victim_, 1, mine_);
  }
  int take() {
    for (; tried_ < tasks_.ranks; ask()) {
      const int task = tasks_.begin_of(victim_) + mine_;
      if (task < tasks_.begin_of(victim_ + 1)) return task;
      ++tried_;
      victim_ = (victim_ + 1) % tasks_.ranks;
    }
    return -1;
  }
  void give_again() {
    *reinterpret_cast<int*>(given_.memory()) = 0;
    tried_ = 0;
    victim_ = me_;
  }

 private:
  MpiWindow given_;
  WordTasks tasks_;
  int me_, victim_ = 0, tried_ = 0, mine_ = 0;
};

/// As WordTable, by the MPI library's windows; all words of a task are tried together.
class MpiTable {
 public:
  explicit MpiTable(const comm::CartComm& cart)
      : table_(cart.communicator(), bytes), places_{static_cast<Word>(cart.size())} {
    std::fill_n(table_.memory(), bytes, std::byte{0});
    cart.start_barrier().wait();
    table_.lock_all();
  }
  ~MpiTable() { table_.unlock_all(); }
  MpiTable(const MpiTable&) = delete;
  MpiTable& operator=(const MpiTable&) = delete;

  void count(const std::vector<Word>& words) {
    struct Try {
      long long word;
      Word place;
      long long found;
    };
    static constexpr long long nobody = 0, once = 1;
    std::vector<Try> tries;
    tries.reserve(words.size());
    for (const Word word : words)
      tries.push_back({static_cast<long long>(word), WordPlaces::first_place(word), 0});
    while (!tries.empty()) {
      for (Try& one : tries)
        table_.compare_and_swap(owner(one.word), nobody, one.word, one.found, at(one.place));
      table_.flush_all();
      std::erase_if(tries, [&](Try& one) {
        const bool has_place = one.found == 0 || one.found == one.word;
        if (has_place) table_.add(owner(one.word), &once, 1, at(one.place) + sizeof(long long));
        ++one.place;
        return has_place;
      });
    }
  }
  void finish() const { table_.flush_all(); }
  [[nodiscard]] std::span<const Word> local() const {
    return {reinterpret_cast<const Word*>(table_.memory()), bytes / sizeof(Word)};
  }

 private:
  static constexpr std::size_t bytes = 2 * WordPlaces::of_each_rank * sizeof(Word);
  [[nodiscard]] int owner(long long word) const { return places_.owner(static_cast<Word>(word)); }
  static std::size_t at(Word place) {
    return static_cast<std::size_t>(WordPlaces::at(place)) * sizeof(Word);
  }

  MpiWindow table_;
  WordPlaces places_;
};

/// One contestant: everything is counted once more in each run.
template <class Tasks, class Table>
class Words {
 public:
  Words(const comm::CartComm& cart, const WordTasks& all, Tasks& todo, Table& table)
      : cart_(&cart), all_(all), todo_(&todo), table_(&table) {}

  void run() {
    todo_->ask();
    for (int task = todo_->take(); task >= 0; task = todo_->take()) {
      todo_->ask();
      table_->count(all_.words_of(task));
    }
    table_->finish();
    cart_->start_barrier().wait();  // serves others until then
    todo_->give_again();
    cart_->start_barrier().wait();
    ++runs_;
  }
  /// Collective, after the last run: whether all words were counted as often as they came.
  [[nodiscard]] bool is_right() const {
    std::map<Word, Word> expected;
    for (int task = 0; task < all_.tasks; ++task)
      for (const Word word : all_.words_of(task)) expected[word] += runs_;
    const std::span<const Word> local = table_->local();
    long long right = 0;
    for (std::size_t i = 0; i < local.size(); i += 2)
      if (const auto found = expected.find(local[i]); found != expected.end())
        right += found->second == local[i + 1] ? 1 : 0;
    return cart_->allreduce(right, comm::Operator::sum) == static_cast<long long>(expected.size());
  }

 private:
  const comm::CartComm* cart_;
  WordTasks all_;
  Tasks* todo_;
  Table* table_;
  Word runs_ = 0;
};

void measure_way(const comm::CartComm& cart, bool by_messages, const Setting& setting,
                 Results& results) {
  const WordTasks tasks{.tasks = by_messages ? 64 : 240, .ranks = cart.size()};
  StolenTasks our_tasks(cart, tasks), waiting_tasks(cart, tasks, true);
  WordTable our_table(cart), waiting_table(cart, true);
  MpiTasks mpi_tasks(cart, tasks);
  MpiTable mpi_table(cart);
  Words together(cart, tasks, our_tasks, our_table);
  Words waiting(cart, tasks, waiting_tasks, waiting_table);
  Words peer(cart, tasks, mpi_tasks, mpi_table);
  const std::vector<std::function<void()>> all{[&] { together.run(); }, [&] { waiting.run(); },
                                               [&] { peer.run(); }};
  const auto samples =
      race(setting.world, all,
           {.seconds = setting.options.quick ? 3.0 : 15.0, .fewest_rounds = 5, .patience = 2.0});
  if (!together.is_right() || !waiting.is_right() || !peer.is_right())
    throw rt::numerical_failure("words were lost", {}, rt::Reach::all_ranks);
  for (StolenTasks* const todo : {&our_tasks, &waiting_tasks}) todo->close();
  for (WordTable* const table : {&our_table, &waiting_table}) table->close();
  cart.start_barrier().wait();
  const std::string way = name_of_way(by_messages);
  for (const bool is_peer : {false, true}) {
    const std::string against = is_peer ? "MPI's" : "ours that wait";
    results.add(
        Case::of_times(fmt::format("hash table, {}, against {}, {}", way, against, setting.layout),
                       {{"way", way},
                        {"against", against},
                        {"words", tasks.tasks * tasks.words_of_task},
                        {"layout", setting.layout}},
                       samples[0], samples[is_peer ? 2 : 1]));
  }
}

}  // namespace

void measure_words(const rt::Communicator& world, const Setting& setting, Results& results) {
  for (const bool by_messages : {false, true})
    on_way(world, by_messages,
           [&](const comm::CartComm& cart) { measure_way(cart, by_messages, setting, results); });
}

}  // namespace cartwright::bench
