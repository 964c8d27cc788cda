// SPDX-License-Identifier: Apache-2.0
// Boxes as rows: gone through from row to row, by number, or in parts, it is always the same rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <iterator>
#include <vector>

namespace cartwright::grid {
namespace {

constexpr int segment = Rows<1>::longest_segment;

template <int D>
struct Row {
  Index<D> first;
  int end;
  friend bool operator==(const Row&, const Row&) = default;
};

/// Each row by its number, and that of its points.
template <int D>
std::vector<Row<D>> rows_by_number(const Rows<D>& rows) {
  std::vector<Row<D>> found;
  for (long long number = 0; number < rows.count; ++number) {
    int end = 0;
    const Index<D> first = rows.begin(number, end);
    EXPECT_EQ(rows.number(first), number);
    EXPECT_EQ(rows.number(first.shifted(0, end - 1 - first[0])), number);
    found.push_back({first, end});
  }
  return found;
}

template <int D>
void expect_the_same_rows(const Box<D>& box) {
  const Rows<D> rows(box);
  const std::vector<Row<D>> expected = rows_by_number(rows);
  long long points = 0;
  for (const Row<D>& row : expected) points += row.end - row.first[0];
  EXPECT_EQ(points, box.size());
  for (int parts = 1; parts < 6; ++parts) {
    std::vector<Row<D>> found;
    for (int part = 0; part < parts; ++part) {
      const PartRange range = part_range(rows.count, parts, part);
      for_rows(rows, range.begin, range.end, [&](const Index<D>& first, int end) {
        found.push_back({first, end});
      });
    }
    EXPECT_TRUE(found == expected) << parts << " parts";
  }
  std::vector<Row<D>> found(expected.size());
  for_each_row(box, [&](const Index<D>& first, int end) {
    found[static_cast<std::size_t>(rows.number(first))] = {first, end};
  });
  EXPECT_TRUE(found == expected);
}

TEST(Rows, AreTheSameFromRowToRowAndByNumber) {
  for (const int lower : {-2, 0, 3, segment - 1, segment, 2 * segment + 5})
    for (const int extent : {1, 7, segment - 1, segment, segment + 1, 3 * segment}) {
      const int upper = lower + extent;
      expect_the_same_rows(Box<1>{{lower}, {upper}});
      expect_the_same_rows(Box<2>{{lower, -1}, {upper, 4}});
      expect_the_same_rows(Box<3>{{lower, -1, 2}, {upper, 2, 7}});
      expect_the_same_rows(Box<3>{{lower, 5, -3}, {upper, 6, 0}});
    }
}

/// What a processor reads in wide pieces has been written for some time then.
TEST(Rows, AreAnnouncedOneRowAhead) {
  const Box<3> box{{-1, 0, 0}, {segment + 3, 2, 3}};
  const Rows<3> rows(box);
  for (int parts = 1; parts < 4; ++parts)
    for (int part = 0; part < parts; ++part) {
      const PartRange range = part_range(rows.count, parts, part);
      std::vector<Row<3>> announced, done;
      const auto body = [&](const Index<3>& first, int end) {
        done.push_back({first, end});
        const auto wanted = std::min<long long>(std::ssize(done) + 1, range.end - range.begin);
        EXPECT_EQ(std::ssize(announced), wanted) << parts << " parts";
      };
      const auto prologue = [&](const Index<3>& first, int end) {
        announced.push_back({first, end});
      };
      for_rows(rows, range.begin, range.end, body, prologue);
      EXPECT_TRUE(announced == done) << parts << " parts";
    }
}

TEST(Rows, AnEmptyBoxHasNone) {
  expect_the_same_rows(Box<1>{{0}, {0}});
  expect_the_same_rows(Box<2>{{0, 0}, {5, 0}});
  expect_the_same_rows(Box<3>{{0, 0, 0}, {5, 0, 5}});
  expect_the_same_rows(Box<3>{{0, 0, 0}, {0, 5, 5}});
}

TEST(Rows, PartsOfABoxAreTheBox) {
  const Box<3> box{{-1, 2, 4}, {12, 9, 5}};
  for (int axis = 0; axis < 3; ++axis)
    for (int count = 1; count < 9; ++count) {
      int at = box.lower[axis];
      for (int number = 0; number < count; ++number) {
        const Box<3> part = box.part(axis, number, count);
        EXPECT_EQ(part, box.with(axis, at, part.upper[axis]));
        at = part.upper[axis];
      }
      EXPECT_EQ(at, box.upper[axis]);
    }
}

TEST(Rows, AViewShiftedShowsTheShiftedPoint) {
  const Layout<3> layout({5, 4, 3}, 2, sizeof(double));
  std::vector<double> values(static_cast<std::size_t>(layout.elements));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const FieldView<double, 3> view(values.data() + layout.origin, layout, {1.0, 1.0, 1.0}, 0);
  for (int axis = 0; axis < 3; ++axis)
    for (int distance = -2; distance <= 2; ++distance)
      for_each_row(layout.owned(), [&](Index<3> i, int end) {
        for (; i[0] < end; ++i[0])
          EXPECT_EQ(view.shifted(axis, distance)(i), view(i.shifted(axis, distance)));
      });
}

}  // namespace
}  // namespace cartwright::grid
