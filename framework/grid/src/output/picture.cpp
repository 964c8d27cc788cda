// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/picture.hpp>

#include "line_picture.hpp"
#include "map_page.hpp"

namespace cartwright::grid {

PicturePainter::PicturePainter() = default;
PicturePainter::PicturePainter(PicturePainter&&) noexcept = default;
PicturePainter& PicturePainter::operator=(PicturePainter&&) noexcept = default;
PicturePainter::~PicturePainter() = default;

void PicturePainter::draw(const std::filesystem::path& file, const Slice& slice, ValueRange range,
                          const PictureText& text, const Overlay& overlay) {
  if (slice.dimensions < 2) return draw_line_picture(file, slice, range, text);
  if (!page_ || !page_->fits(slice, range, text))
    page_ = std::make_unique<MapPage>(slice, range, text);
  page_->write(file, slice, text, overlay);
}

void draw_picture(const std::filesystem::path& file, const Slice& slice, ValueRange range,
                  const PictureText& text, const Overlay& overlay) {
  PicturePainter().draw(file, slice, range, text, overlay);
}

}  // namespace cartwright::grid
