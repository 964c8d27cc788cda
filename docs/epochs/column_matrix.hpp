// SPDX-License-Identifier: Apache-2.0
// A square matrix whose columns are dealt to ranks block by block, and what LU factorisation does
// to it: no communication.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Columns of a square matrix, dealt to ranks in turn, `block` at a time; each lies whole on its
/// rank. So the search for a pivot needs nobody else. ScaLAPACK's layout on 1 x ranks processes.
struct ColumnMatrix {
  int extent, block, ranks, me;
  std::vector<double> values;  ///< column after column of this rank

  ColumnMatrix(int order, int panel_width, int all, int rank)
      : extent(order), block(panel_width), ranks(all), me(rank) {
    for (int panel = me; panel < panels(); panel += ranks) columns_ += width(panel);
    values.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(extent));
  }
  [[nodiscard]] int panels() const { return (extent + block - 1) / block; }
  [[nodiscard]] int owner(int panel) const { return panel % ranks; }
  [[nodiscard]] int first_row(int panel) const { return panel * block; }
  [[nodiscard]] int rows(int panel) const { return extent - panel * block; }
  [[nodiscard]] int width(int panel) const { return std::min(block, rows(panel)); }
  [[nodiscard]] int columns() const { return columns_; }
  /// The first of this rank's columns that lies in or behind a panel.
  [[nodiscard]] int column_from(int panel) const {
    const int mine_before = (panel - me + ranks - 1) / ranks;
    return std::min(std::max(0, mine_before) * block, columns_);
  }
  /// Where one of this rank's columns stands in the matrix.
  [[nodiscard]] int place_of(int column) const {
    return (column / block * ranks + me) * block + column % block;
  }
  [[nodiscard]] double* column(int number) {
    return values.data() + static_cast<std::size_t>(number) * static_cast<std::size_t>(extent);
  }

 private:
  int columns_ = 0;
};

/// Between -1 and 1: from the bits of its place (splitmix64), so that it is the same on any ranks.
inline double random_element(int row, int column) {
  std::uint64_t bits =
      (static_cast<std::uint64_t>(column) << 32U) + static_cast<std::uint64_t>(row);
  bits = (bits + 1) * 0x9e3779b97f4a7c15U;
  bits = (bits ^ bits >> 30U) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ bits >> 27U) * 0x94d049bb133111ebU;
  return static_cast<double>((bits ^ bits >> 31U) >> 11U) * 0x1p-52 - 1.0;
}

inline void fill_randomly(ColumnMatrix& a) {
  for (int column = 0; column < a.columns(); ++column)
    for (int row = 0; row < a.extent; ++row)
      a.column(column)[row] = random_element(row, a.place_of(column));
}

/// What a panel's owner tells all: its columns from the diagonal on, one behind the other, and the
/// rows that were swapped.
struct Panel {
  double* values;  ///< width x rows, and then the pivots
  int rows, width;

  [[nodiscard]] double* column(int j) const {
    return values + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows);
  }
  [[nodiscard]] double& pivot(int j) const { return column(width)[j]; }
  [[nodiscard]] std::size_t doubles() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(rows + 1);
  }
};

/// Factorises a panel of this rank with partial pivoting, and copies it.
inline void factorise_panel(ColumnMatrix& a, int number, const Panel& panel) {
  const int top = a.first_row(number), first = a.column_from(number);
  for (int j = 0; j < panel.width; ++j) {
    double* const column = a.column(first + j) + top;
    const auto largest = std::max_element(column + j, column + panel.rows, [](double l, double r) {
      return std::abs(l) < std::abs(r);
    });
    const auto pivot = largest - column;
    panel.pivot(j) = static_cast<double>(pivot);
    for (int c = 0; c < panel.width; ++c) {
      double* const other = a.column(first + c) + top;
      std::swap(other[j], other[pivot]);
    }
    const double scale = 1.0 / column[j];
    for (int i = j + 1; i < panel.rows; ++i) column[i] *= scale;
    for (int c = j + 1; c < panel.width; ++c) {
      double* const other = a.column(first + c) + top;
      for (int i = j + 1; i < panel.rows; ++i) other[i] -= column[i] * other[j];
    }
  }
  for (int j = 0; j < panel.width; ++j)
    std::copy_n(a.column(first + j) + top, panel.rows, panel.column(j));
}

/// Swaps rows of a column as the panel's owner has done; the column begins at the panel's diagonal.
inline void swap_rows(const Panel& panel, double* column) {
  for (int j = 0; j < panel.width; ++j)
    std::swap(column[j], column[static_cast<std::ptrdiff_t>(panel.pivot(j))]);
}

/// What a panel does to a column behind it: swaps, a triangular solve, an update.
inline void update_column(const Panel& panel, double* column) {
  swap_rows(panel, column);
  for (int j = 0; j < panel.width; ++j) {
    const double* const lower = panel.column(j);
    for (int i = j + 1; i < panel.width; ++i) column[i] -= lower[i] * column[j];
  }
  int j = 0;
  for (; j + 4 <= panel.width; j += 4) {  // four at a time: fewer passes over the column
    const double *const l0 = panel.column(j), *const l1 = panel.column(j + 1),
                        *const l2 = panel.column(j + 2), *const l3 = panel.column(j + 3);
    const double u0 = column[j], u1 = column[j + 1], u2 = column[j + 2], u3 = column[j + 3];
    for (int i = panel.width; i < panel.rows; ++i)
      column[i] -= l0[i] * u0 + l1[i] * u1 + l2[i] * u2 + l3[i] * u3;
  }
  for (; j < panel.width; ++j)
    for (int i = panel.width; i < panel.rows; ++i) column[i] -= panel.column(j)[i] * column[j];
}
