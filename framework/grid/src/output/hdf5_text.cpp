// SPDX-License-Identifier: Apache-2.0
#include "hdf5_text.hpp"

#include <algorithm>

namespace cartwright::grid {
namespace {

Hdf5Handle text_type(const std::string& text) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "create a text type");
  hdf5_check(H5Tset_size(type.get(), text.size() + 1), "set a text's length");
  hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "set a text's encoding");
  return type;
}

Hdf5Handle scalar_space() {
  return {H5Screate(H5S_SCALAR), H5Sclose, "describe a scalar"};
}

Hdf5Handle without_time_stamps() {
  Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create a property list");
  hdf5_check(H5Pset_obj_track_times(creation.get(), false), "switch off time stamps");
  return creation;
}

void write_attribute(hid_t object, const char* name, hid_t type, hid_t memory, hid_t space,
                     const void* data) {
  const Hdf5Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose, std::string("create attribute '") + name + "'");
  hdf5_check(H5Awrite(attribute.get(), memory, data),
             std::string("write attribute '") + name + "'");
}

}  // namespace

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
  const Hdf5Handle type = text_type(text);
  write_attribute(object, name, type.get(), type.get(), scalar_space().get(), text.c_str());
}

void write_integer_attribute(hid_t object, const char* name, long long value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, scalar_space().get(), &value);
}

void write_number_attribute(hid_t object, const char* name, std::span<const double> values) {
  const hsize_t count = values.size();
  const Hdf5Handle space =
      count == 1 ? scalar_space()
                 : Hdf5Handle(H5Screate_simple(1, &count, nullptr), H5Sclose, "describe a list");
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space.get(), values.data());
}

double read_number_attribute(hid_t object, const char* name) {
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose,
                             std::string("open attribute '") + name + "'");
  double value = 0;
  hdf5_check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value),
             std::string("read attribute '") + name + "'");
  return value;
}

std::optional<std::string> read_text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose,
                             std::string("open attribute '") + name + "'");
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose, "read an attribute's type");
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose, "read an attribute's shape");
  const bool is_text = H5Tget_class(type.get()) == H5T_STRING &&
                       H5Tis_variable_str(type.get()) == 0 &&
                       H5Sget_simple_extent_npoints(space.get()) == 1;
  if (!is_text) return std::nullopt;
  std::string text(H5Tget_size(type.get()), '\0');
  hdf5_check(H5Aread(attribute.get(), type.get(), text.data()),
             std::string("read attribute '") + name + "'");
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

void write_number_dataset(hid_t group, const char* name, std::span<const double> values) {
  const hsize_t count = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "describe a list");
  const Hdf5Handle creation = without_time_stamps();
  const Hdf5Handle dataset(H5Dcreate2(group, name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                      creation.get(), H5P_DEFAULT),
                           H5Dclose, std::string("create dataset '") + name + "'");
  hdf5_check(
      H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      std::string("write dataset '") + name + "'");
}

void write_text_dataset(hid_t group, const char* name, const std::string& text) {
  const Hdf5Handle type = text_type(text);
  const Hdf5Handle creation = without_time_stamps();
  const Hdf5Handle dataset(H5Dcreate2(group, name, type.get(), scalar_space().get(), H5P_DEFAULT,
                                      creation.get(), H5P_DEFAULT),
                           H5Dclose, std::string("create dataset '") + name + "'");
  hdf5_check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()),
             std::string("write dataset '") + name + "'");
}

}  // namespace cartwright::grid
