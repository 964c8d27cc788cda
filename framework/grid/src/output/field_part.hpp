// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/run/field_info.hpp>

namespace cartwright::grid {

/// Some components of a field, as output knows a field: "gas.density". Read only. `whole` must
/// outlive it.
class FieldPart final : public FieldBase {
 public:
  FieldPart(const FieldBase& whole, const ComponentRange& range)
      : whole_(whole), range_(range), name_(whole.name() + "." + range.name) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& unit() const override { return range_.unit; }
  [[nodiscard]] const GridBase& grid() const override { return whole_.grid(); }
  [[nodiscard]] Centring centring() const override { return whole_.centring(); }
  [[nodiscard]] ElementType element() const override {
    return {whole_.element().scalar, range_.count};
  }
  [[nodiscard]] Block block() const override { return whole_.block(); }
  void copy_owned_to(std::span<std::byte> bytes) const override;
  void copy_part_to(std::span<std::byte> bytes, const OwnedPart& part) const override;
  void copy_owned_from(std::span<const std::byte> bytes) override;
  void impose_boundary(double time) override;
  [[nodiscard]] std::optional<std::array<long long, 3>> first_not_finite() const override;
  void set_from(const std::function<double(const std::array<double, 3>&, int)>& value) override;

 private:
  const FieldBase& whole_;
  ComponentRange range_;
  std::string name_;
};

}  // namespace cartwright::grid
