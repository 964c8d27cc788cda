// SPDX-License-Identifier: Apache-2.0
#include "content_hash.hpp"

#include <fmt/format.h>
#include <cartwright/rt/error.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <tuple>

#include "../run/scalar_visit.hpp"

namespace cartwright::grid {
namespace {

/// A bijection of 64 bits in which every input bit moves every output bit (splitmix64, Steele
/// 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

template <std::size_t Size>
std::uint64_t word_at(const std::byte* place) {
  std::uint64_t word = 0;
  std::memcpy(&word, place, Size);
  return word;
}

template <std::size_t Size>
std::uint64_t hash_points(const Block& block, std::uint64_t components, const std::byte* place) {
  std::uint64_t sum = 0;
  const auto& [start, count, global] = std::tie(block.start, block.count, block.global);
  for (long long z = 0; z < count[2]; ++z)
    for (long long y = 0; y < count[1]; ++y) {
      const long long row = ((start[2] + z) * global[1] + start[1] + y) * global[0] + start[0];
      auto index = static_cast<std::uint64_t>(row) * components;
      for (long long i = 0; i < count[0] * static_cast<long long>(components); ++i, place += Size)
        sum += mixed(mixed(index++) ^ word_at<Size>(place));
    }
  return sum;
}

}  // namespace

std::uint64_t field_hash(const comm::Collectives& comm, const DatasetPlan& plan,
                         std::span<const std::byte> bytes) {
  const auto components = static_cast<std::uint64_t>(plan.element.components);
  const std::uint64_t mine = visit_scalar(plan.element.scalar, [&]<class T>(std::type_identity<T>) {
    return hash_points<sizeof(T)>(plan.block, components, bytes.data());
  });
  return comm.allreduce(mine, comm::Operator::sum);
}

std::string checksum_text(std::uint64_t checksum) {
  return fmt::format("{:016x}", checksum);
}

std::uint64_t text_hash(std::span<const char> text, std::uint64_t seed) {
  std::uint64_t hash = mixed(seed ^ text.size());
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min<std::size_t>(8, text.size() - i));
    hash = mixed(hash ^ word);
  }
  return hash;
}

std::uint64_t file_hash(const std::filesystem::path& file, long long size, const FileRanges& skip) {
  FileRanges sorted = skip;
  std::ranges::sort(sorted);
  sorted.emplace_back(size, 0);
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> piece;
  std::uint64_t hash = 0;
  long long position = 0;
  for (const auto& [offset, length] : sorted) {
    if (offset > position) {
      piece.resize(static_cast<std::size_t>(offset - position));
      stream.seekg(position);
      stream.read(piece.data(), offset - position);
      if (!stream) throw rt::input_error("cannot read '" + file.string() + "'");
      hash = text_hash(piece, hash);
    }
    position = std::max(position, offset + length);
  }
  return hash;
}

}  // namespace cartwright::grid
