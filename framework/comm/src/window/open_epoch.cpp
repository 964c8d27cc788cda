// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/window/open_epoch.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::comm {

void OpenEpoch::refuse_end() const {
  if (!rt::unwinding()) core_->refuse_open_end(*epoch_);
}

void OpenEpoch::refuse_use() const {
  throw rt::internal_failure(core_->options().name + ": an epoch is used that was closed");
}

EpochRequest OpenEpoch::close_it(const char* what, CallSite site) {
  Epoch& closing = epoch();
  epoch_ = nullptr;
  return EpochRequest(core_->close(closing, what, site));
}

void refuse_slice_length(plan::Count values, plan::Count slice) {
  throw rt::internal_failure(
      fmt::format("an epoch has {} values for a slice of {} elements", values, slice),
      "Give the slice as many blocks as there are values, or none: then it is as long as they "
      "are.");
}

}  // namespace cartwright::comm
