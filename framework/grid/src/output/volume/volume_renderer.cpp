// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/output/volume/compositor.hpp>
#include <cartwright/grid/output/volume/depth_order.hpp>
#include <cartwright/grid/output/volume/transfer_function.hpp>
#include <cartwright/grid/output/volume/volume_renderer.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/rt/report.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "../field_numbers.hpp"
#include "ray_caster.hpp"

namespace cartwright::grid {
namespace {

/// The same cells on the same ranks, for a field of our own.
GridSpec spec_like(const GridBase& grid) {
  GridSpec spec;
  for (int axis = 0; axis < grid.dimensions(); ++axis) {
    spec.extent.push_back(grid.extent(axis));
    spec.length.push_back(grid.length(axis));
    spec.origin.push_back(grid.origin(axis));
    spec.periodic.push_back(grid.periodic(axis));
  }
  spec.cuts = grid.cuts();
  return spec;
}

const Grid<3>& three_dimensional(const FieldBase& field) {
  if (field.grid().dimensions() != 3 || field.grid().is_stretched())
    throw rt::input_error(
        fmt::format("'{}' can't be drawn as a volume: its grid isn't one of three dimensions with "
                    "cells that are equal along each axis",
                    field.name()),
        "output.pictures draws lines and maps.", rt::Reach::all_ranks);
  return static_cast<const Grid<3>&>(field.grid());  // nothing else has three dimensions
}

/// Throws std::invalid_argument where the factors of a radix are for another number of ranks. One
/// rank has nobody to talk to.
void require_fit(const std::string& algorithm, int ranks) {
  if (ranks == 1 || !algorithm.starts_with("radix")) return;
  constexpr auto operation = plan::Operation::reduce;
  const plan::Problem problem{.operation = operation, .ranks = ranks};
  (void)plan::parse_choice(operation, algorithm).maker(problem)({.ranks = ranks});
}

std::string algorithm_or_refusal(const VolumeOptions& options, int ranks) {
  try {
    std::string algorithm = compositing_algorithm(options, ranks);
    require_fit(algorithm, ranks);
    return algorithm;
  } catch (const std::invalid_argument& fault) {
    throw rt::input_error(fmt::format("compositing '{}': {}", options.compositing, fault.what()),
                          "./cartwright simulate --list names all algorithms.",
                          rt::Reach::all_ranks);
  }
}

/// Numbers of a field by memory order: of vectors, magnitudes.
std::vector<double> numbers_of_field(const FieldBase& field) {
  const std::vector<std::byte> bytes = owned_bytes(field);
  std::vector<double> numbers(static_cast<std::size_t>(field.block().points()));
  visit_scalar(field.element().scalar, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = number_at<T>(bytes, static_cast<long long>(i), field.element().components);
  });
  return numbers;
}

/// Ends of what is finite, on all ranks; a field that is constant still needs a range.
ValueRange range_of_numbers(const comm::CartComm& comm, const std::vector<double>& numbers) {
  constexpr double none = std::numeric_limits<double>::infinity();
  std::array<double, 2> ends{-none, -none};  // of -least, and of most
  for (const double value : numbers) {
    if (!std::isfinite(value)) continue;
    ends = {std::max(ends[0], -value), std::max(ends[1], value)};
  }
  comm.allreduce(std::span<double>(ends), comm::Operator::maximum);
  if (ends[1] == -none) return {0, 1};
  const ValueRange range{-ends[0], ends[1]};
  const double size = std::max(std::abs(range.lower), std::abs(range.upper));
  if (range.upper - range.lower > 1e-6 * size) return range;
  const double margin = size > 0 ? 0.5 * size : 0.5;
  return {range.lower - margin, range.upper + margin};
}

double longest_side(const GridDescription& grid) {
  return std::max({grid.length[0], grid.length[1], grid.length[2]});
}

/// One over the part of the range by which neighbours must differ for light to count in full.
constexpr float usual_steepness = 50;
/// Of the longest side: of which decks give the opacity.
constexpr double reference_part = 0.1;

template <class T>
using DeviceMemory = Kokkos::View<T*, Memory>;

/// On rank 0; nothing elsewhere, once the parts are one.
template <class T>
std::vector<T> on_host(const DeviceMemory<T>& memory, std::size_t count) {
  std::vector<T> values(count);
  Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(values.data(),
                                                                                    count);
  Kokkos::deep_copy(host, Kokkos::subview(memory, std::pair<std::size_t, std::size_t>(0, count)));
  return values;
}

}  // namespace

