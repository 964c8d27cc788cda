// SPDX-License-Identifier: Apache-2.0
#include "saved_numbers.hpp"

#include <fmt/format.h>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>

#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "../run/scalar_visit.hpp"

namespace cartwright::grid {
namespace {

constexpr std::array all_types{ScalarType::int8,    ScalarType::uint8,  ScalarType::int16,
                               ScalarType::uint16,  ScalarType::int32,  ScalarType::uint32,
                               ScalarType::int64,   ScalarType::uint64, ScalarType::float32,
                               ScalarType::float64, ScalarType::boolean};

std::size_t size_of(ScalarType type) {
  return visit_scalar(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

std::string text_of_first(ScalarType type, const char* bytes) {
  return visit_scalar(type, [bytes]<class T>(std::type_identity<T>) {
    T value{};
    std::memcpy(&value, bytes, sizeof(T));
    return fmt::format("{}", value);
  });
}

/// What comes before the bytes of each in the text that ranks compare.
std::string head_of(const SavedNumbers& numbers) {
  return fmt::format("{}: {}\n", numbers.name, kind_of(numbers));
}

std::string_view chars_of(const SavedNumbers& numbers) {
  return {reinterpret_cast<const char*>(numbers.bytes.data()), numbers.bytes.size()};
}

/// The first of `mine` that isn't in `roots` as it is here, in words.
std::string difference(const std::vector<SavedNumbers>& mine, std::string_view roots, int rank) {
  for (const SavedNumbers& each : mine) {
    const std::string head = head_of(each);
    const std::string_view here = chars_of(each);
    if (!roots.starts_with(head) || roots.size() < head.size() + here.size()) break;
    const std::string_view there = roots.substr(head.size(), here.size());
    roots.remove_prefix(head.size() + here.size());
    if (here == there) continue;
    const std::size_t size = size_of(each.type);
    std::size_t i = 0;
    while (here.substr(i * size, size) == there.substr(i * size, size)) ++i;
    const bool is_one = here.size() == size;
    return fmt::format("'{}'{} is {} on rank 0, but {} on rank {}", each.name,
                       is_one ? "" : fmt::format("[{}]", i),
                       text_of_first(each.type, there.data() + i * size),
                       text_of_first(each.type, here.data() + i * size), rank);
  }
  return fmt::format("ranks 0 and {} have made different Scalars and Arrays", rank);
}

}  // namespace

const char* name_of(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::int8:
      return "int8";
    case ScalarType::uint8:
      return "uint8";
    case ScalarType::int16:
      return "int16";
    case ScalarType::uint16:
      return "uint16";
    case ScalarType::int32:
      return "int32";
    case ScalarType::uint32:
      return "uint32";
    case ScalarType::int64:
      return "int64";
    case ScalarType::uint64:
      return "uint64";
    case ScalarType::float32:
      return "float32";
    case ScalarType::boolean:
      return "boolean";
    case ScalarType::float64:
      break;
  }
  return "float64";
}

ScalarType type_named(const std::string& name) {
  for (const ScalarType type : all_types)
    if (name == name_of(type)) return type;
  throw std::runtime_error("unknown type of number '" + name + "'");
}

std::string kind_of(const SavedNumbers& numbers) {
  const std::size_t count = numbers.bytes.size() / size_of(numbers.type);
  return count == 1 ? name_of(numbers.type)
                    : fmt::format("{} values of {}", count, name_of(numbers.type));
}

std::string hexadecimal(const std::vector<std::byte>& bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte byte : bytes)
    fmt::format_to(std::back_inserter(text), "{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

std::vector<std::byte> bytes_of(const std::string& hexadecimal) {
  std::vector<std::byte> bytes(hexadecimal.size() / 2);
  const char* digits = hexadecimal.data();
  for (std::byte& byte : bytes) {
    unsigned value = 0;
    const auto [stop, fault] = std::from_chars(digits, digits + 2, value, 16);
    if (fault != std::errc{} || stop != digits + 2)
      throw std::runtime_error("numbers of a checkpoint are not hexadecimal");
    byte = static_cast<std::byte>(value);
    digits += 2;
  }
  if (hexadecimal.size() % 2 != 0) throw std::runtime_error("half a byte in a checkpoint");
  return bytes;
}

void require_same_on_all_ranks(const comm::Collectives& comm,
                               const std::vector<SavedNumbers>& numbers) {
  std::string mine;
  for (const SavedNumbers& each : numbers) mine.append(head_of(each)).append(chars_of(each));
  const std::string roots = from_root(comm, mine);
  on_all_ranks(comm, [&] {
    if (mine == roots) return;
    throw rt::internal_failure(
        "a checkpoint can't be written: " +
            difference(numbers, roots, comm.communicator().rank().value),
        "Scalars and Arrays must be the same on all ranks: give them what all ranks know, for "
        "instance the result of a reduction.");
  });
}

}  // namespace cartwright::grid
