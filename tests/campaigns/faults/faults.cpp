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

const char* name_of(Kind kind) {
  return kind == Kind::mpi ? "mpi" : kind == Kind::memory ? "memory" : "file";
}

const char* rank_text() {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char* const mine = std::getenv(name)) return mine;
  return "0";
}

struct Plan {
  bool is_on = false;
  bool counts = false;
  Kind kind = Kind::mpi;  ///< that fails
  int file = -1;          ///< for sites that are met, or the one that has failed
  int depth = 1;
  std::uint64_t site = 0;
  const char* folder = nullptr;
  std::atomic<bool> has_failed{false};
  std::array<std::atomic<std::uint64_t>, 1U << 17U> seen{};

  Plan() {
    if (!is_the_program()) return;
    folder = std::getenv("CARTWRIGHT_FAULT_FOLDER");
    if (const char* const wanted = std::getenv("CARTWRIGHT_FAULT_DEPTH")) depth = std::atoi(wanted);
    if (const char* const sites = std::getenv("CARTWRIGHT_FAULT_SITES")) {
      counts = is_on = true;
      open_file(sites);
    } else if (const char* const one = std::getenv("CARTWRIGHT_FAULT_SITE")) {
      const char* const wanted = std::getenv("CARTWRIGHT_FAULT_KIND");
      if (wanted == nullptr) return;
      kind = wanted[0] == 'f' ? Kind::file : wanted[1] == 'e' ? Kind::memory : Kind::mpi;
      is_on = is_my_rank();
      site = std::strtoull(one, nullptr, 16);
      if (const char* const struck = std::getenv("CARTWRIGHT_FAULT_STRUCK")) open_file(struck);
    }
  }

  void open_file(const char* path) {
    file = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
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
    return wanted == nullptr || std::strcmp(wanted, rank_text()) == 0;
  }
};

Plan& plan() {
  static Plan one;
  return one;
}

struct Site {
  std::uint64_t number = 0;
  bool of_the_program = false;  ///< the program has called, or a library that it has called
  bool of_a_library = false;
};

Site site_of_caller(int wanted) {
  constexpr int depth = 24;
  std::array<void*, depth> frames{};
  const int found = ::backtrace(frames.data(), depth);
  Site site;
  int taken = 0;
  for (int i = 2; i < found && taken < wanted; ++i) {
    Dl_info info{};
    if (::dladdr(frames[static_cast<std::size_t>(i)], &info) == 0) break;
    const char* const name = info.dli_fname;
    if (taken == 0 && std::strstr(name, ".so") != nullptr) {
      // A stream or a string is the program's own; libc runs what belongs to nobody.
      const bool is_plain = std::strstr(name, "libstdc++") != nullptr ||
                            std::strstr(name, "libc.so") != nullptr ||
                            std::strstr(name, "campaign_faults") != nullptr;
      site.of_a_library = site.of_a_library || !is_plain;
      continue;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]) -
                         reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    site.of_the_program = true;
    site.number = (site.number ^ address) * 0x9E3779B97F4A7C15ULL;
    site.number ^= site.number >> 29U;
    ++taken;
  }
  return site;
}

void write_line(Plan& all, const Site& site, Kind kind, const char* name) {
  std::array<char, 200> line{};
  const int length = std::snprintf(line.data(), line.size(), "%s %016llx %s %s %s\n", name_of(kind),
                                   static_cast<unsigned long long>(site.number), rank_text(),
                                   site.of_a_library ? "library" : "own", name);
  if (::write(all.file, line.data(), static_cast<std::size_t>(length)) < 0) return;
}

void note(Plan& all, const Site& site, Kind kind, const char* name) {
  const std::uint64_t key = site.number + static_cast<std::uint64_t>(kind) + 1;
  auto slot = static_cast<std::size_t>(key % all.seen.size());
  for (std::uint64_t there = 0; (there = all.seen[slot].load()) != 0;
       slot = (slot + 1) % all.seen.size())
    if (there == key) return;
  all.seen[slot] = key;
  write_line(all, site, kind, name);
}

}  // namespace

bool fails(Kind kind, const char* name, Whose whose) noexcept {
  if (inside) return false;
  inside = true;
  bool result = false;
  Plan& all = plan();
  if (all.is_on && (all.counts || (kind == all.kind && !all.has_failed.load()))) {
    // Some of MPI is called by functions for that (rt/agreement.hpp), whose callers are meant.
    const Site site = site_of_caller(all.depth + (kind == Kind::mpi ? 1 : 0));
    if (site.of_the_program && !(site.of_a_library && whose == Whose::own)) {
      if (all.counts)
        note(all, site, kind, name);
      else if (site.number == all.site && !all.has_failed.exchange(true))
        result = true;
    }
    if (result && all.file >= 0) write_line(all, site, kind, name);
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
  if (!all.is_on || (!all.counts && all.kind != Kind::file)) return false;
  return all.folder == nullptr || std::strstr(path, all.folder) != nullptr ||
         std::strncmp(path, "/memfd:cartwright", 17) == 0;
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
