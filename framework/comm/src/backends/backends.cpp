// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cartwright/comm/backends/auto_backend.hpp>
#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/comm/backends/native_backend.hpp>
#include <cartwright/comm/backends/scheduled_backend.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cartwright/comm/execution/rma_messages.hpp>
#include <cartwright/comm/execution/shared_messages.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace cartwright::comm {

namespace {

/// Any call that looks for messages lets MPI move those that are under way.
void progress_mpi(MPI_Comm comm) {
  int found = 0;
  rt::mpi_check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE),
                "MPI_Iprobe");
}

void require_memory(const NodeMemory* memory) {
  if (memory != nullptr && memory->usable()) return;
  throw rt::input_error(
      "comm.backend: shared needs memory that the ranks of a node share, and there is too little",
      "Give the container or job more memory, set comm.shared.memory to less, or use comm.backend: "
      "p2p or native.",
      rt::Reach::all_ranks);
}

/// Whether `auto` may leave calls to native.
bool may_be_native(const Knowledge& knowledge) {
  return knowledge.learns || !knowledge.tuned.empty();
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

struct Backends::Parts {
  Parts(const rt::Communicator& communicator, rt::ProgressEngine& progress, std::string_view name,
        std::shared_ptr<const Selection> choices, NodeView view,
        std::shared_ptr<NodeMemory> node_memory, const TagShare& tags)
      : comm(&communicator),
        engine(&progress),
        selection(std::move(choices)),
        memory(std::move(node_memory)),
        native(
            communicator, progress, tags.channel(0),
            name == "native" ? NativeBackend::Blocking::by_mpi : NativeBackend::Blocking::polled),
        nodes(std::move(view)) {
    chosen = &native;
    if (name == "native" || (name == "auto" && may_be_native(selection->knowledge())))
      (void)communicator.handle();  // now that all ranks are here, if it isn't made yet
    if (name == "native") return;
    channel.emplace(tags.channel(1));
    if (name == "rma") {
      use_landing_areas(communicator);
      return;
    }
    if (name != "p2p" && memory != nullptr && memory->usable()) {
      paths = memory->paths_of(communicator);
      shared_channel.emplace(SharedChannel{*paths.mailboxes, paths.members, *channel});
      shared = own(BackendId::shared);
    }
    if (!has_links()) p2p = own(BackendId::p2p);
    chosen = p2p.get();
    if (name == "p2p") return;
    chosen = shared.get();
    if (name == "shared") return;
    automatic.emplace(AutoBackend::Parts{
        .selection = selection,
        .engine = engine,
        .find = [this](BackendId wanted) -> Backend& { return find(wanted); },
        .note = [this](const CallKey& key,
                       const Decision& decision) { note(key, decision, key.size); }});
    chosen = &*automatic;
  }

  /// Where a node has no memory to share, all that it says goes by messages.
  void use_landing_areas(const rt::Communicator& communicator) {
    NodeShare share{
        .segment = {},
        .members = std::vector<std::int32_t>(static_cast<std::size_t>(communicator.size()), -1)};
    std::size_t bytes = LandingShape{}.bytes_per_member();
    if (memory != nullptr && memory->usable()) {
      share = memory->share_of(communicator);
      bytes = memory->share_bytes();
    }
    const LandingShape shape = LandingShape::within(bytes, share.segment.members());
    if (share.segment.members() > 0) {
      areas.emplace(std::move(share.segment), shape);
      rma_channel.emplace(RmaChannel{*areas, std::move(share.members), *channel});
      rma = own(BackendId::rma);
    }
    p2p = own(BackendId::p2p);
    chosen = rma ? rma.get() : p2p.get();
  }

  [[nodiscard]] std::unique_ptr<Backend> own(BackendId backend) {
    return scheduled(backend, [this, backend](const plan::Problem& problem, Waiting waiting) {
      Decision decision = selection->decide_for(backend, problem, waiting);
      if (!automatic)
        note({problem.operation, problem.bytes(), waiting}, decision, problem.bytes());
      return std::move(decision.choice);
    });
  }

  /// A later one of the same calls takes the place of the former.
  void note(CallKey key, const Decision& decision, plan::Count bytes) {
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

  [[nodiscard]] std::unique_ptr<Backend> scheduled(BackendId backend,
                                                   const ChooseAlgorithm& choose) {
    if (backend == BackendId::shared)
      return over<SharedMessages>("shared", choose, *shared_channel);
    if (backend == BackendId::rma) return over<RmaMessages>("rma", choose, *rma_channel);
    return over<P2pMessages>("p2p", choose, *channel);
  }

  template <Messages M, class Channel>
  [[nodiscard]] std::unique_ptr<Backend> over(std::string_view name, const ChooseAlgorithm& choose,
                                              Channel& channel_of_it) {
    return std::make_unique<ScheduledBackend<M>>(
        *comm, *engine,
        typename ScheduledBackend<M>::Parts{
            .name = name,
            .make_messages =
                [&channel_of_it](const plan::Program& program, std::size_t element_size) {
                  return M(channel_of_it, program, element_size);
                },
            .choose = choose,
            .sequence = &sequence,
            .traffic = &traffic,
            .nodes = &nodes,
            .progress_mpi = [this] { progress_mpi(channel->handle()); }});
  }

  /// Then whatever is said to others has to go through memory: messages of MPI's aren't delayed.
  [[nodiscard]] bool has_links() const { return shared != nullptr && memory->links(); }

  [[nodiscard]] Backend& find(BackendId wanted) {
    if (wanted == BackendId::p2p && p2p) return *p2p;
    if (wanted == BackendId::rma && rma) return *rma;
    if (shared && (wanted == BackendId::shared || has_links())) return *shared;
    return native;
  }

  const rt::Communicator* comm;
  rt::ProgressEngine* engine;
  std::shared_ptr<const Selection> selection;
  std::shared_ptr<NodeMemory> memory;
  NativeBackend native;
  std::optional<P2pChannel> channel;
  NodePaths paths;
  std::optional<SharedChannel> shared_channel;
  std::optional<LandingAreas> areas;
  std::optional<RmaChannel> rma_channel;
  std::uint64_t sequence = 0;
  Traffic traffic;
  std::vector<DecisionNote> decisions;
  NodeView nodes;
  std::unique_ptr<Backend> p2p;
  std::unique_ptr<Backend> shared;
  std::unique_ptr<Backend> rma;
  std::optional<AutoBackend> automatic;
  Backend* chosen = nullptr;
};

void Backends::require_known(std::string_view name) {
  if (name == "auto" || backend_named(name)) return;
  throw rt::input_error(
      fmt::format("comm.backend: there is no backend '{}'", name),
      "Use native (the MPI library's own collectives), p2p (Cartwright's schedules over messages), "
      "shared (the same through the memory of a node), rma (the same one-sided) or auto (the "
      "quickest).",
      rt::Reach::all_ranks);
}

Backends::Backends(const rt::Communicator& comm, rt::ProgressEngine& engine, std::string_view name,
                   std::shared_ptr<const Knowledge> knowledge, const NodeView& nodes,
                   std::shared_ptr<NodeMemory> memory, const TagShare* tags) {
  require_known(name);
  if (name == "shared") require_memory(memory.get());
  const CommunicatorShape shape = shape_of(comm, nodes, memory.get());
  parts_ = std::make_unique<Parts>(
      comm, engine, name,
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

Backend& Backends::named(std::string_view name) const {
  if (name == parts_->chosen->name()) return *parts_->chosen;
  const auto wanted = backend_named(name);
  Backend* const found = wanted ? &parts_->find(*wanted) : nullptr;
  if (found == nullptr || found->name() != name)
    throw rt::input_error(
        fmt::format("a collective was asked for by '{}', which this communicator hasn't got", name),
        fmt::format("Its backend is {}; auto has native, p2p and, on nodes, shared.",
                    parts_->chosen->name()),
        rt::Reach::all_ranks);
  if (*wanted == BackendId::native) (void)parts_->comm->handle();
  return *found;
}

std::vector<BackendId> Backends::scheduled() const {
  std::vector<BackendId> backends;
  if (parts_->p2p) backends.push_back(BackendId::p2p);
  if (parts_->shared) backends.push_back(BackendId::shared);
  if (parts_->rma) backends.push_back(BackendId::rma);
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
  return parts_->scheduled(backend,
                           [choose = std::move(choose)](const plan::Problem& problem, Waiting) {
                             return choose(problem);
                           });
}

}  // namespace cartwright::comm
