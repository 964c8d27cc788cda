// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "hdf5_handle.hpp"

namespace cartwright::grid {

/// Small notes on an HDF5 object; texts are UTF-8 of fixed length.
void write_text_attribute(hid_t object, const char* name, const std::string& text);
void write_integer_attribute(hid_t object, const char* name, long long value);
void write_number_attribute(hid_t object, const char* name, std::span<const double> values);

/// A list of its own, that may be longer than an attribute.
void write_number_dataset(hid_t group, const char* name, std::span<const double> values);

[[nodiscard]] double read_number_attribute(hid_t object, const char* name);

/// Nothing where there is no such attribute, or it is no text of fixed length.
[[nodiscard]] std::optional<std::string> read_text_attribute(hid_t object, const char* name);

/// For texts that may be longer than the 64 KiB that an attribute holds.
void write_text_dataset(hid_t group, const char* name, const std::string& text);

}  // namespace cartwright::grid
