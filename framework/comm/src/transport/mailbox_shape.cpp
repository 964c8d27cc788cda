// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/transport/mailbox_shape.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::comm {

MailboxShape MailboxShape::within(std::size_t bytes, int members, const CopyThresholds& copies) {
  constexpr std::size_t least_staging = 4 << 10;
  MailboxShape shape;
  shape.members = std::max(members, 1);
  // Rings take at most a quarter; staging memory takes what is left, as far as
  // it is of use.
  for (shape.staging = shape.slot = 0; shape.entries > 2 && shape.bytes_per_member() > bytes / 4;)
    shape.entries /= 2;
  const std::size_t rings = shape.bytes_per_member();
  const std::size_t left =
      bytes > rings ? (bytes - rings) / static_cast<std::size_t>(shape.lanes) : 0;
  const auto whole_lines = [](std::size_t wanted, std::size_t possible) {
    return std::min(wanted, possible / cache_line * cache_line);
  };
  shape.slot = whole_lines(MailboxShape{}.slot, left / 4 / static_cast<std::size_t>(shape.members));
  shape.staging = whole_lines(MailboxShape{}.staging,
                              left - static_cast<std::size_t>(shape.members) * shape.slot);
  if (shape.staging < least_staging || shape.slot == 0)
    throw rt::input_error(
        fmt::format("{} bytes of shared memory for each rank are too few for {} ranks on a node",
                    bytes, members),
        "Give more of it to each communicator (comm.shared.memory, in MiB, is for those of a grid "
        "together), or set comm.backend to p2p.",
        rt::Reach::all_ranks);
  shape.copies = copies;
  shape.fragment = std::clamp(shape.staging / 8, least_staging, shape.fragment);
  return shape;
}

}  // namespace cartwright::comm
