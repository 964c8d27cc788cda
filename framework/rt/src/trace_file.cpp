// SPDX-License-Identifier: Apache-2.0
// The timeline as Chrome's trace events:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <fmt/format.h>

#include <array>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/json_text.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/trace.hpp>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {
namespace {

constexpr Tag trace_tag{1};

double microseconds(Ticks origin, Ticks time) {
  return 1e6 * seconds_between(origin, time);
}

// Rank 0 alone writes: what it meets, all ranks learn, and fail together.
class RootFile {
 public:
  explicit RootFile(const Communicator& comm) : comm_(comm) {}
  void look_at(const std::filesystem::path& path, bool may_write) {
    attempt([&] {
      std::error_code ignored;
      if (!comm_.is_root() || !std::filesystem::is_directory(path.parent_path(), ignored)) return;
      may_write ? rt::require_writable(path) : rt::require_no_obstacle(path);
    });
  }
  void open(const std::string& path) {
    attempt([&] {
      if (comm_.is_root()) file_.emplace(path);
    });
  }
  void write(const std::string& text) {
    attempt([&] {
      if (file_) file_->write(text);
    });
  }
  void finish() {
    attempt([&] {
      if (file_) file_->finish();
    });
    agree();
  }
  // Collective. Throws on all ranks what rank 0 has met.
  void agree() {
    share(comm_, fault_);
    if (fault_.empty()) return;
    throw input_error("the timeline is not written: " + fault_,
                      "Name a file in a folder that exists and can be written to.",
                      Reach::all_ranks);
  }

 private:
  // After the first fault nothing more is tried.
  void attempt(const auto& action) {
    try {
      if (fault_.empty()) action();
    } catch (const Error& error) {
      fault_ = error.what();
    }
  }

  const Communicator& comm_;
  std::optional<OutputFile> file_;
  std::string fault_;
};

// The texts of all ranks in order, one at a time in the memory of rank 0.
void write_tracks(const Communicator& comm, RootFile& file, const std::string& mine) {
  file.write(mine);
  for (int rank = 1; rank < comm.size(); ++rank) {
    std::array<unsigned long long, 1> size{};
    ireceive(comm, std::span(size), Rank{rank}, trace_tag).wait();
    std::string theirs(size[0], '\0');
    ireceive(comm, std::span(theirs), Rank{rank}, trace_tag).wait();
    file.write(theirs);
  }
}

void send_track(const Communicator& comm, const std::string& mine) {
  const std::array<unsigned long long, 1> size{mine.size()};
  isend(comm, std::span(size), Rank{0}, trace_tag).wait();
  isend(comm, std::span(mine), Rank{0}, trace_tag).wait();
}

}  // namespace

std::string Trace::track(int rank) const {
  std::string text = fmt::format(
      "{}{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":{},"
      "\"args\":{{\"name\":\"rank {}\"}}}}",
      rank == 0 ? "" : ",\n", rank, rank);
  std::vector<std::string> names;
  names.reserve(totals_.size());
  for (const auto& total : totals_) names.push_back(json_string(total.name));
  for (const Span& span : spans_) {
    fmt::format_to(std::back_inserter(text),
                   ",\n{{\"name\":{},\"ph\":\"X\",\"pid\":0,\"tid\":{},\"ts\":{:.3f},"
                   "\"dur\":{:.3f}}}",
                   names[static_cast<std::size_t>(span.region)], rank,
                   microseconds(origin_, span.begin),
                   microseconds(origin_, span.end) - microseconds(origin_, span.begin));
  }
  return text;
}

void Trace::require_writable(const Communicator& comm, const std::string& path, bool may_write) {
  RootFile nothing(comm);
  nothing.look_at(path, may_write);
  nothing.agree();
}

std::int64_t Trace::write(const Communicator& comm, const std::string& path) const {
  RootFile file(comm);
  file.open(path);
  file.agree();
  const std::string mine = track(comm.rank().value);
  const std::int64_t dropped = combined(comm, dropped_, Combine::sum);
  if (comm.is_root()) {
    file.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    write_tracks(comm, file, mine);
    file.write(fmt::format("\n],\"otherData\":{{\"ranks\":{},\"spans left out\":{}}}}}\n",
                           comm.size(), dropped));
  } else {
    send_track(comm, mine);
  }
  file.finish();
  return dropped;
}

}  // namespace cartwright::rt
