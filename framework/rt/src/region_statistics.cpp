// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/report.hpp>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace cartwright::rt {
namespace {

constexpr char separator = '\n';
constexpr const char* no_region = "other";

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += name + separator;
  return text;
}

std::set<std::string> taken_apart(const std::string& text) {
  std::set<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find(separator, begin);
    names.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

bool same_everywhere(const Communicator& comm, const std::string& text) {
  const unsigned long long hash = std::hash<std::string>{}(text);
  std::array largest{hash, ~hash};
  combine(comm, largest, Combine::largest);
  return largest[0] == ~largest[1];
}

// The names that any rank has; the rare case, so rank 0 may hold those of all ranks at once.
std::set<std::string> united(const Communicator& comm, const std::string& mine) {
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(comm.size()));
  mpi_blocking("MPI_Gather", MPI_Gather, &length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0,
               comm.handle());
  std::vector<int> places(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
  std::string all(static_cast<std::size_t>(places.back() + lengths.back()), '\0');
  mpi_blocking("MPI_Gatherv", MPI_Gatherv, mine.data(), length, MPI_CHAR, all.data(),
               lengths.data(), places.data(), MPI_CHAR, 0, comm.handle());
  std::string text = joined(taken_apart(all));
  share(comm, text);
  return taken_apart(text);
}

template <class Value>
std::vector<Value> reduced(const Communicator& comm, const std::vector<Value>& mine,
                           MPI_Datatype type, MPI_Op operation) {
  std::vector<Value> result(mine.size());
  mpi_blocking("MPI_Reduce", MPI_Reduce, mine.data(), result.data(), static_cast<int>(mine.size()),
               type, operation, 0, comm.handle());
  return result;
}

}  // namespace

TimeTable gather_regions(const Communicator& comm, const Trace& trace, double wall_seconds) {
  std::map<std::string, Trace::Total> mine;
  std::set<std::string> names;
  for (const auto& total : trace.totals()) {
    std::string name = total.name;
    std::replace(name.begin(), name.end(), separator, ' ');
    mine[name] = total;
    if (total.count > 0) names.insert(name);
  }
  mine[no_region].seconds += wall_seconds - trace.accounted_seconds();
  names.insert(no_region);
  if (const auto text = joined(names); !same_everywhere(comm, text)) names = united(comm, text);
  std::vector<double> seconds{wall_seconds};
  std::vector<std::int64_t> numbers;
  for (const auto& name : names) {
    const Trace::Total& total = mine[name];
    seconds.push_back(total.seconds);
    numbers.push_back(total.count);
    numbers.push_back(total.bytes);
  }
  const auto minimum = reduced(comm, seconds, MPI_DOUBLE, MPI_MIN);
  const auto maximum = reduced(comm, seconds, MPI_DOUBLE, MPI_MAX);
  const auto sum = reduced(comm, seconds, MPI_DOUBLE, MPI_SUM);
  const auto sums = reduced(comm, numbers, MPI_INT64_T, MPI_SUM);
  TimeTable times;
  times.whole = {times.whole.name, minimum[0], sum[0] / comm.size(), maximum[0], 0, 0};
  for (const auto& name : names) {
    const std::size_t i = times.regions.size() + 1;
    times.regions.push_back(
        {name, minimum[i], sum[i] / comm.size(), maximum[i], sums[2 * i - 2], sums[2 * i - 1]});
  }
  std::stable_sort(times.regions.begin(), times.regions.end(), [](const auto& a, const auto& b) {
    const bool rest[]{a.name == no_region, b.name == no_region};
    return rest[0] == rest[1] ? a.mean > b.mean : rest[1];
  });
  return times;
}

}  // namespace cartwright::rt
