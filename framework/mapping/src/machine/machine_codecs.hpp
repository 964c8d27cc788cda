// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/by_size.hpp>
#include <cartwright/rt/value_codec.hpp>
#include <string>
#include <vector>

namespace cartwright::mapping {

/// A time that may depend on the size of a message: "1.33 us", or {8 B: 0.88 us, 2 KiB: 0.96 us}.
struct TimeBySize {
  plan::BySize seconds;
};

/// Time per byte, given as a bandwidth, that may depend on the size of a message.
struct ByteTimeBySize {
  plan::BySize seconds;
};

/// Bytes per second of 1, 2, 3… messages together: a list, or {each: 25 GB/s, together: 100 GB/s}
/// for channels that are shared without loss until they are full.
struct SharedBandwidth {
  std::vector<double> bytes_per_second;
};

[[nodiscard]] std::string by_size_text(const plan::BySize& value, std::string (*text)(double));

}  // namespace cartwright::mapping

namespace cartwright::rt {

template <>
struct Codec<mapping::TimeBySize> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, mapping::TimeBySize& value);
  static std::string show(const mapping::TimeBySize& value, const Limits&);
  static std::string json_schema(const Limits&);
};

template <>
struct Codec<mapping::ByteTimeBySize> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, mapping::ByteTimeBySize& value);
  static std::string show(const mapping::ByteTimeBySize& value, const Limits&);
  static std::string json_schema(const Limits&);
};

template <>
struct Codec<mapping::SharedBandwidth> {
  static TypeName type(const Limits&);
  static bool read(const DeckValue& given, const Reading& reading, mapping::SharedBandwidth& value);
  static std::string show(const mapping::SharedBandwidth& value, const Limits&);
  static std::string json_schema(const Limits&);
};

}  // namespace cartwright::rt
