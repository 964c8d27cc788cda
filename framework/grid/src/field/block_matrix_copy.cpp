// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/field/block_matrix_copy.hpp>

#include <algorithm>
#include <cartwright/rt/point_to_point.hpp>

namespace cartwright::grid {
namespace {

constexpr rt::Tag tag{71};

/// Of the indices that part `mine` of `own` has: those that part `theirs` of `other` has, by their
/// places here, rising.
std::vector<long long> common(const AxisDistribution& own, int mine, const AxisDistribution& other,
                              int theirs) {
  std::vector<long long> places;
  const long long count = own.count(mine);
  for (long long local = 0; local < count;) {
    const long long global = own.global(mine, local);
    const long long end = std::min(own.run_end(global), other.run_end(global));
    if (other.owner(global) == theirs)
      for (long long i = 0; i < end - global; ++i) places.push_back(local + i);
    local += end - global;
  }
  return places;
}

/// What the rank at (x, y) of the process grid has in common with this one, in this one's places.
struct Overlap {
  std::vector<long long> rows, columns;
  [[nodiscard]] std::size_t size() const { return rows.size() * columns.size(); }
};

template <class T>
Overlap overlap(const BlockMatrix<T>& mine, const BlockMatrix<T>& theirs,
                const std::vector<int>& at) {
  const auto me = mine.cart().coordinates();
  return {common(mine.rows(), me[1], theirs.rows(), at[1]),
          common(mine.columns(), me[0], theirs.columns(), at[0])};
}

template <class T>
std::vector<T> pack(const BlockMatrix<T>& matrix, const Overlap& part) {
  std::vector<T> packed;
  packed.reserve(part.size());
  for (const long long row : part.rows)
    for (const long long column : part.columns) packed.push_back(*matrix.at(row, column));
  return packed;
}

template <class T>
void unpack(BlockMatrix<T>& matrix, const Overlap& part, const std::vector<T>& packed) {
  std::size_t next = 0;
  for (const long long row : part.rows)
    for (const long long column : part.columns) *matrix.at(row, column) = packed[next++];
}

}  // namespace

template <class T>
void redistribute(const BlockMatrix<T>& from, BlockMatrix<T>& to) {
  const comm::CartComm& cart = from.cart();
  if (from.rows().extent() != to.rows().extent() ||
      from.columns().extent() != to.columns().extent() || &cart != &to.cart())
    throw rt::internal_failure("a matrix is redistributed into one of another shape", {},
                               rt::Reach::all_ranks);
  const auto ranks = static_cast<std::size_t>(cart.size());
  std::vector<Overlap> incoming(ranks);
  std::vector<std::vector<T>> received(ranks), sent(ranks);
  std::vector<rt::Message> messages;
  for (std::size_t i = 0; i < ranks; ++i) {
    const rt::Rank peer{static_cast<int>(i)};
    const std::vector<int> at = cart.coordinates_of(peer);
    incoming[i] = overlap(to, from, at);
    received[i].resize(incoming[i].size());
    sent[i] = pack(from, overlap(from, to, at));
    if (peer == cart.rank()) {
      received[i] = std::move(sent[i]);
      continue;
    }
    if (!received[i].empty())
      messages.push_back(rt::ireceive(cart.communicator(), std::span(received[i]), peer, tag));
    if (!sent[i].empty())
      messages.push_back(rt::isend(cart.communicator(), std::span<const T>(sent[i]), peer, tag));
  }
  for (rt::Message& message : messages) message.wait();
  for (std::size_t i = 0; i < ranks; ++i) unpack(to, incoming[i], received[i]);
}

template void redistribute(const BlockMatrix<float>&, BlockMatrix<float>&);
template void redistribute(const BlockMatrix<double>&, BlockMatrix<double>&);

}  // namespace cartwright::grid
