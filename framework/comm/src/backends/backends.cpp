// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/rt/error.hpp>
#include <span>
#include <utility>

#include "backend_parts.hpp"

namespace cartwright::comm {

namespace {

void require_memory(const NodeMemory* memory) {
  if (memory != nullptr && memory->usable()) return;
  throw rt::input_error(
      "comm.backend: shared needs memory that the ranks of a node share, and there is too little",
      "Give the container or job more memory, set comm.shared.memory to less, or use comm.backend: "
      "p2p or native.",
      rt::Reach::all_ranks);
}

CommunicatorShape shape_of(const rt::Communicator& comm, const NodeView& view,
                           const NodeMemory* memory) {
  const plan::Hierarchy* const nodes = view.nodes().get();
  CommunicatorShape shape{.ranks = comm.size(),
                          .nodes = nodes == nullptr ? comm.size() : nodes->members(0)};
  shape.node_ranks = view.node_ranks();
  const bool is_usable = memory != nullptr && memory->usable();
  const bool all_share = is_usable && memory->links();  // also with ranks of other nodes
  shape.shares_memory = is_usable && shape.ranks > 1 && (all_share || shape.nodes < shape.ranks);
  shape.far_cores = shape.shares_memory && memory->cores_are_far();
  return shape;
}

}  // namespace

Backends::Backends(const rt::Communicator& comm, rt::ProgressEngine& engine, BackendId wanted,
                   std::shared_ptr<const Knowledge> knowledge, const NodeView& nodes,
                   std::shared_ptr<NodeMemory> memory, const TagShare* tags) {
  if (traits_of(wanted).memory == BackendTraits::Memory::needed) require_memory(memory.get());
  const CommunicatorShape shape = shape_of(comm, nodes, memory.get());
  parts_ = std::make_unique<BackendParts>(
      comm, engine, wanted,
      std::make_shared<const Selection>(std::move(knowledge), shape, nodes.nodes()), nodes,
      std::move(memory), tags != nullptr ? *tags : TagSpace(comm, TagShare::channels).share(0));
}

Backends::~Backends() = default;
Backends::Backends(Backends&&) noexcept = default;
Backends& Backends::operator=(Backends&&) noexcept = default;

rt::ProgressEngine& Backends::engine() const noexcept {
  return *parts_->engine;
}

Backend& Backends::chosen() const noexcept {
  return *parts_->chosen;
}

const Selection& Backends::selection() const noexcept {
  return *parts_->selection;
}

std::span<const DecisionNote> Backends::decisions() const noexcept {
  return parts_->decisions;
}

std::vector<CallCount> Backends::calls() const {
  return parts_->automatic ? parts_->automatic->calls() : std::vector<CallCount>{};
}

const Traffic& Backends::traffic() const noexcept {
  return parts_->traffic;
}

Backend& Backends::find(BackendId backend) const {
  return parts_->find(backend);
}

Backend& Backends::beside(BackendId wanted) const {
  if (wanted == parts_->chosen->id()) return *parts_->chosen;
  Backend& found = parts_->find(wanted);
  if (found.id() != wanted)
    throw rt::input_error(
        fmt::format("a collective was asked for by '{}', which this communicator hasn't got",
                    name_of(wanted)),
        fmt::format("Its backend is {}; auto has native, p2p and, on nodes, shared.",
                    parts_->chosen->name()),
        rt::Reach::all_ranks);
  if (wanted == BackendId::native) (void)parts_->comm->handle();
  return found;
}

std::vector<BackendId> Backends::scheduled() const {
  std::vector<BackendId> backends;
  for (const BackendTraits& traits : all_backends())
    if (traits.kind == BackendTraits::Kind::schedules && parts_->get(traits.id) != nullptr)
      backends.push_back(traits.id);
  return backends;
}

void Backends::decide_anew(std::shared_ptr<const Knowledge> knowledge) const {
  const Selection& old = *parts_->selection;
  parts_->selection =
      std::make_shared<const Selection>(std::move(knowledge), old.shape(), parts_->nodes.nodes());
  if (may_be_native(parts_->selection->knowledge())) (void)parts_->comm->handle();
  parts_->decisions.clear();
  if (parts_->automatic) parts_->automatic->decide_anew(parts_->selection);
}

void Backends::note(const CallKey& key, const Decision& decision) const {
  parts_->note(key, decision, key.size);
}

std::unique_ptr<Backend> Backends::running(
    BackendId backend, std::function<plan::Choice(const plan::Problem&)> choose) const {
  return traits_of(backend).make(
      *parts_, [choose = std::move(choose)](const plan::Problem& problem, Waiting) {
        return choose(problem);
      });
}

}  // namespace cartwright::comm
