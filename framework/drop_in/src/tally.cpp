// SPDX-License-Identifier: Apache-2.0
#include "tally.hpp"

namespace cartwright::drop_in {

namespace {

std::string line(std::string_view name, const std::array<long long, 3>& counts) {
  const auto [ours, communicator, arguments] = counts;
  std::string text = std::string(name) + ": " + std::to_string(ours) + " by cartwright, " +
                     std::to_string(communicator + arguments) + " by the MPI library";
  if (arguments != 0) text += " (" + std::to_string(arguments) + " for their arguments)";
  return text + "\n";
}

}  // namespace

std::string Tally::text() const {
  std::string lines;
  Counts all{};
  for (const plan::Operation operation : plan::operations()) {
    const Counts& counts = counts_[static_cast<std::size_t>(operation)];
    if (counts == Counts{}) continue;
    lines += "  " + line(plan::name_of(operation), counts);
    for (std::size_t kind = 0; kind < kinds; ++kind) all[kind] += counts[kind];
  }
  return line("collectives of rank 0", all) + lines;
}

}  // namespace cartwright::drop_in
