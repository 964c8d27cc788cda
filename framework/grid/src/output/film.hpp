// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace cartwright::grid {

/// Makes a film of pictures of one size, `rate` of them a second, with the program ffmpeg. It
/// appears whole or not at all; what was there before goes. A sentence on what has come of it: a
/// run whose pictures are there doesn't fail for want of a film.
[[nodiscard]] std::string make_film(const std::filesystem::path& film,
                                    std::span<const std::filesystem::path> pictures, double rate);

}  // namespace cartwright::grid
