// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/backends/node_memory.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/shared_fields.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cstdint>
#include <span>

namespace cartwright::grid {

struct SharedFields::Slot {
  comm::LeasedMemory leased;
  bool is_used = true;  ///< by a field of this rank
};

namespace {

/// Where a field begins: the same place of a page in all processes that map this memory.
std::byte* begin_of(std::span<std::byte> memory, int number) {
  return memory.data() + bytes_before_place(memory.data(), number);
}

}  // namespace

FieldRoom::~FieldRoom() {
  if (fields_ != nullptr) fields_->slots_[static_cast<std::size_t>(number_)]->is_used = false;
}

SharedFields::SharedFields(const comm::CartComm& cart) : cart_(&cart) {
  const comm::Context& context = cart.all().context();
  // With rma ghosts go by epochs.
  const bool is_wanted = context.memory != nullptr && context.memory->usable() &&
                         context.memory->members() > 1 &&
                         !traits_of(context.settings.backend).is_one_sided;
  if (is_wanted) memory_ = context.memory;
}

SharedFields::~SharedFields() = default;

/// Fields are dropped when ranks like; only together they know which memory nobody uses. Swapping
/// is local, so it may be another number on each of them.
std::optional<std::size_t> SharedFields::find_free(std::size_t bytes) {
  if (slots_.empty()) return std::nullopt;
  enum : std::uint8_t { free = 1, fits = 2 };
  std::vector<std::uint8_t> states(slots_.size(), 0);
  for (std::size_t number = 0; number < slots_.size(); ++number) {
    const Slot* const slot = slots_[number].get();
    if (slot == nullptr || slot->is_used) continue;
    const std::size_t room = slot->leased.lease.mine().size();
    states[number] = bytes <= room && bytes >= room / 2 ? free | fits : free;
  }
  rt::combine(memory_->ranks(), states, rt::Combine::common_bits);
  std::optional<std::size_t> found;
  for (std::size_t number = 0; number < slots_.size(); ++number) {
    if (!found && states[number] == (free | fits))
      found = number;
    else if (states[number] != 0)
      slots_[number].reset();
  }
  return found;
}

FieldRoom SharedFields::acquire(std::size_t bytes) {
  if (memory_ == nullptr) return {};
  bytes += page_bytes;
  std::optional<std::size_t> number = find_free(bytes);
  if (!number) {
    auto leased = memory_->lease_memory(cart_->communicator(), bytes);
    if (!leased) return {};
    const auto empty =
        std::ranges::find_if(slots_, [](const auto& slot) { return slot == nullptr; });
    number = static_cast<std::size_t>(empty - slots_.begin());
    if (empty == slots_.end()) slots_.emplace_back();
    slots_[*number] = std::make_unique<Slot>(Slot{*std::move(leased)});
  }
  Slot& slot = *slots_[*number];
  slot.is_used = true;
  const int its = static_cast<int>(*number);
  return {shared_from_this(), its, begin_of(slot.leased.lease.mine(), its)};
}

std::byte* SharedFields::memory_of(int number, rt::Rank rank) const {
  const comm::LeasedMemory& leased = slots_[static_cast<std::size_t>(number)]->leased;
  const int member = leased.member_of[static_cast<std::size_t>(rank.value)];
  return begin_of(leased.lease.part(member), number);
}

}  // namespace cartwright::grid
