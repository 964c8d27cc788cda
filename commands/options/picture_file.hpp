// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <string>
#include <string_view>

namespace cartwright::command {

/// Before any work: refuses a file that can't be written, and a name that promises another kind of
/// picture than SVG, which is all that we draw. An empty path is no file; a device has no ending.
inline void require_picture(std::string_view option, const std::string& path) {
  if (path.empty()) return;
  rt::require_writable(path);
  if (rt::is_stream(path) || path.ends_with(".svg")) return;
  throw rt::input_error(fmt::format("{}: '{}' doesn't end in .svg", option, path),
                        "Pictures are drawn as SVG: name a file such as picture.svg, and convert "
                        "it afterwards if you need another kind.");
}

}  // namespace cartwright::command
