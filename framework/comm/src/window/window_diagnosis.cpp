// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/calls/call_text.hpp>
#include <cartwright/comm/window/window_core.hpp>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/rank_text.hpp>
#include <iterator>

namespace cartwright::comm {

namespace {

const char* name_of_epoch(const Epoch& epoch) {
  switch (epoch.kind) {
    case EpochKind::access:
      return "access epoch (start)";
    case EpochKind::exposure:
      return "exposure (post)";
    case EpochKind::fence:
      return "fence";
    case EpochKind::lock:
      return epoch.lock == Lock::shared ? "shared lock" : "exclusive lock";
    case EpochKind::lock_all:
      break;
  }
  return "lock of all";
}

/// "; …; …": what `words` says of sides, of at most four; of one of which it says nothing, nothing.
std::string list_of_sides(const Epoch& epoch, const auto& words) {
  std::string text;
  int told = 0;
  for (const Side& side : epoch.sides) {
    const std::string said = words(side);
    if (said.empty()) continue;
    if (++told > 4) return text + "; …";
    text += "; " + said;
  }
  return text;
}

}  // namespace

/// What a side waits for, in words.
std::string WindowCore::missing(const Side& side) const {
  const Peer& other = peer(side.rank);
  switch (side.epoch->kind) {
    case EpochKind::exposure:
      return fmt::format(
          "rank {} has completed {} of its accesses here, of {}", side.rank,
          other.block ? SharedAccess::load(mine_.done(other.member).accesses) : other.accesses_done,
          side.id);
    case EpochKind::fence:
      if (side.stage == Side::Stage::closing)
        return fmt::format(
            "rank {} has closed {} fences, of {}", side.rank,
            other.block ? SharedAccess::load(mine_.done(other.member).fences) : other.fences_done,
            side.id);
      if (other.block)
        return fmt::format("rank {} has opened {} fences, of {}", side.rank,
                           SharedAccess::load(other.block.owner().fence), side.id);
      break;
    case EpochKind::access:
      if (other.block)
        return fmt::format("rank {} has exposed its memory to this one {} times, of {}", side.rank,
                           SharedAccess::load(other.block.grant(peer(me_).member).exposures),
                           side.id);
      break;
    case EpochKind::lock:
    case EpochKind::lock_all:
      if (side.stage == Side::Stage::closing || (other.block ? !side.is_granted : side.has_asked))
        return fmt::format("rank {}'s memory is held by others, or its owner doesn't poll",
                           side.rank);
      break;
  }
  if (other.turns.first() != &side)
    return fmt::format("an earlier epoch talks to rank {}", side.rank);
  return fmt::format("rank {} has carried out {} of {} bytes that were sent", side.rank,
                     other.bytes_credited, other.bytes_sent);
}

std::string WindowCore::describe(const Epoch& epoch) const {
  std::string text = fmt::format("{} {}", name_of_epoch(epoch), epoch.number);
  if (*epoch.site.file != '\0') text += fmt::format(" ({})", comm::describe(epoch.site));
  if (!epoch.is_closed()) return text + ": open" + awaited_while_open(epoch);
  if (!epoch.is_active) return text + ": closed, behind earlier ones";
  const std::string sides = list_of_sides(epoch, [this](const Side& side) {
    return side.stage == Side::Stage::finished ? std::string() : missing(side);
  });
  return text + (sides.empty() ? incomplete(epoch) : ":" + sides.substr(1));
}

/// Operations that wait for their targets, and those whom they wait for.
std::string WindowCore::incomplete(const Epoch& epoch) const {
  const auto is_long = [&](const Transfer& transfer) { return transfer.side->epoch == &epoch; };
  return fmt::format(": {} operations have left and aren't complete, {} of them long messages",
                     epoch.pending, std::ranges::count_if(transfers_, is_long)) +
         list_of_sides(epoch, [](const Side& side) {
           return side.pending == 0 ? std::string()
                                    : fmt::format("{} at rank {}", side.pending, side.rank);
         });
}

/// What its operations wait for before they can begin.
std::string WindowCore::awaited_while_open(const Epoch& epoch) const {
  return list_of_sides(epoch, [this](const Side& side) {
    if (side.first != nullptr) return missing(side);
    return side.pending == 0
               ? std::string()
               : fmt::format("{} operations aren't complete at rank {}", side.pending, side.rank);
  });
}

std::string WindowCore::list_of_epochs() const {
  std::string text;
  for (const Epoch* epoch = epochs_.first(); epoch != nullptr; epoch = epoch->after)
    text += "\n  " + describe(*epoch);
  return text;
}

void WindowCore::check_time(const RequestState& request,
                            std::chrono::steady_clock::time_point begin) const {
  if (!options_.time_limit || std::chrono::steady_clock::now() - begin <= *options_.time_limit)
    return;
  throw rt::internal_failure(
      fmt::format("{}: {} ({}) has been waited for longer than {}. Its epochs:{}", options_.name,
                  request.what, comm::describe(request.site),
                  rt::format_duration(*options_.time_limit), list_of_epochs()),
      "Look at what those ranks do instead: each start needs a post, each fence all ranks, each "
      "lock that whoever holds it unlocks it.");
}

void WindowCore::refuse_open_end(const Epoch& epoch) const {
  throw rt::internal_failure(
      fmt::format("{}: an epoch leaves its scope open: {}", options_.name, describe(epoch)),
      "Close it: complete(), wait(), close() or unlock() give a request and never wait.");
}

}  // namespace cartwright::comm
