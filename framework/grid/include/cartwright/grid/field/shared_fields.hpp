// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/rank.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cartwright::comm {
class CartComm;
class NodeMemory;
struct LeasedMemory;
}  // namespace cartwright::comm

namespace cartwright::grid {

class SharedFields;

/// Memory for one field that the other ranks of the node see, under the same number on all of them;
/// or none. Move-only.
class FieldRoom {
 public:
  FieldRoom() = default;
  FieldRoom(std::shared_ptr<SharedFields> fields, int number, std::byte* data)
      : fields_(std::move(fields)), number_(number), data_(data) {}
  FieldRoom(FieldRoom&& other) noexcept
      : fields_(std::move(other.fields_)), number_(other.number_), data_(other.data_) {}
  FieldRoom& operator=(FieldRoom&&) = delete;
  FieldRoom(const FieldRoom&) = delete;
  FieldRoom& operator=(const FieldRoom&) = delete;
  ~FieldRoom();

  explicit operator bool() const noexcept { return fields_ != nullptr; }
  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] int number() const noexcept { return fields_ == nullptr ? none : number_; }
  static constexpr int none = -1;

 private:
  std::shared_ptr<SharedFields> fields_;
  int number_ = none;
  std::byte* data_ = nullptr;
};

/// The memory of fields that the ranks of a node share, so that one takes ghosts straight from
/// another's field. A number means the same memory on all of them, whatever fields have been
/// swapped since. What a field gives back is unmapped, or used again, when the next one is made and
/// no rank uses it any more.
class SharedFields : public std::enable_shared_from_this<SharedFields> {
 public:
  /// Local.
  explicit SharedFields(const comm::CartComm& cart);
  SharedFields(const SharedFields&) = delete;
  SharedFields& operator=(const SharedFields&) = delete;
  ~SharedFields();

  /// Collective over the ranks of each node; nothing where one has no room, or shares with nobody.
  [[nodiscard]] FieldRoom acquire(std::size_t bytes);
  /// The memory with that number of another rank of the node.
  [[nodiscard]] std::byte* memory_of(int number, rt::Rank rank) const;

 private:
  friend class FieldRoom;
  struct Slot;
  [[nodiscard]] std::optional<std::size_t> find_free(std::size_t bytes);

  const comm::CartComm* cart_;
  std::shared_ptr<comm::NodeMemory> memory_;  // null: nothing is shared
  std::vector<std::unique_ptr<Slot>> slots_;  // by number; null: not mapped
};

}  // namespace cartwright::grid
