// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/grid/output/volume/volume_picture.hpp>
#include <cartwright/grid/output/volume/volume_series.hpp>
#include <cartwright/grid/run/work_balance.hpp>
#include <cartwright/rt/unfinished_file.hpp>
#include <utility>
#include <vector>

#include "../whole_file.hpp"

namespace cartwright::grid {
namespace {

void remove_later_pictures(const std::filesystem::path& directory, const std::string& field,
                           long long restart_step) {
  std::vector<std::filesystem::path> later;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (step_of_file(entry.path(), field, ".png") > restart_step) later.push_back(entry.path());
  for (const auto& file : later) std::filesystem::remove(file);
}

}  // namespace

VolumeSeries::VolumeSeries(const FieldBase& field, const VolumeOptions& options,
                           std::filesystem::path directory, PictureText words,
                           std::optional<long long> restart_step)
    : field_(field),
      options_(options),
      directory_(std::move(directory)),
      words_(std::move(words)),
      renderer_(field, options),
      region_(field.grid().trace().region("render: picture file")) {
  on_root(field_.grid().comm().all(), [&] {
    make_directory(directory_);
    rt::remove_unfinished(directory_);
    if (restart_step) remove_later_pictures(directory_, words_.field, *restart_step);
  });
}

void VolumeSeries::draw(long long number, long long frame, long long step, double time,
                        WorkBalance* work) {
  if (work != nullptr) work->begin_step();
  const VolumeImage image = renderer_.draw(frame);
  if (work != nullptr) work->end_step();
  const rt::Timed timed(field_.grid().trace(), region_);
  words_.step = step;
  words_.time = time;
  on_root(field_.grid().comm().all(), [&] {
    draw_volume_picture(directory_ / step_file_name(words_.field, number, ".png"), image, options_,
                        field_.grid().description(), words_);
  });
}

}  // namespace cartwright::grid
