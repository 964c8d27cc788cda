// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cartwright/rt/terminal.hpp>
#include <cstdlib>
#include <string>

namespace cartwright::rt {
namespace {

int width_of(int descriptor) noexcept {
  if (::isatty(descriptor) == 0) return 0;
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

// The terminal of our parent, which is mpirun itself on the node where it was called.
int width_of_parent(int descriptor) {
  const auto path = "/proc/" + std::to_string(::getppid()) + "/fd/" + std::to_string(descriptor);
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISCHR(status.st_mode)) return 0;
  const int opened = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return 0;
  const int width = width_of(opened);
  ::close(opened);
  return width;
}

}  // namespace

int terminal_width(std::FILE* stream) noexcept {
  if (const char* told = std::getenv("CARTWRIGHT_TERMINAL")) {
    return std::clamp(std::atoi(told), 0, 1000);  // NOLINT(*-err34-c): nonsense is 0
  }
  const int descriptor = ::fileno(stream);
  if (std::getenv("OMPI_COMM_WORLD_RANK") != nullptr) return width_of_parent(descriptor);
  return width_of(descriptor);
}

}  // namespace cartwright::rt
