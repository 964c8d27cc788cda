// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/backends/auto_backend.hpp>
#include <cartwright/comm/backends/packed_call.hpp>
#include <cartwright/comm/backends/supervised_backend.hpp>
#include <cartwright/comm/calls/call_validity.hpp>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/selection/knowledge_store.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <cartwright/rt/failure.hpp>
#include <utility>

#include "attempt.hpp"
#include "shared_cores.hpp"

namespace cartwright::comm {

namespace {

std::vector<plan::Count> lengths_of(const Blocks& blocks) {
  std::vector<plan::Count> lengths;
  lengths.reserve(static_cast<std::size_t>(blocks.ranks()));
  for (int rank = 0; rank < blocks.ranks(); ++rank) lengths.push_back(blocks.count(rank));
  return lengths;
}

void find_memory(Context& context, const rt::Communicator& comm,
                 const mapping::Topology& topology) {
  context.nodes = NodeView::of(comm, topology);
  if (traits_of(context.settings.backend).uses_memory())
    context.memory = std::make_shared<NodeMemory>(
        comm, topology, context.settings.memory_options({comm.size()}, *context.knowledge));
}

Context discovered(const rt::Communicator& comm, rt::ProgressEngine& engine, BackendId backend) {
  const mapping::Topology topology = agreed_on_cores(comm, engine, mapping::discover(comm));
  Context context;
  context.settings.backend = backend;
  context.settings = resolved(comm, std::move(context.settings));
  context.knowledge = known_to(comm, topology, context.settings);
  find_memory(context, comm, topology);
  return context;
}

/// Memory that another backend needs than the program had in mind is found here.
Context settled(const rt::Communicator& comm, Context context) {
  if (context.settings.is_resolved) return context;
  const BackendId had_in_mind = context.settings.backend;
  context.settings = resolved(comm, std::move(context.settings));
  auto knowledge = std::make_shared<Knowledge>(*context.knowledge);
  for (const auto& [operation, algorithm] : context.settings.algorithms())
    knowledge->wanted[operation] = algorithm;
  knowledge->learns = knowledge->learns || context.settings.learn;
  context.knowledge = std::move(knowledge);
  const bool is_other = context.settings.backend != had_in_mind;
  if (is_other && traits_of(context.settings.backend).uses_memory() && context.memory == nullptr)
    find_memory(context, comm, mapping::discover(comm));
  return context;
}

}  // namespace

Collectives::State::State(std::shared_ptr<const rt::Communicator> ranks, rt::ProgressEngine& engine,
                          Context around)
    : comm(std::move(ranks)),
      context(settled(*comm, std::move(around))),
      backends(*comm, engine, context.settings.backend, context.knowledge, context.nodes,
               context.memory, context.tags.get()) {
  if (context.settings.link_speed() && (context.memory == nullptr || !context.memory->links()))
    throw rt::input_error("comm.links: an imagined network needs comm.backend: auto or shared",
                          "Messages of MPI's can't be delayed: name one of these two, or leave "
                          "comm.links out.",
                          rt::Reach::all_ranks);
  const bool chooses = traits_of(context.settings.backend).kind == BackendTraits::Kind::choice;
  if (chooses && context.settings.gives_devices_to_mpi())
    (void)comm->handle();  // for native, now that all ranks are here
  if (context.settings.arrivals != ArrivalUse::off) watch_arrivals();
  if (const Supervision supervision = context.settings.supervision(); supervision.is_on()) {
    Backend& watched = arrivals ? *arrivals : backends.chosen();
    supervised.emplace(watched, *comm, engine, supervision);
  }
}

void Collectives::State::watch_arrivals() {
  const bool keeps_clock = context.clock == nullptr;
  if (keeps_clock) {
    const int asked = SynchronisedClock::parent_of(comm->rank().value);
    context.clock = std::make_shared<SynchronisedClock>(
        *comm, context.tags ? context.tags->channel(4) : P2pChannel(*comm),
        asked >= 0 && context.nodes.is_on_my_node(asked));
  }
  arrivals.emplace(ArrivalBackend::Parts{.backends = &backends,
                                         .clock = context.clock,
                                         .ranks = comm->size(),
                                         .keeps_clock = keeps_clock,
                                         .use = context.settings.arrivals,
                                         .any_order = context.settings.any_order});
}

Collectives::Collectives(std::shared_ptr<const rt::Communicator> comm, rt::ProgressEngine& engine,
                         Context context)
    : state_(std::make_shared<State>(std::move(comm), engine, std::move(context))),
      comm_(state_->comm.get()),
      engine_(&engine),
      backend_(&state_->backends.chosen()) {
  if (state_->arrivals) backend_ = &*state_->arrivals;
  if (state_->supervised) backend_ = &*state_->supervised;
  auto_ = dynamic_cast<AutoBackend*>(backend_);
}

Collectives::Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine, Context context)
    : Collectives(std::shared_ptr<const rt::Communicator>(std::shared_ptr<const void>(), &comm),
                  engine, std::move(context)) {}

