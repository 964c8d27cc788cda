// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cartwright/rt/ticks.hpp>
#include <cstdint>
#include <string>

namespace cartwright::rt {

/// Where a program stands still. Texts that live for ever: literals, `__builtin_FILE()`.
struct WaitSite {
  const char* name = "";  ///< "MPI_Allreduce", "the halos of neighbours"
  const char* file = "";  ///< of the source; empty: the name says enough
  int line = 0;
};

/// "MPI_Bcast (root_only.cpp:57)".
[[nodiscard]] std::string describe(const WaitSite& site);

enum class WaitKind : std::uint32_t {
  none,    ///< it computes
  ranks,   ///< it waits for other ranks
  files,   ///< it is inside a call that reads or writes files, together with other ranks or not
  library  ///< it is inside a library that computes and talks by itself: for limits, it computes
};

/// What a thread stands still for at present: it writes, the watcher reads.
class alignas(64) WaitRecord {
 public:
  struct View {
    WaitSite site;
    WaitKind kind = WaitKind::none;
    std::uint64_t sequence = 0;  ///< the same as before: nothing has happened in between
  };
  [[nodiscard]] View look() const noexcept {
    const std::uint64_t number = sequence_.load(std::memory_order_acquire);
    const std::uint64_t where = where_.load(std::memory_order_relaxed);
    return {{name_.load(std::memory_order_relaxed), file_.load(std::memory_order_relaxed),
             static_cast<int>(where >> 2U)},
            static_cast<WaitKind>(where & 3U),
            number};
  }

  /// The record of the calling thread, null where nobody watches it.
  [[nodiscard]] static WaitRecord* of_this_thread() noexcept { return of_this_thread_; }
  /// From here on the waits of the calling thread are written there; null: nowhere.
  static void publish_to(WaitRecord* record) noexcept { of_this_thread_ = record; }

  /// From here on it is known how long the thread has stood still; each wait takes two stamps more.
  void count_waits() noexcept { counts_ = true; }
  /// In waits that are over, since they have been counted. For the thread itself.
  [[nodiscard]] Ticks::duration waited() const noexcept { return waited_; }

 private:
  friend class WaitScope;
  void advance() noexcept {  // one thread writes
    sequence_.store(sequence_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  static inline constinit thread_local WaitRecord* of_this_thread_ = nullptr;

  std::atomic<std::uint64_t> sequence_{0};
  std::atomic<const char*> name_{""};
  std::atomic<const char*> file_{""};
  std::atomic<std::uint64_t> where_{0};  // the line, and the kind in two bits
  bool counts_ = false;
  Ticks::duration waited_{};
};

/// Everything that may block says so first, by one of these: `stop.silence` and `comm.time_limit`
/// hold for it then. Takes a few nanoseconds. A wait for ranks inside another one keeps the outer
/// one's name, which is nearer to what the user wrote; that it begins is a sign of life.
class WaitScope {
 public:
  explicit WaitScope(const WaitSite& site, WaitKind kind = WaitKind::ranks) noexcept
      : record_(WaitRecord::of_this_thread()) {
    if (record_ == nullptr) return;
    former_ = record_->where_.load(std::memory_order_relaxed);
    constexpr auto ranks = static_cast<std::uint64_t>(WaitKind::ranks);
    is_inner_ = kind == WaitKind::ranks && (former_ & 3U) == ranks;
    is_counted_ = record_->counts_ && (former_ & 3U) == static_cast<std::uint64_t>(WaitKind::none);
    if (is_counted_) [[unlikely]]
      begin_ = now();
    if (!is_inner_) {
      name_ = record_->name_.load(std::memory_order_relaxed);
      file_ = record_->file_.load(std::memory_order_relaxed);
      write(site.name, site.file,
            static_cast<std::uint64_t>(static_cast<unsigned>(site.line)) << 2U |
                static_cast<std::uint64_t>(kind));
    }
    record_->advance();
  }
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;
  ~WaitScope() {
    if (record_ == nullptr) return;
    if (is_counted_) [[unlikely]]
      record_->waited_ += now() - begin_;
    if (!is_inner_) write(name_, file_, former_);
    record_->advance();
  }
  /// Something has come for which this waits, though not all.
  void progress() noexcept {
    if (record_ != nullptr) record_->advance();
  }

 private:
  void write(const char* name, const char* file, std::uint64_t where) noexcept {
    record_->name_.store(name, std::memory_order_relaxed);
    record_->file_.store(file, std::memory_order_relaxed);
    record_->where_.store(where, std::memory_order_relaxed);
  }

  WaitRecord* record_;
  const char* name_ = "";
  const char* file_ = "";
  std::uint64_t former_ = 0;
  bool is_inner_ = false;
  bool is_counted_ = false;
  Ticks begin_{};
};

}  // namespace cartwright::rt
