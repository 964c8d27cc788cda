// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/deck_file.hpp>
#include <utility>

namespace cartwright::rt {
namespace {

void add(std::vector<std::string>& parts, const Environment& environment) {
  for (const auto& [name, value] : environment) {
    parts.push_back(name);
    parts.push_back(value);
  }
}

/// What was added, from `part` on.
Environment environment_of(const std::vector<std::string>& parts, std::size_t part = 0) {
  Environment environment;
  for (; part < parts.size(); part += 2) environment[parts[part]] = parts[part + 1];
  return environment;
}

/// What rank 0 found: "ok" with the text, overrides and variables, or "error" with its words.
std::vector<std::string> gather_input(const std::string& path,
                                      const std::vector<std::string>& overrides) {
  try {
    std::vector<std::string> parts{"ok", path.empty() ? "{}" : read_deck_file(path),
                                   std::to_string(overrides.size())};
    parts.insert(parts.end(), overrides.begin(), overrides.end());
    add(parts, cartwright_environment());
    return parts;
  } catch (const Error& error) {
    return {"error", error.what(), error.advice()};
  }
}

}  // namespace

Deck Deck::read(const Communicator& comm, const std::string& path,
                const std::vector<std::string>& overrides) {
  std::vector<std::string> input;
  if (comm.is_root()) input = gather_input(path, overrides);
  share(comm, input);  // about 1 MiB at most: the deck and an environment
  if (input.front() == "error") throw input_error(input[1], input[2], Reach::all_ranks);
  const auto first = input.begin() + 3;
  const auto count = static_cast<std::ptrdiff_t>(std::stoull(input[2]));
  const std::vector<std::string> agreed(first, first + count);
  Environment environment = environment_of(input, 3 + agreed.size());
  return parse(std::move(input[1]), path, agreed, std::move(environment));
}

Deck Deck::of_environment(const Communicator& comm, const std::string& section) {
  std::vector<std::string> parts;
  if (comm.is_root()) {
    Environment mine = cartwright_environment();
    const std::string prefix = environment_name(section) + "_";
    std::erase_if(mine, [&](const auto& variable) { return !variable.first.starts_with(prefix); });
    add(parts, mine);
  }
  Deck deck;
  share(comm, parts);
  deck.environment_ = environment_of(parts);
  return deck;
}

}  // namespace cartwright::rt
