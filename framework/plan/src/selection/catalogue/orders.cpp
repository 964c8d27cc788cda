// SPDX-License-Identifier: Apache-2.0
#include "orders.hpp"

#include <cartwright/plan/compose.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace cartwright::plan::catalogue {

namespace {

constexpr std::string_view before_order = " in order ";

std::vector<int> places_of(const std::vector<int>& order) {
  std::vector<int> places(order.size(), -1);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const int rank = order[place];
    if (rank < 0 || rank >= static_cast<int>(order.size()) ||
        places[static_cast<std::size_t>(rank)] >= 0)
      throw std::invalid_argument("an order names each of the ranks 0 to " +
                                  std::to_string(order.size() - 1) + " once:" + order_text(order));
    places[static_cast<std::size_t>(rank)] = static_cast<int>(place);
  }
  return places;
}

void require_meaning(const Problem& problem, const std::vector<int>& order) {
  using enum Operation;
  const Operation operation = problem.operation;
  if (operation != broadcast && operation != reduce && operation != allreduce &&
      operation != barrier)
    throw std::invalid_argument(
        "an order of ranks is for broadcast, reduce, allreduce and barrier");
  if (is_reduction(operation) && !problem.commutative)
    throw std::invalid_argument("an operator that doesn't commute goes by the ranks' numbers");
  if (static_cast<int>(order.size()) != problem.ranks)
    throw std::invalid_argument("there are " + std::to_string(problem.ranks) +
                                " ranks, and an order of " + std::to_string(order.size()));
}

}  // namespace

std::string order_text(const std::vector<int>& order) {
  std::string text;
  for (const int rank : order) {
    text += text.empty() ? before_order : std::string_view(",");
    text += std::to_string(rank);
  }
  return text;
}

std::vector<int> take_order(std::string_view& text) {
  const auto found = text.rfind(before_order);
  if (found == std::string_view::npos) return {};
  const std::string_view numbers = text.substr(found + before_order.size());
  text = text.substr(0, found);
  std::vector<int> order;
  const char* at = numbers.data();
  const char* const end = at + numbers.size();
  for (bool is_first = true; is_first || at != end; is_first = false) {
    if (!is_first && *at++ != ',') throw std::invalid_argument("an order is written as 2,0,1");
    const auto [stop, error] = std::from_chars(at, end, order.emplace_back());
    if (error != std::errc()) throw std::invalid_argument("an order is written as 2,0,1");
    at = stop;
  }
  (void)places_of(order);
  return order;
}

Maker in_order(const Problem& problem, const std::vector<int>& order,
               const std::function<Maker(const Problem&)>& make) {
  require_meaning(problem, order);
  const std::vector<int> places = places_of(order);
  Problem of_places = problem;
  of_places.nodes = nullptr;  // those of the ranks say nothing of places
  if (is_rooted(problem.operation))
    of_places.root.rank = places[static_cast<std::size_t>(problem.root.rank)];
  return [maker = make(of_places), order, places](Team team) {
    const int place = places[static_cast<std::size_t>(team.me)];
    const Schedule part = maker({.ranks = team.ranks, .me = place, .place = team.place});
    Sequence whole(team, {.blocks = part.blocks(),
                          .input = part.extent(Buffer::input),
                          .output = part.extent(Buffer::output),
                          .signals = part.signals()});
    whole.add(part, {.rank = ranks_listed(order), .begin = blocks_from(0)});
    whole.next(part.rounds());
    return std::move(whole).finish();
  };
}

}  // namespace cartwright::plan::catalogue
