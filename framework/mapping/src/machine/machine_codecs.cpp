// SPDX-License-Identifier: Apache-2.0
#include "machine_codecs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/suggestion.hpp>
#include <cartwright/rt/value_codec_composite.hpp>
#include <utility>
#include <vector>

#include "quantity.hpp"

namespace cartwright::mapping {
namespace {

using Points = std::vector<std::pair<plan::Count, double>>;

bool refuse_quantity(const rt::DeckValue& given, const rt::Reading& reading,
                     const std::string& must_be, const std::string& hint) {
  return reading.refuse(given, hint.empty() ? must_be : fmt::format("{}: {}", must_be, hint));
}

template <class Parse>
bool read_quantity(const rt::DeckValue& given, const rt::Reading& reading,
                   const std::string& must_be, const Parse& parse, double& value) {
  if (!given.is_scalar()) return refuse_quantity(given, reading, must_be, {});
  const auto parsed = parse(given.text());
  if (!parsed.value) return refuse_quantity(given, reading, must_be, parsed.hint);
  value = *parsed.value;
  return true;
}

/// The entries of {8 B: …, 2 KiB: …}; sizes must ascend.
template <class Parse>
bool read_points(const rt::DeckValue& given, const rt::Reading& reading, const std::string& must_be,
                 const Parse& parse, Points& points) {
  bool good = true;
  for (const rt::DeckEntry& entry : given.entries()) {
    const std::string path = fmt::format("{}.{}", reading.path, entry.name);
    const auto bytes = parse_bytes(entry.name);
    if (!bytes.value) {
      const std::string hint = bytes.hint.empty() ? "for example 8 B or 2 KiB" : bytes.hint;
      reading.faults.add(entry.origin, fmt::format("'{}' in '{}' is no size of a message: {}",
                                                   entry.name, reading.path, hint));
      good = false;
    } else if (!points.empty() && points.back().first >= *bytes.value) {
      reading.faults.add(entry.origin, fmt::format("'{}' in '{}' must be larger than the size "
                                                   "before it",
                                                   entry.name, reading.path));
      good = false;
    }
    double value = 0.0;
    good =
        read_quantity(entry.value, {path, reading.limits, reading.faults}, must_be, parse, value) &&
        good;
    if (good) points.emplace_back(*bytes.value, value);
  }
  return good && !points.empty();
}

template <class Parse>
bool read_by_size(const rt::DeckValue& given, const rt::Reading& reading,
                  const std::string& must_be, const Parse& parse, plan::BySize& value) {
  if (given.is_map()) {
    Points points;
    if (!read_points(given, reading, must_be, parse, points)) return false;
    value = plan::BySize(std::move(points));
    return true;
  }
  double constant = 0.0;
  const std::string or_by_size = must_be + ", or several by size ({8 B: …, 2 KiB: …})";
  if (!read_quantity(given, reading, or_by_size, parse, constant)) return false;
  value = plan::BySize(constant);
  return true;
}

/// j messages reach j times what one does until all channels are full.
std::vector<double> channels_of(double each, double together) {
  constexpr std::size_t most = 1'000'000;
  std::vector<double> rates{std::min(each, together)};
  while (rates.back() < together && rates.size() < most)
    rates.push_back(std::min(each * static_cast<double>(rates.size() + 1), together));
  return rates;
}

constexpr const char* a_rate = "a bandwidth such as 1627.5 MB/s";

bool read_bandwidths(const rt::DeckValue& given, const rt::Reading& reading,
                     std::vector<double>& rates) {
  bool good = true;
  std::vector<double> found;
  for (const rt::DeckValue& item : given.items()) {
    const std::string path = rt::composite::element_path(reading.path, found.size());
    double rate = 0.0;
    good = read_quantity(item, {path, reading.limits, reading.faults}, a_rate, parse_bandwidth,
                         rate) &&
           good;
    found.push_back(rate);
  }
  if (good) rates = std::move(found);
  return good;
}

/// {each: 25 GB/s, together: 100 GB/s}
bool read_channels(const rt::DeckValue& given, const rt::Reading& reading,
                   const std::string& must_be, SharedBandwidth& value) {
  bool good = true;
  for (const rt::DeckEntry& entry : given.entries()) {
    if (entry.name == "each" || entry.name == "together") continue;
    const std::vector<std::string> known{"each", "together"};
    reading.faults.add(entry.origin,
                       fmt::format("unknown key '{}' in '{}'{}", entry.name, reading.path,
                                   rt::did_you_mean(entry.name, known)));
    good = false;
  }
  double each = 0.0;
  double together = 0.0;
  for (const auto& [name, rate] : {std::pair{"each", &each}, {"together", &together}}) {
    const rt::DeckEntry* entry = given.find(name);
    if (entry == nullptr) return reading.refuse(given, must_be);
    const std::string path = fmt::format("{}.{}", reading.path, name);
    good = read_quantity(entry->value, {path, reading.limits, reading.faults}, a_rate,
                         parse_bandwidth, *rate) &&
           good;
  }
  if (good && each > together) return reading.refuse(given, "each at most what is together");
  if (good && together / each > 1e6) return reading.refuse(given, "at most a million channels");
  if (good) value.bytes_per_second = channels_of(each, together);
  return good;
}

constexpr const char* a_time = "a time with its unit such as 1.33 us";
constexpr const char* a_bandwidth = "a bandwidth such as 1627.5 MB/s, 0.4 ns/B or unlimited";
constexpr const char* text_schema = R"({"type": ["string", "number", "object"]})";

}  // namespace

std::string by_size_text(const plan::BySize& value, std::string (*text)(double)) {
  const auto& points = value.points();
  if (value.is_constant() && points.front().first == 0) return text(points.front().second);
  std::vector<std::string> entries;
  entries.reserve(points.size());
  for (const auto& [bytes, at] : points)
    entries.push_back(fmt::format("{}: {}", bytes_text(bytes), text(at)));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

}  // namespace cartwright::mapping

namespace cartwright::rt {

using mapping::ByteTimeBySize;
using mapping::SharedBandwidth;
using mapping::TimeBySize;

TypeName Codec<TimeBySize>::type(const Limits&) {
  return {"a time", "times", "time, or times by size"};
}
bool Codec<TimeBySize>::read(const DeckValue& given, const Reading& reading, TimeBySize& value) {
  return mapping::read_by_size(given, reading, mapping::a_time, mapping::parse_time, value.seconds);
}
std::string Codec<TimeBySize>::show(const TimeBySize& value, const Limits&) {
  return mapping::by_size_text(value.seconds, mapping::time_text);
}
std::string Codec<TimeBySize>::json_schema(const Limits&) {
  return mapping::text_schema;
}

TypeName Codec<ByteTimeBySize>::type(const Limits&) {
  return {"a bandwidth", "bandwidths", "bandwidth, or bandwidths by size"};
}
bool Codec<ByteTimeBySize>::read(const DeckValue& given, const Reading& reading,
                                 ByteTimeBySize& value) {
  return mapping::read_by_size(given, reading, mapping::a_bandwidth, mapping::parse_byte_time,
                               value.seconds);
}
std::string Codec<ByteTimeBySize>::show(const ByteTimeBySize& value, const Limits&) {
  return mapping::by_size_text(value.seconds, mapping::byte_time_text);
}
std::string Codec<ByteTimeBySize>::json_schema(const Limits&) {
  return mapping::text_schema;
}

TypeName Codec<SharedBandwidth>::type(const Limits&) {
  return {"a list of bandwidths", "lists of bandwidths",
          "list of bandwidths, or each and together"};
}
bool Codec<SharedBandwidth>::read(const DeckValue& given, const Reading& reading,
                                  SharedBandwidth& value) {
  const std::string must_be =
      "bandwidths of 1, 2, 3… messages together, such as [1.6 GB/s, 2.6 GB/s], or {each: 25 GB/s, "
      "together: 100 GB/s}";
  if (given.is_list() && !given.items().empty())
    return mapping::read_bandwidths(given, reading, value.bytes_per_second);
  if (given.is_map()) return mapping::read_channels(given, reading, must_be, value);
  return reading.refuse(given, must_be);
}
std::string Codec<SharedBandwidth>::show(const SharedBandwidth& value, const Limits&) {
  const auto& rates = value.bytes_per_second;
  if (rates.size() > 2 && rates == mapping::channels_of(rates.front(), rates.back()))
    return fmt::format("{{each: {}, together: {}}}", mapping::bandwidth_text(rates.front()),
                       mapping::bandwidth_text(rates.back()));
  std::vector<std::string> shown;
  shown.reserve(rates.size());
  for (const double rate : rates) shown.push_back(mapping::bandwidth_text(rate));
  return fmt::format("[{}]", fmt::join(shown, ", "));
}
std::string Codec<SharedBandwidth>::json_schema(const Limits&) {
  return R"({"type": ["array", "object"]})";
}

}  // namespace cartwright::rt
