// SPDX-License-Identifier: Apache-2.0
#include "field_part.hpp"

#include <cartwright/rt/error.hpp>

#include "field_numbers.hpp"

namespace cartwright::grid {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  throw rt::internal_failure("'" + name + "' is a part of a field, and can only be read",
                             "Use the field.");
}

}  // namespace

void FieldPart::copy_owned_to(std::span<std::byte> bytes) const {
  copy_part_to(bytes, whole_part(*this));
}

void FieldPart::copy_part_to(std::span<std::byte> bytes, const OwnedPart& part) const {
  OwnedPart of_whole = part;
  of_whole.first_component += range_.first;
  whole_.copy_part_to(bytes, of_whole);
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