class VolumeRenderer::Parts {
 public:
  Parts(const FieldBase& field, const VolumeOptions& options)
      : field_(field),
        options_(options),
        grid_(three_dimensional(field), spec_like(field.grid())),
        places_(grid_, field.name(), {.centring = field.centring(), .halo = 1, .corners = true}),
        compositor_(grid_.app(), grid_.comm(), algorithm_or_refusal(options, grid_.comm().size())),
        load_region_(trace().region("render: values")),
        cast_region_(trace().region("render: cast rays")),
        composite_region_(trace().region("render: composite")) {
    for (int number = 0; number < 6; ++number)
      places_.set_boundary(Face::from_number(number), BoundaryCondition::neumann(0));
  }

  void load() {
    const rt::Timed timed(trace(), load_region_);
    const std::vector<double> numbers = numbers_of_field(field_);
    range_ = options_.range ? ValueRange{(*options_.range)[0], (*options_.range)[1]}
                            : range_of_numbers(grid_.comm(), numbers);
    // As parts of the range: single precision then suffices, whatever the numbers' size.
    std::vector<float> places(numbers.size());
    const double half = 0.5 * range_.upper - 0.5 * range_.lower;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      places[i] = static_cast<float>((0.5 * numbers[i] - 0.5 * range_.lower) / half);
    places_.copy_owned_from(std::as_bytes(std::span<const float>(places)));
    exchange(places_).wait();
    set_table();
  }

  [[nodiscard]] VolumeImage draw(long long frame) {
    VolumeImage image;
    image.camera = camera_of_frame(options_, grid_.description(), frame);
    image.box = image.camera.covered(lower_end(), upper_end());
    image.range = range_;
    ++frames_;
    if (image.box.pixels() == 0 || image.box.width() <= 0) return image;
    if (options_.mode == VolumeMode::maximum)
      image.pixels = draw_maximum(image.camera, image.box);
    else
      image.pixels = draw_over(image.camera, image.box);
    return image;
  }

  void report(rt::Report& report) const {
    const comm::CartComm& comm = grid_.comm();
    const double least = comm.allreduce(cast_seconds_, comm::Operator::minimum);
    const double most = comm.allreduce(cast_seconds_, comm::Operator::maximum);
    const double sum = comm.allreduce(cast_seconds_, comm::Operator::sum);
    const auto samples = static_cast<double>(comm.allreduce(samples_, comm::Operator::sum));
    const double mean = sum / comm.size();
    auto& section = report.section("render");
    section.add("frames", frames_);
    section.add("picture", fmt::format("{} x {} pixels, {}", options_.size[0], options_.size[1],
                                       options_.mode == VolumeMode::over ? "over" : "maximum"));
    compositor_.report(section);
    section.add("samples", samples);
    if (sum > 0) section.add("samples per second and rank", samples / sum, "1/s");
    section.add("casting on a rank, least", least, "s");
    section.add("casting on a rank, mean", mean, "s");
    section.add("casting on a rank, most", most, "s");
    if (mean > 0) section.add("imbalance of casting, most over mean", most / mean);
    // The others wait for the slowest rank of each frame, which need not always be the same one.
    std::vector<double> slowest = frame_seconds_;
    comm.allreduce(std::span<double>(slowest), comm::Operator::maximum);
    const double waited = std::accumulate(slowest.begin(), slowest.end(), 0.0);
    if (mean > 0) section.add("imbalance of single frames, most over mean", waited / mean);
  }

 private:
  [[nodiscard]] rt::Trace& trace() const { return grid_.trace(); }
  [[nodiscard]] std::array<double, 3> lower_end() const { return grid_.description().origin; }
  [[nodiscard]] std::array<double, 3> upper_end() const {
    std::array<double, 3> end = lower_end();
    for (std::size_t axis = 0; axis < 3; ++axis) end[axis] += grid_.description().length[axis];
    return end;
  }

  void set_table() {
    const double step = camera_of_frame(options_, grid_.description(), 0).step;
    const TransferFunction transfer(options_, range_,
                                    reference_part * longest_side(grid_.description()));
    table_ = device_copy(transfer.table(step));
    opaque_ = transfer.opaque_table();
  }

  static DeviceMemory<VolumePixel> device_copy(const std::vector<VolumePixel>& values) {
    DeviceMemory<VolumePixel> memory("transfer function", values.size());
    const Kokkos::View<const VolumePixel*, Kokkos::HostSpace,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        host(values.data(), values.size());
    Kokkos::deep_copy(memory, host);
    return memory;
  }

