// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/inner_loop.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/report.hpp>

namespace cartwright::grid {

void report_inner_loops(rt::Report& report, const std::vector<InnerLoopRecord>& records) {
  for (const InnerLoopRecord& record : records) {
    auto& section = report.section("solutions of " + record.name);
    section.add("solutions", record.solutions);
    section.add("iterations, mean",
                static_cast<double>(record.iterations) / static_cast<double>(record.solutions));
    section.add("iterations, most", record.most);
    section.add("worst relative residual", record.worst);
  }
}

void InnerLoop::begin(double residual, double enough) {
  done_ = 0;
  convergence_.begin(residual, enough);
}

void InnerLoop::residual(double norm) {
  convergence_.add(++done_, norm);
}

void InnerLoop::finish(const std::string& key) {
  if (!converged()) give_up(convergence_.verdict(done_, key));
  InnerLoopRecord& record = app_.inner_loop(name_);
  ++record.solutions;
  record.iterations += done_;
  record.most = std::max(record.most, done_);
  record.latest = done_ > 0 ? convergence_.relative() : 1.0;
  if (done_ > 0) record.worst = std::max(record.worst, record.latest);
}

void InnerLoop::give_up(const std::string& reason) const {
  // Where no loop of steps has begun, there is no number to say.
  const long long step = app_.step_under_way();
  const std::string where = step == 0 ? "" : fmt::format("step {}: ", step);
  throw rt::numerical_failure(
      fmt::format("{}{}: {}", where, name_, reason),
      "Look at the right side and at the coefficients, or try another method, a larger tolerance "
      "or a larger limit.",
      rt::Reach::all_ranks);
}

}  // namespace cartwright::grid
