// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/wait.hpp>

#include <string>
#include <utility>

namespace cartwright::grid {

/// Owns one HDF5 object; move-only.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  /// Throws `rt::Error` with HDF5's own reason if `id` is invalid; `action` says what was tried.
  Hdf5Handle(hid_t id, Close closer, const std::string& action);
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ < 0) return;
    const rt::WaitScope busy({"closing an HDF5 object"}, rt::WaitKind::files);
    close_(id_);
  }
  [[nodiscard]] hid_t get() const noexcept { return id_; }
  /// Gives up the object without closing it.
  void abandon() noexcept { id_ = H5I_INVALID_HID; }
  /// Closes now; throws if that fails (a file's last bytes are written when it is closed).
  void close(const std::string& action);

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Throws `rt::Error` (internal failure) with HDF5's own reason if `result` is negative.
void hdf5_check(herr_t result, const std::string& action);

/// Has HDF5 met an error of the operating system (a file that can't be opened, a disk that fails)?
/// If not, the file is damaged, or none of HDF5's.
[[nodiscard]] bool is_of_the_system(const rt::Error& error);

/// While it lives HDF5 prints nothing: reasons go into exceptions.
class QuietHdf5 {
 public:
  QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;
  ~QuietHdf5();

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The type in memory of a number; booleans are bytes.
[[nodiscard]] hid_t memory_type(ScalarType scalar);
/// The type in files: little-endian on every machine.
[[nodiscard]] hid_t file_type(ScalarType scalar);

}  // namespace cartwright::grid
