// SPDX-License-Identifier: Apache-2.0
// The timeline as Chrome's trace events:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include <fmt/format.h>

#include <array>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/json_text.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/trace.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace cartwright::rt {
namespace {

constexpr Tag trace_tag{1};

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

double microseconds(Ticks origin, Ticks time) {
  return 1e6 * seconds_between(origin, time);
}

// Rank 0 alone knows whether the file could be written: all ranks learn it, and fail together.
void agree(const Communicator& comm, int failure, const std::string& path) {
  mpi_blocking("MPI_Bcast", MPI_Bcast, &failure, 1, MPI_INT, 0, comm.handle());
  if (failure == 0) return;
  throw input_error(fmt::format("cannot write the timeline {}: {}", path, std::strerror(failure)),
                    "Name a file in a folder that exists and can be written to.", Reach::all_ranks);
}

bool write_all(std::FILE* file, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size();
}

// The texts of all ranks in order, one at a time in the memory of rank 0.
bool write_tracks(const Communicator& comm, std::FILE* file, const std::string& mine) {
  bool good = file != nullptr && write_all(file, mine);
  for (int rank = 1; rank < comm.size(); ++rank) {
    std::array<unsigned long long, 1> size{};
    ireceive(comm, std::span(size), Rank{rank}, trace_tag).wait();
    std::string theirs(size[0], '\0');
    ireceive(comm, std::span(theirs), Rank{rank}, trace_tag).wait();
    good = good && write_all(file, theirs);
  }
  return good;
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

std::int64_t Trace::write(const Communicator& comm, const std::string& path) const {
  const bool root = comm.is_root();
  File file(root ? std::fopen(path.c_str(), "w") : nullptr);
  agree(comm, root && file == nullptr ? errno : 0, path);
  const std::string mine = track(comm.rank().value);
  std::int64_t dropped = 0;
  mpi_blocking("MPI_Allreduce", MPI_Allreduce, &dropped_, &dropped, 1, MPI_INT64_T, MPI_SUM,
               comm.handle());
  int failure = 0;
  if (root) {
    errno = 0;
    bool good = write_all(file.get(), "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    good = write_tracks(comm, file.get(), mine) && good;
    good = write_all(file.get(),
                     fmt::format("\n],\"otherData\":{{\"ranks\":{},\"spans left out\":{}}}}}\n",
                                 comm.size(), dropped)) &&
           good;
    good = std::fflush(file.get()) == 0 && good;
    if (!good) failure = errno != 0 ? errno : EIO;
  } else {
    send_track(comm, mine);
  }
  agree(comm, failure, path);
  return dropped;
}

}  // namespace cartwright::rt
