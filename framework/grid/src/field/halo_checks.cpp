// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <cartwright/grid/field/halo_checks.hpp>
#include <cartwright/grid/field/poison.hpp>
#include <cartwright/grid/field/storage_checks.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/space/face.hpp>
#include <cartwright/rt/error.hpp>
#include <cstring>

namespace cartwright::grid {

namespace {

std::string place_name(int face) {
  return face == static_cast<int>(HaloState::corners) ? "edges and corners"
                                                      : "face " + Face::from_number(face).name();
}

}  // namespace

/// The address tells storages of this process apart; the mark makes it unlikely that other captured
/// numbers look like a token.
HaloState::HaloState(const void* memory)
    : token(reinterpret_cast<std::uintptr_t>(memory) ^ 0xca47'0000'0000'0000U) {}

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325U;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = (hash ^ word) * 0x0000'0100'0000'01b3U;
    hash ^= hash >> 29;
  }
  return hash;
}

void HaloChecks::watch(Subject subject) {
  subjects_.push_back(std::move(subject));
}

void HaloChecks::forget(const HaloState& state) noexcept {
  std::erase_if(subjects_, [&state](const Subject& known) { return known.state == &state; });
  captured_.clear();
}

void HaloChecks::notice_changes(Subject& subject) const {
  const std::uint64_t content = subject.content();
  if (content != subject.state->content) ++subject.state->generation;
  subject.state->content = content;
}

void HaloChecks::refreshed(HaloState& state, bool with_corners) {
  const auto found = std::find_if(subjects_.begin(), subjects_.end(),
                                  [&state](const Subject& known) { return known.state == &state; });
  if (found == subjects_.end()) return;
  notice_changes(*found);
  for (std::size_t face = 0; face < state.ghosts.size(); ++face)
    if (face != HaloState::corners || with_corners) state.ghosts[face] = state.generation;
}

void HaloChecks::before_kernel(std::span<const std::byte> closure) {
  captured_.clear();
  for (std::size_t number = 0; number < subjects_.size(); ++number) {
    Subject& subject = subjects_[number];
    const std::uint64_t token = subject.state->token;
    for (std::size_t at = 0; at + sizeof token <= closure.size(); at += alignof(std::uint64_t)) {
      if (std::memcmp(closure.data() + at, &token, sizeof token) != 0) continue;
      captured_.push_back(number);
      break;
    }
  }
  for (const std::size_t number : captured_) {
    Subject& subject = subjects_[number];
    notice_changes(subject);
    for (std::size_t face = 0; face < subject.state->ghosts.size(); ++face)
      if (subject.state->ghosts[face] != subject.state->generation)
        subject.poison(static_cast<int>(face), static_cast<int>(number));
  }
}

void HaloChecks::after_kernel() {
  for (const std::size_t number : captured_)
    if (const std::uint64_t poison = subjects_[number].find_poison(); poison != 0) stop(poison);
}

void HaloChecks::check_result(double value) const {
  if (const std::uint32_t payload = poison::payload_of(value); payload != 0) stop(payload);
}

void HaloChecks::stop(std::uint64_t poison) const {
  const auto payload = static_cast<std::uint32_t>(poison);
  const auto number = static_cast<std::size_t>(poison::field_of(payload));
  const auto face = static_cast<std::size_t>(poison::face_of(payload));
  if (number >= subjects_.size() || face > HaloState::corners)
    throw rt::internal_failure("checks: halos: a poisoned value of unknown origin was found");
  const Subject& subject = subjects_[number];
  const std::uint64_t have = subject.state->ghosts[face];
  throw rt::Error(
      rt::ExitCode::numerical_failure,
      fmt::format("step {}: a kernel has read stale ghosts of field '{}' at {}: its points are of "
                  "generation {}, these ghosts {}",
                  run_.step() + 1, subject.field, place_name(static_cast<int>(face)),
                  subject.state->generation,
                  have == HaloState::never ? std::string("were never exchanged")
                                           : fmt::format("of generation {}", have)),
      face == HaloState::corners
          ? "Create the field with .corners = true if its stencil looks diagonally."
          : "Call exchange() on the field after it is written and before its neighbours are read.");
}

}  // namespace cartwright::grid
