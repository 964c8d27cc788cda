// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/kernels/combine.hpp>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace cartwright::grid {
namespace {

/// What `action` returns for the elements, as a span of their C++ type.
template <class Action>
auto with_elements(const comm::Values& values, const Action& action) {
  const auto as = [&]<class T>(std::type_identity<T>) {
    return action(std::span<T>(static_cast<T*>(values.data), values.count));
  };
  switch (values.type) {
    using enum comm::ScalarType;
    case boolean:
      return as(std::type_identity<bool>{});
    case int8:
      return as(std::type_identity<std::int8_t>{});
    case int16:
      return as(std::type_identity<std::int16_t>{});
    case int32:
      return as(std::type_identity<std::int32_t>{});
    case int64:
      return as(std::type_identity<std::int64_t>{});
    case uint8:
      return as(std::type_identity<std::uint8_t>{});
    case uint16:
      return as(std::type_identity<std::uint16_t>{});
    case uint32:
      return as(std::type_identity<std::uint32_t>{});
    case uint64:
      return as(std::type_identity<std::uint64_t>{});
    case float32:
      return as(std::type_identity<float>{});
    case long_double:
      return as(std::type_identity<long double>{});
    case complex64:
      return as(std::type_identity<std::complex<float>>{});
    case complex128:
      return as(std::type_identity<std::complex<double>>{});
    case float64:
      break;
  }
  return as(std::type_identity<double>{});
}

}  // namespace

void combine_across_ranks(const comm::CartComm& comm, std::span<comm::BinnedSum> sums,
                          comm::CallSite site) {
  comm.allreduce(sums, comm::binned_sum, site);
}
void combine_across_ranks(const comm::CartComm& comm, const comm::Values& values, comm::Operator op,
                          comm::CallSite site) {
  with_elements(values, [&](auto elements) { comm.allreduce(elements, op, site); });
}

comm::Pending start_combining_across_ranks(const comm::CartComm& comm,
                                           std::span<comm::BinnedSum> sums, comm::CallSite site) {
  return comm.start_allreduce(sums, comm::binned_sum, site);
}
comm::Pending start_combining_across_ranks(const comm::CartComm& comm, const comm::Values& values,
                                           comm::Operator op, comm::CallSite site) {
  return with_elements(values,
                       [&](auto elements) { return comm.start_allreduce(elements, op, site); });
}

}  // namespace cartwright::grid
