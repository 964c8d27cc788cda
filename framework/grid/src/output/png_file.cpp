// SPDX-License-Identifier: Apache-2.0
#include "png_file.hpp"

#include <png.h>
#include <zlib.h>

#include <cartwright/rt/error.hpp>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

/// A file in memory. libpng leaves its functions by longjmp: nothing here has a destructor.
struct Memory {
  unsigned char* bytes = nullptr;
  std::size_t size = 0;
  std::size_t room = 0;
};

void append(png_structp png, png_bytep data, std::size_t size) {
  auto* memory = static_cast<Memory*>(png_get_io_ptr(png));
  if (memory->room - memory->size < size) {
    const std::size_t room = 2 * memory->room + size;
    auto* bytes = static_cast<unsigned char*>(std::realloc(memory->bytes, room));
    if (bytes == nullptr) png_error(png, "out of memory");
    memory->bytes = bytes;
    memory->room = room;
  }
  std::memcpy(memory->bytes + memory->size, data, size);
  memory->size += size;
}

void stay_silent(png_structp /*png*/, png_const_charp /*warning*/) {}

struct PixelLayout {
  int width, height, channels;
  std::span<const Rgb> colours;
};

/// Rows look like those before them: of colours by number, runs in the differences between rows are
/// quickest to find and as short as anything (docs/evidence/2026-11-23_pictures).
void compress(png_structp png, png_infop info, const unsigned char* pixels,
              const PixelLayout& shape) {
  const bool has_colours = !shape.colours.empty();
  png_set_IHDR(png, info, static_cast<png_uint_32>(shape.width),
               static_cast<png_uint_32>(shape.height), 8,
               has_colours ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_color colours[PNG_MAX_PALETTE_LENGTH] = {};
  int count = 0;
  for (const Rgb& each : shape.colours) colours[count++] = {each[0], each[1], each[2]};
  if (has_colours) png_set_PLTE(png, info, colours, count);
  png_set_compression_level(png, has_colours ? 1 : 3);
  png_set_compression_strategy(png, has_colours ? Z_RLE : Z_DEFAULT_STRATEGY);
  png_set_compression_buffer_size(png, 1 << 16);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_write_info(png, info);
  const std::ptrdiff_t row =
      static_cast<std::ptrdiff_t>(shape.width) * static_cast<std::ptrdiff_t>(shape.channels);
  for (int y = 0; y < shape.height; ++y) png_write_row(png, pixels + y * row);
  png_write_end(png, info);
}

/// False for want of memory.
bool encode(const unsigned char* pixels, const PixelLayout& shape, Memory& memory) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, stay_silent);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  // NOLINTNEXTLINE(cert-err52-cpp): libpng's way to fail.
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &memory, append, nullptr);
  compress(png, info, pixels, shape);
  png_destroy_write_struct(&png, &info);
  return true;
}

void write(const std::filesystem::path& file, const unsigned char* pixels,
           const PixelLayout& shape) {
  Memory memory;
  const bool is_whole = encode(pixels, shape, memory);
  const std::unique_ptr<unsigned char, decltype(&std::free)> owner(memory.bytes, std::free);
  if (!is_whole) throw std::bad_alloc();
  write_whole_file(file, {reinterpret_cast<const char*>(memory.bytes), memory.size});
}

}  // namespace

void write_png(const std::filesystem::path& file, std::span<const unsigned char> pixels, int width,
               int height) {
  write(file, pixels.data(), {width, height, 3, {}});
}

void write_png(const std::filesystem::path& file, std::span<const std::uint8_t> pixels, int width,
               int height, std::span<const Rgb> colours) {
  write(file, pixels.data(), {width, height, 1, colours});
}

}  // namespace cartwright::grid
