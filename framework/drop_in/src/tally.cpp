// SPDX-License-Identifier: Apache-2.0
#include "tally.hpp"

#include <fmt/format.h>

namespace cartwright::drop_in {

std::string Tally::line(std::string_view name, const Counts& counts) {
  const auto [ours, communicator, arguments] = counts.calls;
  const std::string why = arguments == 0 ? "" : fmt::format(" ({} for their arguments)", arguments);
  return fmt::format("{}: {} by cartwright, {} by the MPI library{}, {:.3g} s\n", name, ours,
                     communicator + arguments, why, counts.seconds);
}

std::string Tally::text() const {
  std::string lines;
  Counts all;
  for (const plan::Operation operation : plan::operations()) {
    const Counts& counts = counts_[static_cast<std::size_t>(operation)];
    if (counts.calls == Counts().calls) continue;
    lines += "  " + line(plan::name_of(operation), counts);
    for (std::size_t whom = 0; whom < all.calls.size(); ++whom)
      all.calls[whom] += counts.calls[whom];
    all.seconds += counts.seconds;
  }
  return line("collectives of rank 0", all) + lines;
}

}  // namespace cartwright::drop_in
