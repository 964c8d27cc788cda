// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/transport/shared_access.hpp>
#include <cartwright/comm/window/remote_operation.hpp>
#include <memory>

namespace cartwright::comm {

namespace {

void update_slice(const RemoteOperation& operation, const OperationPart& part,
                  std::size_t element_size, std::byte* target, std::uint64_t* guard) {
  const ElementUpdate update = element_update(operation.update, operation.type);
  SliceCursor at(operation.at, part.target_first);
  SliceCursor from(operation.has_source() ? operation.from : operation.at, part.local_first);
  SliceCursor into(operation.writes_here() ? operation.into : operation.at, part.local_first);
  const auto bytes = [&](plan::Count elements) {
    return static_cast<std::size_t>(elements) * element_size;
  };
  for (plan::Count left = part.count; left > 0;) {
    const plan::Count run = std::min({left, at.run(), from.run(), into.run()});
    update(target + bytes(operation.offset + at.position()),
           operation.has_source() ? operation.source_bytes() + bytes(from.position()) : nullptr,
           operation.writes_here() ? operation.result + bytes(into.position()) : nullptr,
           static_cast<std::size_t>(run), guard);
    at.advance(run);
    from.advance(run);
    into.advance(run);
    left -= run;
  }
}

}  // namespace

void copy_slice(const std::byte* from, const Strides& source, plan::Count source_first,
                std::byte* to, const Strides& target, plan::Count target_first, plan::Count count,
                std::size_t element_size) {
  if (source.count == 1 && target.count == 1) {  // no divisions
    SharedAccess::copy(to + static_cast<std::size_t>(target_first) * element_size,
                       from + static_cast<std::size_t>(source_first) * element_size,
                       static_cast<std::size_t>(count) * element_size);
    return;
  }
  SliceCursor read(source, source_first);
  SliceCursor write(target, target_first);
  const auto bytes = [&](plan::Count elements) {
    return static_cast<std::size_t>(elements) * element_size;
  };
  for (plan::Count left = count; left > 0;) {
    const plan::Count run = std::min({left, read.run(), write.run()});
    SharedAccess::copy(to + bytes(write.position()), from + bytes(read.position()), bytes(run));
    read.advance(run);
    write.advance(run);
    left -= run;
  }
}

void carry_out(const RemoteOperation& operation, const OperationPart& part,
               std::size_t element_size, std::byte* target, std::uint64_t* guard) {
  std::byte* const base = target + static_cast<std::size_t>(operation.offset) * element_size;
  switch (operation.kind) {
    case RemoteKind::put:
      return copy_slice(operation.source_bytes(), operation.from, part.local_first, base,
                        operation.at, part.target_first, part.count, element_size);
    case RemoteKind::get:
      return copy_slice(base, operation.at, part.target_first, operation.result, operation.into,
                        part.local_first, part.count, element_size);
    case RemoteKind::compare_and_swap:
      return compare_and_swap(base, operation.source_bytes(),
                              operation.source_bytes() + element_size, operation.result,
                              element_size);
    case RemoteKind::accumulate:
    case RemoteKind::fetch:
      return update_slice(operation, part, element_size, target, guard);
  }
}

void carry_out_on_device(const RemoteOperation& operation, const OperationPart& part,
                         std::size_t element_size, std::byte* target, const DeviceCopies& copies) {
  if (part.count == 0) return;
  const Strides& at = operation.at;
  const plan::Count block = part.target_first / at.block;  // the first one
  const plan::Count begin = block * at.stride;
  const plan::Count end = SliceCursor(at, part.target_first + part.count - 1).position() + 1;
  const std::size_t bytes = static_cast<std::size_t>(end - begin) * element_size;
  std::byte* const device =
      target + static_cast<std::size_t>(operation.offset + begin) * element_size;
  const auto host = std::make_unique_for_overwrite<std::byte[]>(bytes);
  const bool sets_all = operation.kind == RemoteKind::put && end - begin == part.count;
  if (!sets_all) copies.to_host(host.get(), device, bytes);
  RemoteOperation here = operation;
  here.offset = 0;
  carry_out(here, {part.target_first - block * at.block, part.local_first, part.count},
            element_size, host.get(), nullptr);
  // What has no operand changes nothing.
  if (operation.has_source()) copies.to_device(device, host.get(), bytes);
}

}  // namespace cartwright::comm
