// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/calls/arguments.hpp>
#include <cartwright/comm/calls/call_text.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::comm::detail {

bool Arguments::is_moved_on_device() const {
  using enum plan::Operation;
  const bool only_moves = call.operation != barrier && !plan::is_reduction(call.operation);
  if (!is_scattered() || !only_moves || call.has_uneven_blocks()) return false;
  const auto is_whole = [](const std::byte* data, const Scatter& scatter) {
    return data == nullptr || (scatter.device != nullptr && scatter.strides.is_contiguous());
  };
  return is_whole(call.input, input) && is_whole(call.output, output);
}

void refuse_short(const Call& call, std::string_view which, plan::Count has, plan::Count needs) {
  throw rt::internal_failure(
      fmt::format("{}: the {} holds {} elements, and needs {}", describe(call), which, has, needs),
      "Make it longer, or pass fewer elements.");
}

void refuse_root(const Call& call, int ranks) {
  throw rt::internal_failure(
      fmt::format("{}: the root is rank {} of {} ranks", describe(call), call.root.value, ranks),
      "Ranks count from 0 on, in the collective's own communicator.");
}

void refuse_overlap(const Call& call) {
  throw rt::internal_failure(fmt::format("{}: input and output overlap", describe(call)),
                             "Pass one buffer only, which is the collective in place.");
}

void refuse_uneven(const Call& call, plan::Count elements, int ranks) {
  throw rt::internal_failure(
      fmt::format("{}: {} elements are no {} equal blocks", describe(call), elements, ranks),
      "Say how long each rank's block is: pass comm::Blocks.");
}

void refuse_blocks(const Call& call, int blocks, int ranks) {
  throw rt::internal_failure(
      fmt::format("{}: {} blocks were given for {} ranks", describe(call), blocks, ranks),
      "comm::Blocks wants one count for each rank.");
}

void refuse_different_blocks(const Call& call) {
  throw rt::internal_failure(
      fmt::format("{}: blocks were given for one of input and output only", describe(call)),
      "Pass comm::Blocks for both, or for none.");
}

void refuse_unknown_blocks(const Call& call) {
  throw rt::internal_failure(
      fmt::format("{}: not all ranks know how long the blocks are", describe(call)),
      "Blocks that the root alone knows are for gather and scatter.");
}

}  // namespace cartwright::comm::detail
