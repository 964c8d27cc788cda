// SPDX-License-Identifier: Apache-2.0
#include "backend_parts.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cartwright::comm {

BackendParts::BackendParts(const rt::Communicator& communicator, rt::ProgressEngine& progress,
                           BackendId asked, std::shared_ptr<const Selection> choices, NodeView view,
                           std::shared_ptr<NodeMemory> node_memory, TagShare tag_share)
    : comm(&communicator),
      engine(&progress),
      wanted(asked),
      selection(std::move(choices)),
      memory(std::move(node_memory)),
      tags(std::move(tag_share)),
      nodes(std::move(view)) {
  const BackendTraits& traits = traits_of(wanted);
  if (traits.runs_schedules()) channel.emplace(tags.channel(1));
  add(BackendId::native);
  add(wanted);
  for (const BackendId other : traits.beside) add(other);
  chosen = get(wanted) != nullptr ? get(wanted) : &find(traits.beside.front());
}

void BackendParts::add(BackendId backend) {
  if (get(backend) != nullptr) return;
  const BackendTraits& traits = traits_of(backend);
  if (has_links() && !traits.may_have_links) return;
  made[static_cast<std::size_t>(backend)] = traits.make(*this, usual_choice(backend));
}

ChooseAlgorithm BackendParts::usual_choice(BackendId backend) {
  return [this, backend](const plan::Problem& problem, Waiting waiting) {
    Decision decision = selection->decide_for(backend, problem, waiting);
    if (automatic == nullptr)
      note({problem.operation, problem.bytes(), waiting}, decision, problem.bytes());
    return std::move(decision.choice);
  };
}

Backend& BackendParts::find(BackendId backend) const {
  if (has_links()) return *get(BackendId::shared);
  Backend* const found = get(backend);
  return found != nullptr ? *found : *get(BackendId::native);
}

bool BackendParts::has_links() const {
  return get(BackendId::shared) != nullptr && memory->links();
}

void BackendParts::note(CallKey key, const Decision& decision, plan::Count bytes) {
  key.size = static_cast<plan::Count>(std::bit_floor(static_cast<std::uint64_t>(key.size)));
  key.epoch = 0;
  DecisionNote note{key, decision, bytes,
                    selection->explain(decision, key.problem(comm->size()), key.waiting)};
  const auto known = std::ranges::find(decisions, key, &DecisionNote::key);
  if (known == decisions.end())
    decisions.push_back(std::move(note));
  else
    *known = std::move(note);
}

}  // namespace cartwright::comm