Collectives::Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine,
                         BackendId backend)
    : Collectives(comm, engine, discovered(comm, engine, backend)) {}

Collectives Collectives::by(BackendId backend) const {
  Collectives other(*this);
  other.backend_ = &state_->backends.beside(backend);
  other.auto_ = dynamic_cast<AutoBackend*>(other.backend_);
  return other;
}

std::optional<rt::Error> Collectives::attempt(const Call& call) const noexcept {
  return attempt_to([&] {
    require_valid(call, *comm_);
    backend_->run(call);
  });
}

std::optional<rt::Error> Collectives::attempt_start(const Call& call,
                                                    Pending& pending) const noexcept {
  return attempt_to([&] {
    pending = Pending();
    require_valid(call, *comm_);
    pending = start({.call = call});
  });
}

std::optional<rt::Error> Collectives::attempt_prepare(const Call& call,
                                                      Persistent& persistent) const noexcept {
  return attempt_to([&] {
    persistent = Persistent();
    require_valid(call, *comm_);
    persistent = prepare({.call = call});
  });
}

void Collectives::run(const Call& call) const {
  if (auto_ != nullptr) [[likely]]
    return auto_->run(call, nullptr);
  backend_->run(call);
}

/// The MPI library gets what lies on a device as it is, where it is to and can.
detail::Arguments Collectives::with_kind_of_memory(detail::Arguments arguments) const {
  const bool is_left_to_mpi = traits_of(backend_->id()).kind != BackendTraits::Kind::schedules;
  if (state_->context.settings.gives_devices_to_mpi() && is_left_to_mpi &&
      arguments.is_moved_on_device())
    arguments.call.memory = MemoryKind::device;
  return arguments;
}

void Collectives::run_packed(const detail::Arguments& arguments) const {
  const detail::PackedCall packed(with_kind_of_memory(arguments));
  packed.pack();
  backend_->run(packed.call());
  packed.unpack();
}

std::unique_ptr<Prepared> Collectives::prepared(const detail::Arguments& arguments,
                                                Keep keep) const {
  detail::Arguments later = with_kind_of_memory(arguments);
  later.call.waiting = Waiting::later;
  if (!later.is_scattered() && !later.call.has_uneven_blocks() && keep == nullptr) {
    return backend_->prepare(later.call);
  }
  return std::make_unique<detail::KeptCollective>(*backend_, later, std::move(keep));
}

Pending Collectives::start(const detail::Arguments& arguments, Keep keep) const {
  auto collective = prepared(arguments, std::move(keep));
  collective->start();
  return {*engine_, std::move(collective), state_};
}

Persistent Collectives::prepare(const detail::Arguments& arguments, Keep keep) const {
  detail::Arguments later = with_kind_of_memory(arguments);
  later.call.waiting = Waiting::later;
  return {*engine_, std::make_unique<detail::KeptCollective>(*backend_, later, std::move(keep)),
          state_};
}

Blocks Collectives::blocks_of_all(plan::Count mine, At at) const {
  std::vector<plan::Count> counts(static_cast<std::size_t>(comm_->size()));
  allgather(std::span(&mine, 1), counts, {}, at);
  return Blocks(counts);
}

Blocks Collectives::blocks_to_me(const Blocks& sent, At at) const {
  std::vector<plan::Count> counts = lengths_of(sent);
  alltoall(counts, {}, at);
  return Blocks(counts);
}

}  // namespace cartwright::comm
