// SPDX-License-Identifier: Apache-2.0
#include "hdf5_handle.hpp"

#include <fmt/format.h>
#include <cartwright/rt/error.hpp>

#include <string_view>

namespace cartwright::grid {
namespace {

/// The innermost entry of HDF5's error stack: what really went wrong.
std::string innermost_reason() {
  std::string reason;
  const auto keep = [](unsigned, const H5E_error2_t* entry, void* text) -> herr_t {
    if (entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
    return 1;  // stop at the first
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep, &reason);
  return reason.empty() ? "unknown reason" : reason;
}

[[noreturn]] void fail(const std::string& action) {
  throw rt::internal_failure(fmt::format("HDF5 cannot {}: {}", action, innermost_reason()));
}

}  // namespace

Hdf5Handle::Hdf5Handle(hid_t id, Close closer, const std::string& action)
    : id_(id), close_(closer) {
  if (id < 0) fail(action);
}

void Hdf5Handle::close(const std::string& action) {
  const rt::WaitScope busy({"closing an HDF5 object"}, rt::WaitKind::files);
  if (id_ >= 0 && close_(std::exchange(id_, H5I_INVALID_HID)) < 0) fail(action);
}

void hdf5_check(herr_t result, const std::string& action) {
  if (result < 0) fail(action);
}

bool is_of_the_system(const rt::Error& error) {
  return std::string_view(error.what()).find("errno = ") != std::string_view::npos;  // HDF5's words
}

// At exit HDF5 would close what is open still, with all ranks: and MPICH ends those that a failed
// rank leaves behind by exit(), while they wait for messages.
QuietHdf5::QuietHdf5() {
  [[maybe_unused]] static const herr_t nothing_at_exit = H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

hid_t memory_type(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::int8:
      return H5T_NATIVE_INT8;
    case ScalarType::boolean:
    case ScalarType::uint8:
      return H5T_NATIVE_UINT8;
    case ScalarType::int16:
      return H5T_NATIVE_INT16;
    case ScalarType::uint16:
      return H5T_NATIVE_UINT16;
    case ScalarType::int32:
      return H5T_NATIVE_INT32;
    case ScalarType::uint32:
      return H5T_NATIVE_UINT32;
    case ScalarType::int64:
      return H5T_NATIVE_INT64;
    case ScalarType::uint64:
      return H5T_NATIVE_UINT64;
    case ScalarType::float32:
      return H5T_NATIVE_FLOAT;
    case ScalarType::float64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

hid_t file_type(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::int8:
      return H5T_STD_I8LE;
    case ScalarType::boolean:
    case ScalarType::uint8:
      return H5T_STD_U8LE;
    case ScalarType::int16:
      return H5T_STD_I16LE;
    case ScalarType::uint16:
      return H5T_STD_U16LE;
    case ScalarType::int32:
      return H5T_STD_I32LE;
    case ScalarType::uint32:
      return H5T_STD_U32LE;
    case ScalarType::int64:
      return H5T_STD_I64LE;
    case ScalarType::uint64:
      return H5T_STD_U64LE;
    case ScalarType::float32:
      return H5T_IEEE_F32LE;
    case ScalarType::float64:
      break;
  }
  return H5T_IEEE_F64LE;
}

}  // namespace cartwright::grid
