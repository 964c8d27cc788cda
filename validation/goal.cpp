// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "compact.hpp"
#include "log_gops.hpp"

namespace cartwright::validation {

namespace {

using namespace plan;

using plan::simulation::CompactSchedules;
using plan::simulation::CompactStep;

// The operations of one rank, each of which requires the one before it.
class GoalRank {
 public:
  explicit GoalRank(std::ostream& out) : out_(out) {}

  void add(const CompactSchedules& schedules, const CompactStep& step) {
    const simulation::StepCost& cost = schedules.cost(step);
    const StepKind kind = step.kind();
    if (kind == StepKind::send) message("send ", " to ", cost.bytes, step);
    if (kind == StepKind::receive || kind == StepKind::receive_combine) {
      message("recv ", " from ", cost.bytes, step);
      if (cost.combining == 0) return;
    }
    if (kind != StepKind::send) {
      label();
      out_ << "calc " << cost.combining << '\n';
      require();
    }
  }

 private:
  void label() { out_ << 'l' << ++count_ << ": "; }
  void require() {
    if (count_ > 1) out_ << 'l' << count_ << " requires l" << count_ - 1 << '\n';
  }
  void message(const char* verb, const char* preposition, Count bytes, const CompactStep& step) {
    label();
    out_ << verb << bytes << 'b' << preposition << step.peer << " tag " << step.number << '\n';
    require();
  }

  std::ostream& out_;
  int count_ = 0;
};

}  // namespace

void write_goal(std::ostream& out, int ranks, const plan::ScheduleMaker& make, const Layout& layout,
                std::size_t element_size, const Machine& machine) {
  const Placement in_order;
  CompactSchedules schedules(ranks, machine, in_order, false);
  for (int r = 0; r < ranks; ++r) schedules.add(make(r), layout, element_size);
  out << "num_ranks " << ranks << '\n';
  for (int r = 0; r < ranks; ++r) {
    out << "\nrank " << r << " {\n";
    GoalRank rank(out);
    for (std::size_t i = schedules.begin(r); i < schedules.end(r); ++i)
      rank.add(schedules, schedules.steps()[i]);
    out << "}\n";
  }
}

}  // namespace cartwright::validation
