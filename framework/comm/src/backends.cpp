// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cartwright/comm/auto_backend.hpp>
#include <cartwright/comm/backends.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cartwright/comm/execution/scheduled_backend.hpp>
#include <cartwright/comm/execution/shared_messages.hpp>
#include <cartwright/comm/gated_backend.hpp>
#include <cartwright/comm/native_backend.hpp>
#include <cartwright/comm/polled_backend.hpp>
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

}  // namespace

struct Backends::Parts {
  Parts(const rt::Communicator& communicator, rt::ProgressEngine& progress, std::string_view name,
        std::shared_ptr<const Selection> choices, std::function<bool(int)> near,
        std::shared_ptr<NodeMemory> node_memory)
      : comm(&communicator),
        engine(&progress),
        selection(std::move(choices)),
        memory(std::move(node_memory)),
        native(communicator),
        is_on_my_node(std::move(near)) {
    polled_native.emplace(native, progress);
    gated_native.emplace(native, *polled_native, GatedBackend::Gate::on_demand);
    chosen = &*gated_native;
    if (name == "native") return;
    channel.emplace(communicator);
    p2p = own("p2p");
    chosen = p2p.get();
    gated_native.emplace(native, *p2p);
    if (name == "p2p") return;
    if (memory != nullptr && memory->usable()) {
      paths = memory->paths_of(communicator);
      shared_channel.emplace(SharedChannel{*paths.mailboxes, paths.members, *channel});
      shared = own("shared");
    }
    chosen = shared.get();
    if (name == "shared") return;
    gated_native.emplace(native, shared ? *shared : *p2p);
    automatic.emplace(
        selection,
        [this](std::string_view wanted, const plan::Problem& problem, Waiting waiting) -> Backend& {
          Backend& found = wanted == "native" ? *gated_native : find(wanted);
          note(found.name(), problem, waiting);
          return found;
        });
    chosen = &*automatic;
  }

  [[nodiscard]] std::unique_ptr<Backend> own(std::string_view name) {
    return scheduled(name, [this, name](const plan::Problem& problem, Waiting waiting) {
      if (!automatic) note(name, problem, waiting);
      return selection->algorithm_for(name, problem, waiting);
    });
  }

  void note(std::string_view name, const plan::Problem& problem, Waiting waiting) {
    const auto size_class = [](plan::Count bytes) {
      return std::bit_width(static_cast<std::uint64_t>(bytes));
    };
    const bool known = std::ranges::any_of(decisions, [&](const Decision& decision) {
      return decision.operation == problem.operation && decision.waiting == waiting &&
             size_class(decision.bytes) == size_class(problem.bytes());
    });
    if (!known)
      decisions.push_back({problem.operation, problem.bytes(),
                           selection->explain(name, problem, waiting), waiting});
  }

  [[nodiscard]] std::unique_ptr<Backend> scheduled(std::string_view name, ChooseAlgorithm choose) {
    if (name == "shared")
      return over<SharedMessages>("shared", std::move(choose),
                                  [this](const plan::Program& program, std::size_t element_size) {
                                    return SharedMessages(*shared_channel, program, element_size);
                                  });
    return over<P2pMessages>("p2p", std::move(choose),
                             [this](const plan::Program& program, std::size_t element_size) {
                               return P2pMessages(*channel, program, element_size);
                             });
  }

  template <Messages M, class Make>
  [[nodiscard]] std::unique_ptr<Backend> over(std::string_view name, ChooseAlgorithm choose,
                                              Make make) {
    return std::make_unique<ScheduledBackend<M>>(
        *comm, *engine,
        typename ScheduledBackend<M>::Parts{
            .name = name,
            .make_messages = std::move(make),
            .choose = std::move(choose),
            .sequence = &sequence,
            .traffic = &traffic,
            .is_on_my_node = is_on_my_node,
            .progress_mpi = [this] { progress_mpi(channel->handle()); }});
  }

  [[nodiscard]] Backend& find(std::string_view wanted) {
    if (wanted == "p2p" && p2p) return *p2p;
    if (wanted == "shared" && shared) return *shared;
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
  std::uint64_t sequence = 0;
  Traffic traffic;
  std::vector<Decision> decisions;
  std::function<bool(int)> is_on_my_node;
  std::unique_ptr<Backend> p2p;
  std::unique_ptr<Backend> shared;
  std::optional<PolledBackend> polled_native;
  std::optional<GatedBackend> gated_native;
  std::optional<AutoBackend> automatic;
  Backend* chosen = nullptr;
};

void Backends::require_known(std::string_view name) {
  for (const std::string_view known : {"native", "p2p", "shared", "auto"})
    if (name == known) return;
  throw rt::input_error(
      fmt::format("comm.backend: there is no backend '{}'", name),
      "Use native (the MPI library's own collectives), p2p (Cartwright's schedules over messages), "
      "shared (the same through the memory of a node) or auto (the quickest).",
      rt::Reach::all_ranks);
}

Backends::Backends(const rt::Communicator& comm, rt::ProgressEngine& engine, std::string_view name,
                   std::shared_ptr<const Knowledge> knowledge, NodeView nodes,
                   std::shared_ptr<NodeMemory> memory) {
  require_known(name);
  if (name == "shared") require_memory(memory.get());
  const bool one_node = nodes.one_node && memory != nullptr && memory->usable();
  parts_ = std::make_unique<Parts>(
      comm, engine, name,
      std::make_shared<const Selection>(
          std::move(knowledge),
          CommunicatorShape{.ranks = comm.size(),
                            .one_node = one_node,
                            .far_cores = one_node && memory->cores_are_far()}),
      std::move(nodes.is_on_my_node), std::move(memory));
}

Backends::~Backends() = default;
Backends::Backends(Backends&&) noexcept = default;
Backends& Backends::operator=(Backends&&) noexcept = default;

Backend& Backends::chosen() const noexcept {
  return *parts_->chosen;
}

const Selection& Backends::selection() const noexcept {
  return *parts_->selection;
}

std::span<const Decision> Backends::decisions() const noexcept {
  return parts_->decisions;
}

const Traffic& Backends::traffic() const noexcept {
  return parts_->traffic;
}

Backend& Backends::find(std::string_view name) const {
  return parts_->find(name);
}

Backend& Backends::named(std::string_view name) const {
  if (name == parts_->chosen->name()) return *parts_->chosen;
  if (name == "native") return *parts_->gated_native;
  Backend& found = parts_->find(name);
  if (found.name() != name)
    throw rt::input_error(
        fmt::format("a collective was asked for by '{}', which this communicator hasn't got", name),
        fmt::format("Its backend is {}; auto has native, p2p and, on nodes, shared.",
                    parts_->chosen->name()),
        rt::Reach::all_ranks);
  return found;
}

std::shared_ptr<const void> Backends::meet_before_native() const {
  return parts_->gated_native->demand();
}

std::vector<std::string_view> Backends::scheduled_names() const {
  std::vector<std::string_view> names;
  if (parts_->p2p) names.emplace_back("p2p");
  if (parts_->shared) names.emplace_back("shared");
  return names;
}

std::unique_ptr<Backend> Backends::running(
    std::string_view name, std::function<plan::Choice(const plan::Problem&)> choose) const {
  return parts_->scheduled(name, [choose = std::move(choose)](const plan::Problem& problem,
                                                              Waiting) { return choose(problem); });
}

}  // namespace cartwright::comm
