// SPDX-License-Identifier: Apache-2.0
#include "cell.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>

#include "../common/race.hpp"
#include "work.hpp"

namespace cartwright::bench {

namespace {

/// Of the peer against itself: the difference of medians and what samples leave open of it (the
/// notches of a box plot).
double spread_of(const Race::Samples& again, const Race::Samples& peer) {
  const Summary ratio = summarize_ratios(again, peer);
  const double samples = static_cast<double>(std::max<std::size_t>(peer.size(), 1));
  return std::abs(ratio.median - 1.0) +
         1.57 * (ratio.upper_quartile - ratio.lower_quartile) / std::sqrt(samples);
}

void judge(Row& row, const Race::Samples& ours, const Race::Samples& peer, double spread) {
  const Summary ratio = summarize_ratios(ours, peer);
  if (row.measurements == 0) {
    row.ours = ours;
    row.peer = peer;
    row.ratio = ratio;
  }
  ++row.measurements;
  if (!row.limit) return;
  const double time = summarize(peer).median;
  if (ratio.median * time > row.limit->of(time) + spread * time) ++row.exceeded;
}

/// Ranks that share cores leave the barrier before a turn one after the other, as they get their
/// core: a turn has to be long beside that.
double shortest_turn(const rt::Communicator& comm, bool is_quick) {
  const bool share_cores = comm.size() > static_cast<int>(std::thread::hardware_concurrency());
  return share_cores ? 4.0e-3 : is_quick ? 1.0e-4 : 2.0e-4;
}

}  // namespace

Cell measure_cell(const rt::Communicator& comm, plan::Operation operation, std::size_t bytes,
                  const std::vector<Contestant>& contestants,
                  const CollectivesSelection& selection) {
  Work work(comm, operation, bytes);
  std::vector<std::function<void()>> turns;
  turns.emplace_back([&work] { work.by_mpi(); });
  Cell cell{operation, bytes, 0.0, {}};
  for (const Contestant& contestant : contestants) {
    turns.emplace_back([&work, backend = contestant.backend] { backend->run(work.call()); });
    cell.rows.push_back(
        {.backend = contestant.name,
         .way = contestant.way ? contestant.way(work.call()) : "",
         .limit = limit_of(contestant.name, operation, bytes, comm.size(), selection.same)});
  }
  turns.emplace_back([&work] { work.by_mpi(); });
  const Effort effort{.seconds = selection.seconds,
                      .fewest_rounds = selection.common.quick ? 3 : 11,
                      .patience = 2.0,
                      .shortest_turn = shortest_turn(comm, selection.common.quick)};
  for (int i = 0; i < selection.repeats; ++i) {
    const auto samples = race(comm, turns, effort);
    const double spread = spread_of(samples.back(), samples.front());
    cell.spread = std::max(cell.spread, spread);
    for (std::size_t row = 0; row < cell.rows.size(); ++row)
      judge(cell.rows[row], samples[row + 1], samples.front(), spread);
    if (std::ranges::none_of(cell.rows, &Row::is_miss)) break;
  }
  return cell;
}

}  // namespace cartwright::bench
