// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/backends/native_backend.hpp>
#include <cartwright/comm/backends/tune.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/ticks.hpp>
#include <memory>
#include <span>
#include <utility>

namespace cartwright::comm {

namespace {

/// One way to carry out a problem.
struct Way {
  BackendId backend = BackendId::native;
  std::string algorithm;
  std::unique_ptr<Backend> own;  // none: native
  Backend* runs = nullptr;
  std::vector<double> samples;  // s for a call
  double median = 0;
};

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The longest time of all ranks, which so agree on all that follows from it.
double slowest(const rt::Communicator& comm, double seconds) {
  return rt::combined(comm, seconds, rt::Combine::largest);
}

/// Memory for a problem and its call.
class Trial {
 public:
  explicit Trial(const plan::Problem& problem)
      : input_(buffer_bytes(problem)), output_(buffer_bytes(problem)) {
    call_ = {.operation = problem.operation,
             .input = input_.data(),
             .output = output_.data(),
             .element = {sizeof(double), ScalarType::float64},
             .count = problem.operation == plan::Operation::barrier ? 0 : problem.elements,
             .root = rt::Rank{problem.root.rank}};
    if (plan::is_reduction(problem.operation))
      call_.reduction = predefined(Operator::sum, ScalarType::float64);
  }
  [[nodiscard]] const Call& call() const { return call_; }
  static std::size_t buffer_bytes(const plan::Problem& problem) {
    const plan::Count blocks = plan::has_rank_blocks(problem.operation) ? problem.ranks : 1;
    return static_cast<std::size_t>(problem.bytes() * blocks);
  }

 private:
  std::vector<std::byte> input_;
  std::vector<std::byte> output_;
  Call call_;
};

double time_of_calls(Backend& backend, const Call& call, const rt::Communicator& comm, int calls) {
  comm.barrier();
  const rt::Ticks begin = rt::now();
  for (int i = 0; i < calls; ++i) backend.run(call);
  return slowest(comm, rt::seconds_between(begin, rt::now())) / calls;
}

/// Samples of a batch of calls that is long enough for the clock, until the time is over.
void sample(Way& way, const Call& call, const rt::Communicator& comm, double seconds) {
  constexpr double shortest_batch = 200e-6;
  constexpr int most_calls = 1000;
  const double once = time_of_calls(*way.runs, call, comm, 1);
  const int calls =
      std::clamp(static_cast<int>(shortest_batch / std::max(once, 1e-7)), 1, most_calls);
  double spent = 0;
  do {
    way.samples.push_back(time_of_calls(*way.runs, call, comm, calls));
    spent += way.samples.back() * calls;
  } while (spent < seconds);
  way.median = median_of(way.samples);
}

/// Native by its blocking forms, and polled, as `auto` runs it; then every schedule that is worth a
/// try.
std::vector<Way> ways_for(const plan::Problem& problem, const Backends& backends,
                          Backend& blocking) {
  std::vector<Way> ways(2);
  ways[0].runs = &blocking;
  ways[1].runs = &backends.find(BackendId::native);
  for (const BackendId backend : backends.scheduled()) {
    std::vector<plan::Choice> choices = plan::choices(problem, backends.selection().machine());
    const plan::Choice usual = backends.selection().decide_for(backend, problem).choice;
    const auto is_usual = [&](const plan::Choice& choice) { return choice.name() == usual.name(); };
    if (std::ranges::none_of(choices, is_usual)) choices.push_back(usual);
    for (const plan::Choice& choice : choices) {
      Way way;
      way.backend = backend;
      way.algorithm = choice.name();
      way.own = backends.running(backend, [choice](const plan::Problem&) { return choice; });
      way.runs = way.own.get();
      ways.push_back(std::move(way));
    }
  }
  return ways;
}

/// Native stays the first, by itself and as `auto` runs it; the others from the quickest on.
void keep_quickest(std::vector<Way>& ways, std::size_t most) {
  std::ranges::stable_sort(ways.begin() + 2, ways.end(), {}, &Way::median);
  if (ways.size() > most + 2) ways.resize(most + 2);
}

TunedWinner winner_of(const plan::Problem& problem, const rt::Communicator& comm,
                      const Backends& backends, Backend& blocking, const TuningEffort& effort) {
  const Trial trial(problem);
  auto ways = ways_for(problem, backends, blocking);
  for (Way& way : ways) sample(way, trial.call(), comm, effort.first_look);
  keep_quickest(ways, static_cast<std::size_t>(effort.finalists));
  constexpr int turns = 5;
  for (Way& way : ways) way.samples.clear();
  for (int turn = 0; turn < turns; ++turn)
    for (Way& way : ways) sample(way, trial.call(), comm, effort.final_look / turns);
  keep_quickest(ways, 1);
  const Way& native = ways[1];
  const bool is_clear = ways.size() > 2 && ways[2].median * effort.clear_gain < native.median;
  const Way& best = is_clear ? ways[2] : native;
  return {.operation = problem.operation,
          .bytes = problem.bytes(),
          .backend = best.backend,
          .algorithm = best.algorithm,
          .seconds = best.median,
          .native_seconds = ways[0].median};
}

std::vector<plan::Problem> problems_of(const TuningEffort& effort, int ranks) {
  std::vector<plan::Problem> problems;
  const auto all = plan::operations();
  const std::span<const plan::Operation> operations =
      effort.operations.empty() ? all : std::span<const plan::Operation>(effort.operations);
  for (const plan::Operation operation : operations) {
    for (const plan::Count bytes : effort.bytes) {
      plan::Problem problem{.operation = operation, .ranks = ranks};
      const bool has_data = operation != plan::Operation::barrier;
      problem.elements = has_data ? std::max<plan::Count>(1, bytes / problem.element_size) : 0;
      if (static_cast<plan::Count>(Trial::buffer_bytes(problem)) <= effort.most_bytes)
        problems.push_back(problem);
      if (!has_data) break;
    }
  }
  return problems;
}

}  // namespace

TuningTable tune(const rt::Communicator& comm, const Backends& backends, const TuningEffort& effort,
                 const TuningProgress& progress) {
  TuningTable table;
  const auto problems = problems_of(effort, comm.size());
  NativeBackend blocking(comm, backends.engine(), P2pChannel(comm));
  int done = 0;
  for (plan::Problem problem : problems) {
    problem.nodes = backends.selection().nodes();
    if (progress)
      progress(done++, static_cast<int>(problems.size()),
               fmt::format("{} of {} bytes, {} ranks", plan::name_of(problem.operation),
                           problem.bytes(), problem.ranks));
    table.add(backends.selection().shape(), winner_of(problem, comm, backends, blocking, effort));
  }
  return table;
}

}  // namespace cartwright::comm
