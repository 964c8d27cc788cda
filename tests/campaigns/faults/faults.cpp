// SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace faults {
namespace {

thread_local bool inside = false;  // backtrace() allocates, files are written: not to be counted

struct Plan {
  Kind kind = Kind::mpi;
  bool is_on = false;
  bool counts = false;
  int file = -1;
  std::uint64_t site = 0;
  const char* folder = nullptr;
  std::atomic<bool> has_failed{false};
  std::array<std::atomic<std::uint64_t>, 1U << 16U> seen{};

  Plan() {
    const char* const wanted = std::getenv("CARTWRIGHT_FAULT_KIND");
    if (wanted == nullptr || !is_the_program()) return;
    kind = wanted[0] == 'f' ? Kind::file : wanted[1] == 'e' ? Kind::memory : Kind::mpi;
    folder = std::getenv("CARTWRIGHT_FAULT_FOLDER");
    if (const char* const sites = std::getenv("CARTWRIGHT_FAULT_SITES")) {
      counts = is_on = true;
      file = ::open(sites, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    } else if (const char* const one = std::getenv("CARTWRIGHT_FAULT_SITE")) {
      is_on = is_my_rank();
      site = std::strtoull(one, nullptr, 16);
    }
  }

  // The environment reaches mpirun and shells, too.
  static bool is_the_program() {
    const char* const name = std::getenv("CARTWRIGHT_FAULT_PROGRAM");
    std::array<char, 4096> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
    const char* const slash = length > 0 ? std::strrchr(path.data(), '/') : nullptr;
    return name != nullptr && slash != nullptr && std::strcmp(slash + 1, name) == 0;
  }
  static bool is_my_rank() {
    const char* const wanted = std::getenv("CARTWRIGHT_FAULT_RANK");
    if (wanted == nullptr) return true;
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
      if (const char* const mine = std::getenv(name)) return std::strcmp(mine, wanted) == 0;
    return std::strcmp(wanted, "0") == 0;
  }
};

Plan& plan() {
  static Plan one;
  return one;
}

struct Site {
  std::uint64_t number = 0;
  bool of_the_program = false;  ///< its nearest caller is the program, not a library
};

Site site_of_caller() {
  constexpr int depth = 8;
  std::array<void*, depth> frames{};
  const int found = ::backtrace(frames.data(), depth);
  Site site;
  int taken = 0;
  for (int i = 2; i < found && taken < 3; ++i) {
    Dl_info info{};
    if (::dladdr(frames[static_cast<std::size_t>(i)], &info) == 0) break;
    const auto address = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]) -
                         reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    const bool in_program = std::strstr(info.dli_fname, ".so") == nullptr;
    // Through libstdc++ (a stream) and through HDF5 back to the line of the program.
    if (taken == 0) {
      if (!in_program) continue;
      site.of_the_program = true;
    }
    site.number = (site.number ^ address) * 0x9E3779B97F4A7C15ULL;
    site.number ^= site.number >> 29U;
    ++taken;
  }
  return site;
}

void note(Plan& all, std::uint64_t number, const char* name) {
  auto slot = static_cast<std::size_t>(number % all.seen.size());
  for (std::uint64_t there = 0; (there = all.seen[slot].load()) != 0;
       slot = (slot + 1) % all.seen.size())
    if (there == number) return;
  all.seen[slot] = number;
  std::array<char, 160> line{};
  const int length = std::snprintf(line.data(), line.size(), "%016llx %s\n",
                                   static_cast<unsigned long long>(number), name);
  if (::write(all.file, line.data(), static_cast<std::size_t>(length)) < 0) return;
}

}  // namespace

bool fails(Kind kind, const char* name) noexcept {
  if (inside) return false;
  inside = true;
  bool result = false;
  Plan& all = plan();
  if (all.is_on && kind == all.kind) {
    const Site site = site_of_caller();
    if (site.of_the_program) {
      if (all.counts)
        note(all, site.number, name);
      else if (site.number == all.site && !all.has_failed.exchange(true))
        result = true;
    }
  }
  inside = false;
  if (result && kind == Kind::file) {
    const char* const number = std::getenv("CARTWRIGHT_FAULT_ERRNO");
    errno = number != nullptr ? std::atoi(number) : EIO;
  }
  return result;
}

bool watches(const char* path) noexcept {
  if (inside || path == nullptr) return false;
  inside = true;
  const Plan& all = plan();
  inside = false;
  return all.is_on && all.kind == Kind::file &&
         (all.folder == nullptr || std::strstr(path, all.folder) != nullptr);
}

bool watches(int descriptor) noexcept {
  if (inside) return false;
  std::array<char, 64> link{};
  std::array<char, 4096> path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  const ssize_t length = ::readlink(link.data(), path.data(), path.size() - 1);
  return length > 0 && watches(path.data());
}

}  // namespace faults
