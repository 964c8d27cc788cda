// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/field_base.hpp>
#include <cstring>
#include <vector>

namespace cartwright::grid {

void FieldBase::copy_part_to(std::span<std::byte> bytes, const OwnedPart& part) const {
  const Block owned = block();
  const ElementType whole = element();
  const std::size_t scalar = whole.bytes() / static_cast<std::size_t>(whole.components);
  const std::size_t wanted = scalar * static_cast<std::size_t>(part.components);
  const std::size_t before = scalar * static_cast<std::size_t>(part.first_component);
  std::vector<std::byte> all(static_cast<std::size_t>(owned.points()) * whole.bytes());
  copy_owned_to(all);
  std::byte* to = bytes.data();
  for (long long z = 0; z < part.count[2]; ++z)
    for (long long y = 0; y < part.count[1]; ++y)
      for (long long x = 0; x < part.count[0]; ++x, to += wanted) {
        const long long plane = (part.first[2] + z) * owned.count[1] + part.first[1] + y;
        const auto point = static_cast<std::size_t>(plane * owned.count[0] + part.first[0] + x);
        std::memcpy(to, all.data() + point * whole.bytes() + before, wanted);
      }
}

}  // namespace cartwright::grid
