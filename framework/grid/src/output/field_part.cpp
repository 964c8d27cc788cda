// SPDX-License-Identifier: Apache-2.0
#include "field_part.hpp"

#include <cartwright/rt/error.hpp>
#include <cstring>

#include "field_numbers.hpp"

namespace cartwright::grid {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  throw rt::internal_failure("'" + name + "' is a part of a field, and can only be read",
                             "Use the field.");
}

}  // namespace

void FieldPart::copy_owned_to(std::span<std::byte> bytes) const {
  const std::vector<std::byte> all = owned_bytes(whole_);
  const std::size_t element = whole_.element().bytes();
  const std::size_t mine = this->element().bytes();
  const std::size_t begin =
      mine / static_cast<std::size_t>(range_.count) * static_cast<std::size_t>(range_.first);
  const auto points = static_cast<std::size_t>(block().points());
  for (std::size_t point = 0; point < points; ++point)
    std::memcpy(bytes.data() + point * mine, all.data() + point * element + begin, mine);
}

void FieldPart::copy_owned_from(std::span<const std::byte>) {
  refuse(name_);
}

void FieldPart::impose_boundary(double) {
  refuse(name_);
}

std::optional<std::array<long long, 3>> FieldPart::first_not_finite() const {
  return whole_.first_not_finite();
}

void FieldPart::set_from(const std::function<double(const std::array<double, 3>&, int)>&) {
  refuse(name_);
}

}  // namespace cartwright::grid