  [[nodiscard]] VolumeBlock block() {
    VolumeBlock block;
    block.values = std::as_const(places_).view();
    const Block cells = grid_.block(Centring::cell);
    const double finest = std::min({grid_.spacing(0), grid_.spacing(1), grid_.spacing(2)});
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      block.relative_slope[axis] = static_cast<float>(finest / grid_.spacing(axis));
      block.origin[axis] = grid_.origin(axis);
      block.inverse_width[axis] = 1 / grid_.spacing(axis);
      block.shift[axis] = offset_in_cell(field_.centring(), axis);
      block.start[axis] = cells.start[i];
      block.count[axis] = cells.count[i];
    }
    return block;
  }

  /// Pixels that this rank's block may cover.
  [[nodiscard]] PixelBox own_part(const Camera& camera, const PixelBox& box) const {
    std::array<double, 3> low{}, high{};
    const Block cells = grid_.block(Centring::cell);
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      low[i] = grid_.edge(axis, cells.start[i]);
      high[i] = grid_.edge(axis, cells.start[i] + cells.count[i]);
    }
    PixelBox part = camera.covered(low, high);
    part.left = std::max(part.left, box.left);
    part.top = std::max(part.top, box.top);
    part.right = std::min(part.right, box.right);
    part.bottom = std::min(part.bottom, box.bottom);
    return part;
  }

  [[nodiscard]] Shading shading() const {
    const bool is_on_cells = field_.centring() == Centring::cell;
    return {.table = table_.data(),
            .entries = TransferFunction::entries,
            .lower = 0,
            .scale = TransferFunction::entries - 1,
            .opaque = static_cast<float>(options_.opaque < 1 ? options_.opaque : 2.0),
            .light = options_.light && is_on_cells,
            .steepness = usual_steepness};
  }

  /// Runs `cast` and notes how long that took, here and on the slowest rank.
  template <class Cast>
  void timed_cast(const Cast& cast) {
    const rt::Trace::Mark mark = trace().open(cast_region_);
    samples_ += cast();
    Kokkos::fence();
    const double seconds = rt::seconds_between(mark.begin, trace().close(cast_region_, mark));
    cast_seconds_ += seconds;
    frame_seconds_.push_back(seconds);
  }

  [[nodiscard]] std::vector<VolumePixel> draw_over(const Camera& camera, const PixelBox& box) {
    const auto count = static_cast<std::size_t>(box.pixels());
    if (light_.size() < count) light_ = DeviceMemory<VolumePixel>("pixels", count);
    timed_cast([&] {
      Kokkos::deep_copy(light_, VolumePixel{});
      return cast_over(block(), camera, shading(), box, own_part(camera, box), light_.data());
    });
    std::vector<VolumePixel> pixels = on_host(light_, count);
    const rt::Timed timed(trace(), composite_region_);
    compositor_.over(pixels,
                     ranks_by_depth(slabs_by_depth(camera, grid_.description(), grid_.cuts())));
    if (!grid_.comm().is_root()) pixels.clear();
    return pixels;
  }

  [[nodiscard]] std::vector<VolumePixel> draw_maximum(const Camera& camera, const PixelBox& box) {
    const auto count = static_cast<std::size_t>(box.pixels());
    if (largest_.size() < count) largest_ = DeviceMemory<float>("values", count);
    timed_cast([&] {
      Kokkos::deep_copy(largest_, -std::numeric_limits<float>::infinity());
      return cast_maximum(block(), camera, box, own_part(camera, box), largest_.data());
    });
    std::vector<float> values = on_host(largest_, count);
    const rt::Timed timed(trace(), composite_region_);
    compositor_.maximum(values);
    return grid_.comm().is_root() ? coloured(values) : std::vector<VolumePixel>{};
  }

  [[nodiscard]] std::vector<VolumePixel> coloured(const std::vector<float>& values) const {
    std::vector<VolumePixel> pixels(values.size());
    const auto last = static_cast<float>(opaque_.size() - 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      const float place = std::clamp(values[i] * last, 0.0F, last);
      // NOLINTNEXTLINE(bugprone-incorrect-roundings): as rays round, see ray_caster.cpp
      pixels[i] = opaque_[static_cast<std::size_t>(place + 0.5F)];
    }
    return pixels;
  }

  const FieldBase& field_;
  const VolumeOptions& options_;
  Grid<3> grid_;
  Field<float, 3> places_;  ///< of values, from 0 to 1 between the ends of the range
  Compositor compositor_;
  ValueRange range_;
  DeviceMemory<VolumePixel> table_, light_;
  DeviceMemory<float> largest_;
  std::vector<VolumePixel> opaque_;  ///< colours of mode maximum
  rt::RegionId load_region_, cast_region_, composite_region_;
  long long frames_ = 0;
  std::int64_t samples_ = 0;
  double cast_seconds_ = 0;
  std::vector<double> frame_seconds_;
};

VolumeRenderer::VolumeRenderer(const FieldBase& field, const VolumeOptions& options)
    : parts_(std::make_unique<Parts>(field, options)) {}
VolumeRenderer::~VolumeRenderer() = default;

void VolumeRenderer::load() {
  parts_->load();
}
VolumeImage VolumeRenderer::draw(long long frame) {
  return parts_->draw(frame);
}
void VolumeRenderer::report(rt::Report& report) const {
  parts_->report(report);
}

}  // namespace cartwright::grid
