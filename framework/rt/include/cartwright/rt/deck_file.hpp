// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace cartwright::rt {

/// A deck may be this large; anything larger is no deck.
inline constexpr std::size_t largest_deck_bytes = std::size_t{1024} * 1024;

/// The text of the file `path`. Throws input errors in plain words for files that are missing
/// (with a suggestion), unreadable, no regular files, or too large.
[[nodiscard]] std::string read_deck_file(const std::string& path);

/// Throws an input error if `text` is empty, too large, binary or not UTF-8.
void require_deck_text(const std::string& text, const std::string& file_name);

}  // namespace cartwright::rt
