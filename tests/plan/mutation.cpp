// SPDX-License-Identifier: Apache-2.0
#include "mutation.hpp"

#include "local_meaning.hpp"
#include "schedule_editor.hpp"

#include <cartwright/plan/dependencies.hpp>
#include <cartwright/plan/describe.hpp>

#include <optional>

namespace cartwright::plan::test {

namespace {

// Which changes can leave a schedule as good as it was. All others are faults: every step is
// needed, from or to the rank that it names and at the blocks that it names.
bool may_be_harmless(const std::string& what, const Step& step, Order order) {
  // In place, a block may be copied to where it came from.
  if (step.kind == StepKind::copy) return true;
  // A combination that overwrites none of its operands.
  if (what == "doubled") return true;
  // Another one that holds the same: after a copy, or what is not yet overwritten.
  if (what == "other buffer") return true;
  // Blocks more than needed, which a later step overwrites.
  if (what == "other number of blocks") return true;
  // (a ∘ b) ∘ c in place of a ∘ (b ∘ c), of an expression that only one rank evaluates.
  if (what == "swapped with the next dependent one") return true;
  return what == "other side" && order == Order::commutative;
}

class Mutations {
 public:
  Mutations(const Trial& trial, const std::function<std::string(const Trial&)>& check, Order order,
            const std::function<Extent(int rank)>& result)
      : trial_(trial), check_(check), order_(order), result_(result) {
    for (int r = 0; r < trial.ranks; ++r)
      schedules_.push_back(trial.make({trial.ranks, r, trial.place}));
  }

  MutationReport run() && {
    if (const auto wrong = check_(trial_); !wrong.empty()) report_.missed.push_back(wrong);
    for (rank_ = 0; rank_ < trial_.ranks; ++rank_) {
      original_ = schedules_[static_cast<std::size_t>(rank_)];
      const Dependencies dependencies(original_);
      for (std::size_t i = 0; i < original_.steps().size(); ++i) {
        try_order(i, dependencies);
        if (original_.steps()[i].peer >= 0) try_peers(i);
        if (!original_.signals()) try_slices(i);
        if (!original_.signals()) try_side(i);
      }
    }
    return std::move(report_);
  }

 private:
  using Steps = std::vector<Step>;

  void try_order(std::size_t i, const Dependencies& dependencies) {
    try_both("dropped", i,
             [i](Steps& steps) { steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i)); });
    try_both("doubled", i, [i](Steps& steps) {
      steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(i), Step(steps[i]));
    });
    const std::optional<std::size_t> next = next_dependent(i, dependencies);
    if (!next) return;
    try_both("swapped with the next dependent one", i, [i, next](Steps& steps) {
      std::swap(steps[i], steps[*next]);
      std::swap(steps[i].round, steps[*next].round);
    });
  }

  [[nodiscard]] std::optional<std::size_t> next_dependent(std::size_t i,
                                                          const Dependencies& dependencies) const {
    for (std::size_t j = i + 1; j < original_.steps().size(); ++j)
      if (std::ranges::find(dependencies.before(j), static_cast<std::int32_t>(i)) !=
          dependencies.before(j).end())
        return j;
    return {};
  }

  void try_peers(std::size_t i) {
    for (const int other : {1, trial_.ranks - 1})
      try_both("other rank", i,
               [&, i](Steps& steps) { steps[i].peer = (steps[i].peer + other) % trial_.ranks; });
  }

  void try_slices(std::size_t i) {
    const Step step = original_.steps()[i];
    if (step.reads_source()) try_slice(i, &Step::source_buffer, &Step::source_first);
    if (step.reads_operand()) try_slice(i, &Step::operand_buffer, &Step::operand_first);
    if (step.writes()) try_slice(i, &Step::target_buffer, &Step::target_first);
    for (const int more : {-1, 1})
      try_one("other number of blocks", i, [=](Steps& steps) { steps[i].count += more; });
  }

  void try_slice(std::size_t i, Buffer Step::*buffer, std::int32_t Step::*first) {
    const int buffers =
        std::min(static_cast<int>(Buffer::scratch) + original_.scratch_buffers(), 6);
    for (int b = 0; b < buffers; ++b)
      if (static_cast<Buffer>(b) != original_.steps()[i].*buffer)
        try_one("other buffer", i,
                [=](Steps& steps) { steps[i].*buffer = static_cast<Buffer>(b); });
    const int blocks = original_.blocks();
    if (blocks == 1) return;
    for (const int by : {1, blocks - 1})
      try_one("shifted slice", i,
              [=](Steps& steps) { steps[i].*first = (steps[i].*first + by) % blocks; });
  }

  void try_side(std::size_t i) {
    const Step& step = original_.steps()[i];
    if (step.kind == StepKind::receive_combine)
      try_one("other side", i, [i](Steps& steps) {
        steps[i].received = steps[i].received == Side::left ? Side::right : Side::left;
      });
    if (step.kind == StepKind::combine)
      try_one("other side", i, [i](Steps& steps) {
        std::swap(steps[i].source_buffer, steps[i].operand_buffer);
        std::swap(steps[i].source_first, steps[i].operand_first);
      });
  }

  // With the messages numbered as they were, and as a builder would number them now.
  template <class Change>
  void try_both(const char* what, std::size_t i, const Change& change) {
    const Step step = original_.steps()[i];
    try_one(what, i, change);
    if (step.peer >= 0) try_one(what, i, change, true);
  }

  template <class Change>
  void try_one(const char* what, std::size_t i, const Change& change, bool numbers_anew = false) {
    ScheduleEditor editor(original_);
    change(editor.steps());
    if (numbers_anew) editor.number_messages();
    auto& mutant = schedules_[static_cast<std::size_t>(rank_)];
    mutant = std::move(editor).finish();
    const Trial changed{trial_.ranks, trial_.place, [this](Team team) {
                          return schedules_[static_cast<std::size_t>(team.me)];
                        }};
    if (!check_(changed).empty()) {
      ++report_.rejected;
    } else if (may_be_harmless(what, original_.steps()[i], order_) && means_the_same(mutant)) {
      ++report_.harmless;
    } else {
      report_.missed.push_back("rank " + std::to_string(rank_) + " of " +
                               std::to_string(trial_.ranks) + ", step " + std::to_string(i) + " `" +
                               describe(original_.steps()[i]) + "`: " + what);
    }
    mutant = original_;
  }

  [[nodiscard]] bool means_the_same(const Schedule& mutant) const {
    // The check of a barrier follows who knows of whom, and so proves all that it is for.
    if (mutant.signals()) return true;
    LocalMeaning::Expressions expressions(order_);
    const Extent result = result_ ? result_(rank_) : original_.extent(Buffer::output);
    return LocalMeaning(mutant, expressions, result) ==
           LocalMeaning(original_, expressions, result);
  }

  const Trial& trial_;
  const std::function<std::string(const Trial&)>& check_;
  Order order_;
  const std::function<Extent(int rank)>& result_;
  std::vector<Schedule> schedules_;
  int rank_ = 0;
  Schedule original_;
  MutationReport report_;
};

}  // namespace

MutationReport mutate(const Trial& trial, const std::function<std::string(const Trial&)>& check,
                      Order order, const std::function<Extent(int rank)>& result) {
  return Mutations(trial, check, order, result).run();
}

}  // namespace cartwright::plan::test
