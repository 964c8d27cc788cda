// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/report.hpp>
#include <fstream>
#include <limits>
#include <span>

namespace cartwright::grid {
namespace {

/// What Linux could give to processes of this node; without limit where it doesn't tell.
double available_bytes() {
  std::ifstream lines("/proc/meminfo");
  std::string word;
  double kilobytes = 0.0;
  while (lines >> word)
    if (word == "MemAvailable:" && lines >> kilobytes) return 1024.0 * kilobytes;
  return std::numeric_limits<double>::max();
}

}  // namespace

void GridBase::require_memory_for(double bytes, const std::string& field) const {
  // Asked before any rank touches its part: Linux promises more than it has, and kills later.
  const int nodes = comm().topology().machine_nodes;
  const int ranks_on_node = (comm().communicator().size() + nodes - 1) / nodes;
  std::array<double, 2> most{bytes, -available_bytes()};
  comm().allreduce(std::span<double>(most), comm::Operator::maximum);
  const double needed = most[0] * ranks_on_node, available = -most[1];
  if (needed <= available) return;
  const auto text = [](double value) { return rt::readable_bytes(static_cast<long long>(value)); };
  throw rt::input_error(
      fmt::format("field '{}' needs {} of memory a node ({} a rank), but {} are free there", field,
                  text(needed), text(most[0]), text(available)),
      "Use a smaller grid or more nodes; --dry-run says what a run needs.", rt::Reach::all_ranks);
}

}  // namespace cartwright::grid
