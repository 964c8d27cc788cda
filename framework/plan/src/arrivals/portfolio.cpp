// SPDX-License-Identifier: Apache-2.0
#include "portfolio.hpp"

#include <algorithm>
#include <bit>
#include <cartwright/plan/algorithms/clairvoyant.hpp>
#include <cartwright/plan/selection/by_nodes.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

namespace cartwright::plan::arrivals {

namespace {

constexpr std::int64_t most_static_steps = 40'000;  // of a static algorithm that is looked at
constexpr std::size_t most_static = 3;              // that are kept
constexpr double about_as_quick = 1.5;    // a static algorithm that may win if some are late
constexpr double near_the_least = 1.01;   // no better plan is looked for
constexpr int most_rounds_off = 4;        // for plans that follow everybody's arrival
constexpr double worth_it_exact = 0.999;  // of the time of what needs no forecast
constexpr double worth_it = 0.98;

int doublings_to(int ranks) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

/// In how many rounds, counted from the first arrival, somebody comes; more than some are many.
int rounds_with_arrivals(std::span<const Nanoseconds> lateness, Nanoseconds round) {
  std::vector<Nanoseconds> seen;
  for (const Nanoseconds time : lateness) {
    const Nanoseconds at = time / round;
    if (std::ranges::find(seen, at) != seen.end()) continue;
    seen.push_back(at);
    if (seen.size() > 4) break;
  }
  return static_cast<int>(seen.size());
}

}  // namespace

Trials::Trials(std::vector<Samples> arrivals, bool exact)
    : arrivals_(std::move(arrivals)), last_(arrivals_.front()), exact_(exact) {
  for (const Samples& one : arrivals_)
    for (std::size_t run = 0; run < Samples::count; ++run)
      last_.of_run[run] = std::max(last_.of_run[run], one.of_run[run]);
}

Judged Trials::judge(const TimesToEnd& runs) const {
  Judged judged;
  if (exact_) {
    judged.mean = runs.finish_of_one(arrivals_) - last_.of_run.front();
    judged.after_last.of_run.fill(judged.mean);
    return judged;
  }
  judged.after_last = runs.finish(arrivals_);
  for (std::size_t run = 0; run < Samples::count; ++run) {
    judged.after_last.of_run[run] -= last_.of_run[run];
    judged.mean += judged.after_last.of_run[run] / Samples::count;
  }
  return judged;
}

Portfolio::Portfolio(const Problem& problem, const Machine& machine)
    : problem_(problem), costs_(problem, machine), samples_(problem.ranks) {
  if (problem.ranks == 1) {
    known_.push_back({choices(problem, machine).front(), {}, 0.0});
    return;
  }
  clairvoyant_ = algorithm_for_arrivals(problem);
  find_segments();
  find_known(machine);
}

Count Portfolio::bytes_of(int segments) const {
  return (problem_.elements + segments - 1) / segments * problem_.element_size;
}

Nanoseconds Portfolio::ready() const {
  return static_cast<Nanoseconds>(about_as_quick * known_.front().together) + 2 * round_;
}

void Portfolio::find_segments() {
  const int doublings = doublings_to(problem_.ranks);
  Nanoseconds least = std::numeric_limits<Nanoseconds>::max(), least_if_late = least;
  const Count most = std::clamp<Count>(std::min<Count>(problem_.elements, 1024), 1,
                                       affordable_segments(problem_.ranks));
  for (int segments = 1; segments <= most; segments += 1 + segments / 4) {
    const Nanoseconds round = costs_.round(bytes_of(segments));
    if (const Nanoseconds time = (doublings + segments - 1) * round; time < least) {
      least = time;
      segments_ = segments;
    }
    if (const Nanoseconds time = (1 + segments) * round; time < least_if_late) {
      least_if_late = time;
      segments_if_late_ = segments;
    }
  }
  round_ = costs_.round(bytes_of(segments_));
}

void Portfolio::keep_known(Choice choice) {
  TimesToEnd runs = MessageRuns(problem_, costs_, choice).times_to_end(problem_.ranks);
  const std::vector<Samples> together(static_cast<std::size_t>(problem_.ranks));
  const double time = runs.finish_of_one(together);
  known_.push_back({std::move(choice), std::move(runs), time});
}

void Portfolio::find_known(const Machine& machine) {
  std::vector<std::pair<Picoseconds, Choice>> by_formula;
  for (Choice& choice : choices(problem_, machine))
    if (choice.algorithm->make_for == nullptr && steps_of(problem_, choice) <= most_static_steps)
      by_formula.emplace_back(formula_time(problem_, machine, choice), std::move(choice));
  if (problem_.nodes != nullptr) {
    const auto simplest = [&](const Problem& part) { return select_simplest(part, machine); };
    if (auto by_nodes = choice_by_nodes(problem_, simplest, simplest)) {
      by_formula.emplace_back(0, *std::move(by_nodes));
      const GroupStage inside{Operation::reduce, GroupStage::Where::inside};
      if (clairvoyant_ != nullptr && problem_.commutative)
        inside_ =
            simplest(stage_problem(inside, problem_, problem_.nodes->largest_member(0), 1)).name();
    }
  }
  if (by_formula.empty()) by_formula.emplace_back(0, select_simplest(problem_, machine));
  std::ranges::stable_sort(by_formula, {}, &std::pair<Picoseconds, Choice>::first);
  by_formula.resize(std::min(by_formula.size(), 3 * most_static));
  for (auto& [time, choice] : by_formula) keep_known(std::move(choice));
  const auto quicker = [](const Known& a, const Known& b) { return a.together < b.together; };
  std::ranges::stable_sort(known_, quicker);
  if (known_.size() > most_static) known_.erase(known_.begin() + most_static, known_.end());
  if (clairvoyant_ != nullptr)
    for (const int segments : std::set{segments_, segments_if_late_})
      keep_known({clairvoyant_, std::to_string(segments)});
  std::ranges::stable_sort(known_, quicker);
  std::erase_if(known_, [&](const Known& known) {
    return known.together > about_as_quick * known_.front().together;
  });
}

Choice Portfolio::planned(const ArrivalTask& task, PlanRule rule) const {
  std::string tuning = std::to_string(task.segments) + "," + std::to_string(task.round);
  if (problem_.commutative) tuning += "," + std::string(name_of(rule));
  return {clairvoyant_, std::move(tuning), {}, {task.arrivals.begin(), task.arrivals.end()}};
}

// Runs end before plans say, as ranks send while others combine: hardly by more than a round where
// a plan was made backwards from its end, but forward plans by several. Where arrivals are off, or
// some messages are quicker, ends that were planned say little.
Nanoseconds Portfolio::latest_of_use(PlanRule rule, const Trials& trials, const Best& best) const {
  if (rule != PlanRule::backward || !trials.exact() || costs_.nodes() > 1)
    return std::numeric_limits<Nanoseconds>::max();
  return static_cast<Nanoseconds>(trials.last_arrival() + best.judged.mean) + round_;
}

void Portfolio::try_plan(const ArrivalTask& task, PlanRule rule, const Trials& trials,
                         Best& best) const {
  const auto plan = clairvoyant_plan_until(task, problem_.commutative ? rule : PlanRule::ordered,
                                           latest_of_use(rule, trials, best));
  if (!plan) return;
  const Judged judged = trials.judge(TimesToEnd(*plan, costs_, bytes_of(task.segments)));
  if (judged < best.judged) best = {judged, planned(task, rule), true};
}

// Inside of nodes first, also with whole messages: there is little to gain by segments where few go
// from node to node.
void Portfolio::try_near(ArrivalTask task, const Trials& trials, Best& best) const {
  if (problem_.nodes == nullptr || costs_.nodes() == 1 || !problem_.commutative) return;
  std::vector<int> nodes;
  nodes.reserve(static_cast<std::size_t>(problem_.ranks));
  for (int rank = 0; rank < problem_.ranks; ++rank) nodes.push_back(costs_.node_of(rank));
  task.nodes = nodes;
  for (const int segments : std::set{task.segments, 1}) {
    task.segments = segments;
    task.round = costs_.round(bytes_of(segments));
    try_plan(task, PlanRule::near, trials, best);
  }
}

// Who is hardly later than forecasts are off counts as on time: good where few are late, bad where
// all are spread out.
std::vector<Nanoseconds> Portfolio::denoised(std::vector<Nanoseconds> lateness,
                                             const std::vector<Nanoseconds>& deviation) {
  std::vector<Nanoseconds> sorted = lateness;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  for (std::size_t rank = 0; rank < lateness.size(); ++rank)
    if (lateness[rank] < *middle + 3 * deviation[rank]) lateness[rank] = 0;
  return lateness;
}

void Portfolio::try_plans(const std::vector<Nanoseconds>& lateness,
                          const std::vector<Nanoseconds>& deviation, const Trials& trials,
                          Best& best) const {
  const std::vector<Nanoseconds> clear = trials.exact() ? lateness : denoised(lateness, deviation);
  ArrivalTask task{.ranks = problem_.ranks,
                   .root = problem_.root.rank,
                   .segments = segments_,
                   .round = round_,
                   .arrivals = clear};
  const bool few_groups = rounds_with_arrivals(clear, round_) <= 4;
  if (few_groups && *std::ranges::max_element(clear) > 0) {
    try_plan(task, PlanRule::strict, trials, best);
    try_near(task, trials, best);
    if (segments_if_late_ != segments_) {
      ArrivalTask late = task;
      late.segments = segments_if_late_;
      late.round = costs_.round(bytes_of(segments_if_late_));
      try_plan(late, PlanRule::strict, trials, best);
      try_near(late, trials, best);
    }
  }
  const auto latest = static_cast<double>(*std::ranges::max_element(lateness));
  const bool is_near =
      latest + best.judged.mean <= near_the_least * static_cast<double>(earliest_end(task));
  if (few_groups && (is_near || !trials.exact())) return;
  Nanoseconds off = 0;
  for (const Nanoseconds time : deviation) off += time / problem_.ranks;
  if (off > most_rounds_off * round_) return;
  task.arrivals = lateness;
  try_plan(task, problem_.commutative && segments_ > 1 ? PlanRule::backward : PlanRule::strict,
           trials, best);
}

void Portfolio::try_choice(Choice choice, const Trials& trials, Best& best) const {
  const Judged judged =
      trials.judge(MessageRuns(problem_, costs_, choice).times_to_end(problem_.ranks));
  if (judged < best.judged) best = {judged, std::move(choice), true};
}

// Where one comes long after all others.
void Portfolio::try_one_late(const std::vector<Nanoseconds>& lateness, const Trials& trials,
                             Best& best) const {
  const auto late = std::ranges::max_element(lateness);
  Nanoseconds before = 0;
  for (auto other = lateness.begin(); other != lateness.end(); ++other)
    if (other != late) before = std::max(before, *other);
  if (*late - before < 2 * round_) return;
  const std::string rank = std::to_string(late - lateness.begin());
  for (const int segments : std::set{segments_, segments_if_late_})
    try_choice(
        parse_choice(problem_.operation, "one_late(" + rank + "," + std::to_string(segments) + ")"),
        trials, best);
}

// A plan for nodes, each of which comes with its last rank.
void Portfolio::try_by_nodes(const std::vector<Nanoseconds>& lateness, const Trials& trials,
                             Best& best) const {
  const Hierarchy& nodes = *problem_.nodes;
  std::vector<Nanoseconds> of_nodes(static_cast<std::size_t>(nodes.members(0)), 0);
  for (int rank = 0; rank < problem_.ranks; ++rank) {
    Nanoseconds& time =
        of_nodes[static_cast<std::size_t>(nodes.member_at(0, nodes.place_of(rank)))];
    time = std::max(time, lateness[static_cast<std::size_t>(rank)]);
  }
  const Nanoseconds first = *std::ranges::min_element(of_nodes);
  for (Nanoseconds& time : of_nodes) time -= first;
  for (const int segments : std::set{segments_, segments_if_late_}) {
    Choice across{clairvoyant_,
                  std::to_string(segments) + "," +
                      std::to_string(costs_.round(bytes_of(segments))) + ",strict",
                  {},
                  of_nodes};
    try_choice(parse_choice(problem_.operation,
                            "hierarchical(nodes: " + inside_ + " | " + across.name() + ")"),
               trials, best);
  }
}

ArrivalChoice Portfolio::choose(const std::vector<Nanoseconds>& lateness,
                                const std::vector<Nanoseconds>& deviation) const {
  if (problem_.ranks == 1) return {known_.front().choice};
  const bool exact = std::ranges::all_of(deviation, [](Nanoseconds time) { return time == 0; });
  const Trials trials(samples_.around(lateness, deviation), exact);
  Best fixed;
  Judged together;
  for (const Known& known : known_) {
    const Judged judged = trials.judge(known.runs);
    if (&known == known_.data()) together = judged;
    if (&known == known_.data() || judged < fixed.judged) fixed = {judged, known.choice, false};
  }
  Best planned = fixed;
  planned.judged.mean *= exact ? worth_it_exact : worth_it;
  if (*std::ranges::max_element(lateness) >= round_ / 2 && clairvoyant_ != nullptr)
    try_plans(lateness, deviation, trials, planned);
  if (*std::ranges::max_element(lateness) >= round_ / 2 && !inside_.empty())
    try_by_nodes(lateness, trials, planned);
  if (problem_.operation == Operation::allreduce && problem_.commutative)
    try_one_late(lateness, trials, planned);
  const Best& best = planned.is_planned ? planned : fixed;
  const auto median = [](const Judged& judged) {
    auto times = judged.after_last.of_run;
    std::ranges::nth_element(times, times.begin() + times.size() / 2);
    return 1e-9 * times[times.size() / 2];
  };
  return {best.choice, median(best.judged), median(together)};
}

}  // namespace cartwright::plan::arrivals
