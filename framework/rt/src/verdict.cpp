// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace cartwright::rt {

void write_verdict(const char* file, std::string_view verdict) noexcept {
  if (file == nullptr) return;
  const int descriptor = ::open(file, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;  // the launcher is on another machine
  (void)!::write(descriptor, verdict.data(), verdict.size());
  ::close(descriptor);
}

}  // namespace cartwright::rt
