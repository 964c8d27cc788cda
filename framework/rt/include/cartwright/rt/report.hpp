// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/trace.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cartwright::rt {

/// Time spent in one region, over the ranks (a rank that never entered it counts as 0).
struct RegionStatistics {
  std::string name = {};
  double minimum = 0.0, mean = 0.0, maximum = 0.0;  ///< seconds
  std::int64_t count = 0;                           ///< of all ranks together
  std::int64_t bytes = 0;                           ///< of all ranks together
};

/// Where the time of a run went.
struct TimeTable {
  std::vector<RegionStatistics> regions;  ///< longest mean first; last "other", in no region
  RegionStatistics whole{"whole run"};    ///< the sum of all of them
};

/// Collective. `wall_seconds`: how long this rank has run. The result is complete on rank 0 only.
[[nodiscard]] TimeTable gather_regions(const Communicator& comm, const Trace& trace,
                                       double wall_seconds);

/// What a run tells at its end: key-value sections that modules add, and the time per region.
/// Filled on every rank (the values of rank 0 count), printed and written by rank 0.
class Report {
 public:
  using Value = std::variant<bool, std::int64_t, double, std::string>;
  struct Entry {
    std::string key;
    Value value;
    std::string unit;
  };
  class Section {
   public:
    explicit Section(std::string title) : title_(std::move(title)) {}
    /// A text, number or bool; a key that is there already gets the new value.
    template <class Given>
    Section& add(std::string key, const Given& value, std::string unit = {}) {
      if constexpr (std::is_same_v<Given, bool> || std::is_same_v<Given, Value>) {
        return set({std::move(key), value, std::move(unit)});
      } else if constexpr (std::is_integral_v<Given>) {
        return set({std::move(key), static_cast<std::int64_t>(value), std::move(unit)});
      } else if constexpr (std::is_floating_point_v<Given>) {
        return set({std::move(key), static_cast<double>(value), std::move(unit)});
      } else {
        return set({std::move(key), std::string(value), std::move(unit)});
      }
    }
    [[nodiscard]] const std::string& title() const noexcept { return title_; }
    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

   private:
    Section& set(Entry entry);
    std::string title_;
    std::vector<Entry> entries_;
  };

  /// The section of that title, made when it is new; references stay valid.
  Section& section(std::string_view title);
  void set_times(TimeTable times) { times_ = std::move(times); }

  /// The report as a person reads it, aligned, ending with a line end.
  [[nodiscard]] std::string text() const;
  /// The same as JSON; numbers keep all digits, numbers that are not finite become null.
  [[nodiscard]] std::string json() const;

 private:
  std::deque<Section> sections_;
  TimeTable times_;
};

/// "1.5 GiB"
[[nodiscard]] std::string readable_bytes(std::int64_t bytes);

}  // namespace cartwright::rt
