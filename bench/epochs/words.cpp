// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/error.hpp>
#include <map>
#include <word_table.hpp>

#include "../peer/mpi_window.hpp"
#include "applications.hpp"
#include "contest.hpp"
#include "ways.hpp"

namespace cartwright::bench {
namespace {

/// As TaskEpochs, by the MPI library's windows.
class MpiTasks {
 public:
  explicit MpiTasks(const comm::CartComm& cart) : given_(cart.communicator(), sizeof(int)) {
    reset();
    cart.start_barrier().wait();
    given_.lock_all();
  }
  ~MpiTasks() { given_.unlock_all(); }
  MpiTasks(const MpiTasks&) = delete;
  MpiTasks& operator=(const MpiTasks&) = delete;

  void ask(int rank) { given_.fetch_and_add(rank, 1, answer_); }
  [[nodiscard]] int answer() const { return answer_; }
  void reset() { *reinterpret_cast<int*>(given_.memory()) = 0; }

 private:
  MpiWindow given_;
  int answer_ = 0;
};

/// As PlaceEpochs, by the MPI library's windows; all words of a task are tried together.
class MpiPlaces {
 public:
  explicit MpiPlaces(const comm::CartComm& cart) : table_(cart.communicator(), bytes) {
    std::fill_n(table_.memory(), bytes, std::byte{0});
    cart.start_barrier().wait();
    table_.lock_all();
  }
  ~MpiPlaces() { table_.unlock_all(); }
  MpiPlaces(const MpiPlaces&) = delete;
  MpiPlaces& operator=(const MpiPlaces&) = delete;

  void claim(int rank, long long at, const Word& word, Word& found) const {
    static constexpr Word nobody = 0;
    table_.compare_and_swap(rank, nobody, word, found, byte_of(at));
  }
  void count(int rank, long long at) const {
    static constexpr long long once = 1;
    table_.add(rank, &once, 1, byte_of(at + 1));
  }
  void finish() const { table_.flush_all(); }
  [[nodiscard]] std::span<const Word> local() const {
    return {reinterpret_cast<const Word*>(table_.memory()), bytes / sizeof(Word)};
  }

 private:
  static constexpr std::size_t bytes = 2 * PlaceEpochs::of_each_rank * sizeof(Word);
  static std::size_t byte_of(long long at) { return static_cast<std::size_t>(at) * sizeof(Word); }

  MpiWindow table_;
};

/// One contestant: everything is counted once more in each run.
template <class Numbers, class Places>
class Words {
 public:
  Words(const comm::CartComm& cart, const WordTasks& all, Numbers& numbers, Places& places)
      : cart_(&cart),
        all_(all),
        todo_(all, cart.rank().value, numbers),
        table_(cart.size(), places),
        places_(&places) {}

  void run() {
    todo_.ask();
    for (int task = todo_.take(); task >= 0; task = todo_.take()) {
      todo_.ask();
      table_.count(all_.words_of(task));
    }
    places_->finish();
    cart_->start_barrier().wait();  // serves others until then
    todo_.give_again();
    cart_->start_barrier().wait();
    ++runs_;
  }
  /// Collective, after the last run: whether all words were counted as often as they came.
  [[nodiscard]] bool is_right() const {
    std::map<Word, Word> expected;
    for (int task = 0; task < all_.tasks; ++task)
      for (const Word word : all_.words_of(task)) expected[word] += runs_;
    const std::span<const Word> local = places_->local();
    long long right = 0;
    for (std::size_t i = 0; i < local.size(); i += 2)
      if (const auto found = expected.find(local[i]); found != expected.end())
        right += found->second == local[i + 1] ? 1 : 0;
    return cart_->allreduce(right, comm::Operator::sum) == static_cast<long long>(expected.size());
  }

 private:
  const comm::CartComm* cart_;
  WordTasks all_;
  StolenTasks<Numbers> todo_;
  WordTable<Places> table_;
  Places* places_;
  Word runs_ = 0;
};

void measure_way(const comm::CartComm& cart, bool by_messages, const Setting& setting,
                 Results& results) {
  const WordTasks tasks{.tasks = by_messages ? 64 : 240, .ranks = cart.size()};
  TaskEpochs numbers(cart), waiting_numbers(cart, true);
  PlaceEpochs places(cart), waiting_places(cart, true);
  MpiTasks mpi_numbers(cart);
  MpiPlaces mpi_places(cart);
  Words together(cart, tasks, numbers, places);
  Words waiting(cart, tasks, waiting_numbers, waiting_places);
  Words peer(cart, tasks, mpi_numbers, mpi_places);
  race_contest(
      {.what = "hash table",
       .peer = "MPI's",
       .way = name_of_way(by_messages),
       .parameters = {{"words", tasks.tasks * tasks.words_of_task}},
       .contestants = {[&] { together.run(); }, [&] { waiting.run(); }, [&] { peer.run(); }}},
      {.seconds = setting.options.quick ? 3.0 : 15.0, .fewest_rounds = 5, .patience = 2.0}, setting,
      results);
  if (!together.is_right() || !waiting.is_right() || !peer.is_right())
    throw rt::numerical_failure("words were lost", {}, rt::Reach::all_ranks);
  for (TaskEpochs* const each : {&numbers, &waiting_numbers}) each->close();
  for (PlaceEpochs* const each : {&places, &waiting_places}) each->close();
  cart.start_barrier().wait();
}

}  // namespace

void measure_words(const rt::Communicator& world, const Setting& setting, Results& results) {
  by_both_ways(world, [&](const comm::CartComm& cart, bool by_messages) {
    measure_way(cart, by_messages, setting, results);
  });
}

}  // namespace cartwright::bench
