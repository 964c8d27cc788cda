// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/allgather.hpp>
#include <cartwright/plan/algorithms/broadcast.hpp>
#include <cartwright/plan/algorithms/gather.hpp>
#include <cartwright/plan/algorithms/hierarchical.hpp>
#include <cartwright/plan/algorithms/reduce.hpp>
#include <cartwright/plan/algorithms/reduce_scatter.hpp>
#include <cartwright/plan/algorithms/scatter.hpp>

#include "in_places.hpp"
#include "level_view.hpp"

#include <stdexcept>
#include <utility>

namespace cartwright::plan::hierarchical {

namespace {

const Rooted default_gather = plan::gather::recursive_splitting;

// One level outwards: into `held`, where the rank leads the team. `own`: where its contribution is.
// `blocks_of`: of the whole, by block of the level's schedule.
template <class BlocksOf>
void add_outwards(Sequence& whole, const LevelView& view, int level, const Rooted& algorithm,
                  Buffer own, Buffer held, const BlocksOf& blocks_of) {
  if (view.represents(level)) {
    const bool there = view.leads(level) && own == held;
    const Schedule part = algorithm(view.team_on(level, there ? Place::in_place : Place::separate),
                                    view.root_on(level));
    whole.add(part, {view.ranks_on(level), blocks_of(part), own, held});
  }
  whole.next(shape_on(view, level, algorithm).rounds);
}

void add_gather(Sequence& whole, const LevelView& view, int level, const Rooted& algorithm,
                Buffer own, Buffer held) {
  add_outwards(whole, view, level, algorithm, own, held,
               [&](const Schedule&) { return view.blocks_on(level); });
}

// Scatters level by level inwards from level `first` on. `keeps`: who leads the innermost team
// leaves its own block where it is.
void add_scatters(Sequence& whole, const LevelView& view, int first, const ByLevel& levels,
                  Buffer held, bool keeps) {
  const Rooted otherwise = plan::scatter::recursive_splitting;
  for (int level = first; level <= view.last(); ++level) {
    const Rooted& algorithm = algorithm_on(levels, otherwise, level, first);
    if (view.represents(level)) {
      const bool innermost = level == view.last();
      // Who leads the team keeps its share where it is, until it is down to its own block.
      const Place place =
          view.leads(level) && (keeps || !innermost) ? Place::in_place : Place::separate;
      whole.add(
          algorithm(view.team_on(level, place), view.root_on(level)),
          {view.ranks_on(level), view.blocks_on(level), held, innermost ? Buffer::output : held});
    }
    whole.next(shape_on(view, level, algorithm).rounds);
  }
}

// Reduces all blocks level by level outwards, down to level 1: of `own`, then of `partial`, into
// `partial`.
void add_reductions(Sequence& whole, const LevelView& view, const ByLevel& levels, Buffer own,
                    Buffer partial) {
  const Rooted otherwise = plan::reduce::binomial;
  for (int level = view.last(); level > 0; --level)
    add_outwards(whole, view, level, algorithm_on(levels, otherwise, level, 1),
                 level == view.last() ? own : partial, partial, [&](const Schedule& part) {
                   return blocks_shared(part.blocks(), view.team().ranks);
                 });
}

int place_of(Root root, const Hierarchy& hierarchy) {
  if (root.rank < 0 || root.rank >= hierarchy.ranks())
    throw std::invalid_argument("the groups hold no such root");
  return hierarchy.place_of(root.rank);
}

}  // namespace

Schedule gather(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels) {
  if (!hierarchy.consecutive())
    return in_places(team, hierarchy, Share::own, team.me == root.rank ? Share::all : Share::none,
                     [&](Team places, const Hierarchy& groups) {
                       return gather(places, {place_of(root, hierarchy)}, groups, levels);
                     });
  const LevelView view(team, root, hierarchy);
  Sequence whole(team, {.blocks = team.ranks,
                        .input = {team.me, 1},
                        .output = {0, view.is_root() ? team.ranks : 0}});
  Buffer held = Buffer::output;
  if (!view.is_root() && view.leads(view.last())) {
    const Extent range = view.represented();
    held = whole.builder().scratch(range.first, range.count);
  }
  for (int level = view.last(); level >= 0; --level)
    add_gather(whole, view, level, algorithm_on(levels, default_gather, level, 0),
               level == view.last() ? whole.builder().input(team.me).buffer : held, held);
  return std::move(whole).finish();
}

Schedule scatter(Team team, Root root, const Hierarchy& hierarchy, const ByLevel& levels) {
  if (!hierarchy.consecutive()) {
    const bool has_all = team.me == root.rank;
    const bool keeps_own = has_all && team.place == Place::in_place;
    return in_places(team, hierarchy, has_all ? Share::all : Share::none,
                     keeps_own ? Share::none : Share::own,
                     [&](Team places, const Hierarchy& groups) {
                       return scatter(places, {place_of(root, hierarchy)}, groups, levels);
                     });
  }
  const LevelView view(team, root, hierarchy);
  const bool keeps = view.is_root() && team.place == Place::in_place;
  Sequence whole(team, {.blocks = team.ranks,
                        .input = {0, view.is_root() ? team.ranks : 0},
                        .output = keeps ? Extent{} : Extent{team.me, 1}});
  Buffer held = Buffer::input;
  if (!view.is_root() && view.leads(view.last())) {
    const Extent range = view.represented();
    held = whole.builder().scratch(range.first, range.count);
  }
  add_scatters(whole, view, 0, levels, held, keeps);
  return std::move(whole).finish();
}

Schedule allgather(Team team, const Hierarchy& hierarchy, const AcrossGroups& algorithms) {
  if (!hierarchy.consecutive())
    return in_places(team, hierarchy, Share::own, Share::all,
                     [&](Team places, const Hierarchy& groups) {
                       return allgather(places, groups, algorithms);
                     });
  const LevelView view(team, {0}, hierarchy);
  Sequence whole(team, {.blocks = team.ranks, .input = {team.me, 1}, .output = {0, team.ranks}});
  const Buffer input = whole.builder().input(team.me).buffer;
  for (int level = view.last(); level > 0; --level)
    add_gather(whole, view, level, algorithm_on(algorithms.before, default_gather, level, 1),
               level == view.last() ? input : Buffer::output, Buffer::output);

  const Flat across = algorithms.across ? algorithms.across : Flat(plan::allgather::ring);
  if (view.represents(0)) {
    const Buffer own = view.last() == 0 ? input : Buffer::output;
    const Place place = own == Buffer::output ? Place::in_place : Place::separate;
    whole.add(across(view.team_on(0, place)),
              {view.ranks_on(0), view.blocks_on(0), own, Buffer::output});
  }
  whole.next(shape_on(view, 0, [&](Team leaders, Root) { return across(leaders); }).rounds);

  const Rooted otherwise = [](Team group, Root root) {
    return plan::broadcast::binomial_low_bit_first(group, root, RootPlacement::rotate);
  };
  for (int level = 1; level <= view.last(); ++level) {
    const Rooted& algorithm = algorithm_on(algorithms.after, otherwise, level, 1);
    if (view.represents(level)) {
      const Schedule part = algorithm(view.team_on(level), view.root_on(level));
      whole.add(part, {view.ranks_on(level), blocks_shared(part.blocks(), team.ranks),
                       Buffer::output, Buffer::output});
    }
    whole.next(shape_on(view, level, algorithm).rounds);
  }
  return std::move(whole).finish();
}

Schedule reduce_scatter(Team team, const Hierarchy& hierarchy, const AcrossGroups& algorithms) {
  if (!hierarchy.consecutive())
    return in_places(team, hierarchy, Share::all, Share::own,
                     [&](Team places, const Hierarchy& groups) {
                       return reduce_scatter(places, groups, algorithms);
                     });
  const LevelView view(team, {0}, hierarchy);
  const Flat across = algorithms.across ? algorithms.across : Flat(plan::reduce_scatter::pairwise);
  if (view.last() == 0) return across(team);
  const bool in_place = team.place == Place::in_place;
  const Extent all{0, team.ranks};
  Sequence whole(
      team, {.blocks = team.ranks, .input = all, .output = in_place ? all : Extent{team.me, 1}});
  const Buffer own = whole.builder().input(0, team.ranks).buffer;
  Buffer partial = own;
  if (view.leads(view.last()) && !in_place) partial = whole.builder().scratch(0, team.ranks);
  add_reductions(whole, view, algorithms.before, own, partial);
  if (view.represents(0))
    whole.add(across(view.team_on(0, Place::in_place)),
              {view.ranks_on(0), view.blocks_on(0), partial, partial});
  whole.next(shape_on(view, 0, [&](Team leaders, Root) { return across(leaders); }).rounds);
  add_scatters(whole, view, 1, algorithms.after, partial, in_place);
  return std::move(whole).finish();
}

}  // namespace cartwright::plan::hierarchical
