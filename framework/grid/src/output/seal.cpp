// SPDX-License-Identifier: Apache-2.0
#include "seal.hpp"

#include <fmt/format.h>
#include <cartwright/rt/error.hpp>

#include <array>
#include <charconv>
#include <fstream>
#include <string_view>

#include "content_hash.hpp"
#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

constexpr std::string_view magic = "\nCARTWRIGHT-SEAL\n";
constexpr std::size_t footer_size = 16 + 16 + magic.size();

std::optional<std::uint64_t> hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [stop, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (fault != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::filesystem::path& file) {
  throw rt::input_error("cannot read '" + file.string() + "'",
                        "Try again; if it stays so, move the file away: a restart then takes the "
                        "checkpoint before it.");
}

/// Of bytes that are there: if they can't be read, the file isn't to blame.
std::string read_range(std::ifstream& stream, const std::filesystem::path& file, long long offset,
                       std::size_t size) {
  std::string text(size, '\0');
  stream.seekg(offset);
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream) refuse(file);
  return text;
}

}  // namespace

void append_seal(const std::filesystem::path& file, const std::string& text) {
  append_to_file(file,
                 fmt::format("{}{:016x}{:016x}{}", text, text.size(), text_hash(text), magic));
}

std::optional<Seal> read_seal(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(file);
  const auto size = static_cast<long long>(std::filesystem::file_size(file));
  const auto footer_start = size - static_cast<long long>(footer_size);
  if (footer_start < 0) return std::nullopt;
  const std::string footer = read_range(stream, file, footer_start, footer_size);
  if (!footer.ends_with(magic)) return std::nullopt;
  const auto length = hexadecimal(std::string_view(footer).substr(0, 16));
  const auto hash = hexadecimal(std::string_view(footer).substr(16, 16));
  if (!length || !hash || *length > static_cast<std::uint64_t>(footer_start)) return std::nullopt;
  Seal seal;
  seal.sealed_size = footer_start - static_cast<long long>(*length);
  seal.text = read_range(stream, file, seal.sealed_size, static_cast<std::size_t>(*length));
  if (text_hash(seal.text) != *hash) return std::nullopt;
  return seal;
}

}  // namespace cartwright::grid
