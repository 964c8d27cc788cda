// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <array>
#include <cartwright/comm/backends/native_backend.hpp>
#include <cartwright/comm/backends/scheduled_backend.hpp>
#include <cartwright/comm/execution/p2p_messages.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <utility>

#include "backend_parts.hpp"

namespace cartwright::comm {

namespace {

/// Any call that looks for messages lets MPI move those that are under way.
void progress_mpi(MPI_Comm comm) {
  int found = 0;
  rt::mpi_check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE),
                "MPI_Iprobe");
}

template <Messages M, class Channel>
std::unique_ptr<Backend> schedules_over(BackendId id, BackendParts& parts,
                                        const ChooseAlgorithm& choose, Channel& channel) {
  return std::make_unique<ScheduledBackend<M>>(
      *parts.comm, *parts.engine,
      typename ScheduledBackend<M>::Parts{
          .id = id,
          .make_messages =
              [&channel](const plan::Program& program, std::size_t element_size) {
                return M(channel, program, element_size);
              },
          .choose = choose,
          .sequence = &parts.sequence,
          .traffic = &parts.traffic,
          .nodes = &parts.nodes,
          .progress_mpi = [&parts] { progress_mpi(parts.channel->handle()); }});
}

std::unique_ptr<Backend> native(BackendParts& parts, const ChooseAlgorithm& /*choose*/) {
  const bool is_chosen = parts.wanted == BackendId::native;
  if (is_chosen) (void)parts.comm->handle();  // now that all ranks are here, if it isn't made yet
  return std::make_unique<NativeBackend>(
      *parts.comm, *parts.engine, parts.tags.channel(0),
      is_chosen ? NativeBackend::Blocking::by_mpi : NativeBackend::Blocking::polled);
}

std::unique_ptr<Backend> p2p(BackendParts& parts, const ChooseAlgorithm& choose) {
  return schedules_over<P2pMessages>(BackendId::p2p, parts, choose, *parts.channel);
}

std::unique_ptr<Backend> shared(BackendParts& parts, const ChooseAlgorithm& choose) {
  if (parts.memory == nullptr || !parts.memory->usable()) return nullptr;
  if (!parts.shared_channel) {
    parts.paths = parts.memory->paths_of(*parts.comm);
    parts.shared_channel.emplace(
        SharedChannel{*parts.paths.mailboxes, parts.paths.members, *parts.channel});
  }
  return schedules_over<SharedMessages>(BackendId::shared, parts, choose, *parts.shared_channel);
}

/// Where a node has no memory to share, all that it says goes by messages.
void find_landing_areas(BackendParts& parts) {
  const auto ranks = static_cast<std::size_t>(parts.comm->size());
  NodeShare share{.segment = {}, .members = std::vector<std::int32_t>(ranks, -1)};
  std::size_t bytes = LandingShape{}.bytes_per_member();
  if (parts.memory != nullptr && parts.memory->usable()) {
    share = parts.memory->share_of(*parts.comm);
    bytes = share.segment.parts.front().size();
  }
  const LandingShape shape = LandingShape::within(bytes, share.segment.members());
  if (share.segment.members() == 0) return;
  parts.areas.emplace(std::move(share.segment), shape);
  parts.rma_channel.emplace(RmaChannel{*parts.areas, std::move(share.members), *parts.channel});
}

std::unique_ptr<Backend> rma(BackendParts& parts, const ChooseAlgorithm& choose) {
  if (!parts.rma_channel) find_landing_areas(parts);
  if (!parts.rma_channel) return nullptr;
  return schedules_over<RmaMessages>(BackendId::rma, parts, choose, *parts.rma_channel);
}

std::unique_ptr<Backend> automatic(BackendParts& parts, const ChooseAlgorithm& /*choose*/) {
  if (may_be_native(parts.selection->knowledge())) (void)parts.comm->handle();
  auto made = std::make_unique<AutoBackend>(AutoBackend::Parts{
      .selection = parts.selection,
      .engine = parts.engine,
      .find = [&parts](BackendId wanted) -> Backend& { return parts.find(wanted); },
      .note = [&parts](const CallKey& key,
                       const Decision& decision) { parts.note(key, decision, key.size); }});
  parts.automatic = made.get();
  return made;
}

using Kind = BackendTraits::Kind;
using Memory = BackendTraits::Memory;

constexpr std::array<BackendId, 1> messages{BackendId::p2p};
constexpr std::array<BackendId, 2> both{BackendId::shared, BackendId::p2p};

constexpr std::array table{BackendTraits{.id = BackendId::native,
                                         .name = "native",
                                         .about = "the MPI library's own collectives",
                                         .kind = Kind::library,
                                         .make = native},
                           BackendTraits{.id = BackendId::p2p,
                                         .name = "p2p",
                                         .about = "Cartwright's schedules over messages",
                                         .make = p2p},
                           BackendTraits{.id = BackendId::shared,
                                         .name = "shared",
                                         .about = "the same through the memory of a node",
                                         .memory = Memory::needed,
                                         .may_have_links = true,
                                         .beside = messages,
                                         .make = shared},
                           BackendTraits{.id = BackendId::rma,
                                         .name = "rma",
                                         .about = "the same one-sided",
                                         .memory = Memory::welcome,
                                         .is_one_sided = true,
                                         .beside = messages,
                                         .make = rma},
                           BackendTraits{.id = BackendId::automatic,
                                         .name = "auto",
                                         .about = "the quickest",
                                         .kind = Kind::choice,
                                         .memory = Memory::welcome,
                                         .may_have_links = true,
                                         .beside = both,
                                         .make = automatic}};

static_assert(table.size() == BackendParts::backends);
static_assert([] {
  for (std::size_t row = 0; row < table.size(); ++row)
    if (table[row].id != static_cast<BackendId>(row)) return false;
  return true;
}());

}  // namespace

std::span<const BackendTraits> all_backends() noexcept {
  return table;
}

}  // namespace cartwright::comm
