// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>

#include <cartwright/comm/auto_backend.hpp>
#include <cartwright/comm/backends.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cartwright/comm/execution/scheduled_backend.hpp>
#include <cartwright/comm/native_backend.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <optional>
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

void check_name(std::string_view name) {
  for (const std::string_view known : {"native", "p2p", "auto"})
    if (name == known) return;
  throw rt::input_error(
      fmt::format("comm.backend: there is no backend '{}'", name),
      "Use native (the MPI library's own collectives), p2p (Cartwright's schedules over messages) "
      "or auto (the quickest).",
      rt::Reach::all_ranks);
}

}  // namespace

struct Backends::Parts {
  Parts(const rt::Communicator& communicator, rt::ProgressEngine& progress, std::string_view name,
        std::shared_ptr<const Selection> choices)
      : comm(&communicator),
        engine(&progress),
        selection(std::move(choices)),
        native(communicator) {
    chosen = &native;
    if (name == "native") return;
    channel.emplace(communicator);
    p2p = scheduled("p2p", [this](const plan::Problem& problem) {
      return selection->algorithm_for("p2p", problem);
    });
    chosen = p2p.get();
    if (name != "auto") return;
    automatic.emplace(selection,
                      [this](std::string_view wanted) -> Backend& { return find(wanted); });
    chosen = &*automatic;
  }

  [[nodiscard]] std::unique_ptr<Backend> scheduled(std::string_view name, ChooseAlgorithm choose) {
    return std::make_unique<ScheduledBackend<P2pMessages>>(
        *comm, *engine,
        ScheduledBackend<P2pMessages>::Parts{
            .name = name,
            .make_messages =
                [this](const plan::Program& program, std::size_t element_size) {
                  return P2pMessages(*channel, program, element_size);
                },
            .choose = std::move(choose),
            .sequence = &sequence,
            .progress_mpi = [this] { progress_mpi(channel->handle()); }});
  }

  [[nodiscard]] Backend& find(std::string_view wanted) {
    if (wanted == "p2p" && p2p) return *p2p;
    return native;
  }

  const rt::Communicator* comm;
  rt::ProgressEngine* engine;
  std::shared_ptr<const Selection> selection;
  NativeBackend native;
  std::optional<P2pChannel> channel;
  std::uint64_t sequence = 0;
  std::unique_ptr<Backend> p2p;
  std::optional<AutoBackend> automatic;
  Backend* chosen = nullptr;
};

Backends::Backends(const rt::Communicator& comm, rt::ProgressEngine& engine, std::string_view name,
                   std::shared_ptr<const Knowledge> knowledge, NodeView nodes) {
  check_name(name);
  parts_ = std::make_unique<Parts>(
      comm, engine, name,
      std::make_shared<const Selection>(
          std::move(knowledge),
          CommunicatorShape{.ranks = comm.size(), .one_node = nodes.one_node}));
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

Backend& Backends::find(std::string_view name) const {
  return parts_->find(name);
}

std::vector<std::string_view> Backends::scheduled_names() const {
  std::vector<std::string_view> names;
  if (parts_->p2p) names.emplace_back("p2p");
  return names;
}

std::unique_ptr<Backend> Backends::running(std::string_view name, ChooseAlgorithm choose) const {
  return parts_->scheduled(name, std::move(choose));
}

}  // namespace cartwright::comm
