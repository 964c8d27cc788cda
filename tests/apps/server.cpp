// SPDX-License-Identifier: Apache-2.0
#include "server.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace pde_test {
namespace {

constexpr char end_of_word = '\x1f';
const std::string mark = "answer: ";

std::string output_of(const std::string& folder, int rank) {
  return folder + "/output." + std::to_string(rank);
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  // Other servers must not hold them open. NOLINTNEXTLINE(android-cloexec-pipe2)
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  return ends;
}

/// All ranks end with the same code, or one that failed says which.
int code_of_all(const std::string& codes) {
  std::istringstream stream(codes);
  int worst = 0;
  for (int code = 0; stream >> code;) worst = std::max(worst, code);
  return worst;
}

}  // namespace

Server::Server(int ranks, const std::string& folder) : ranks_(ranks), folder_(folder) {
  std::signal(SIGPIPE, SIG_IGN);  // where the processes are gone, that is the answer
  for (int rank = 0; rank < ranks; ++rank) std::ofstream(output_of(folder, rank));
  // As pde chooses when it starts MPI itself (mpi_session.cpp).
  start("OMPI_MCA_fcoll=two_phase exec " + variable("MPIRUN") + " -n " + std::to_string(ranks) +
        " " + variable("SERVER") + " " + folder + " 2>&1");
  if (!answer()) throw std::runtime_error("no server of " + std::to_string(ranks) + ": " + said_);
}

Server::~Server() {
  if (!is_gone()) end();
}

void Server::start(const std::string& command) {
  const auto [from, input] = make_pipe();
  const auto [output, to] = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  std::array<std::string, 3> words{"sh", "-c", command};
  std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
  const int fault = posix_spawn(&process_, "/bin/sh", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(from);
  close(to);
  input_ = input;
  output_ = output;
  if (fault != 0) throw std::runtime_error("cannot start: " + command);
}

/// The codes of all ranks; none when the processes have ended.
std::optional<std::string> Server::answer() {
  std::array<char, 4096> piece{};
  for (;;) {
    const std::size_t at = said_.find(mark), end = said_.find('\n', at);
    if (at != std::string::npos && end != std::string::npos) {
      std::string codes = said_.substr(at + mark.size(), end - at - mark.size());
      said_.erase(at, end + 1 - at);
      return codes;
    }
    const ssize_t length = read(output_, piece.data(), piece.size());
    if (length <= 0) return std::nullopt;
    said_.append(piece.data(), static_cast<std::size_t>(length));
  }
}

int Server::end() {
  close(input_);
  close(output_);
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string Server::text() const {
  std::string all;
  for (int rank = 0; rank < ranks_; ++rank) all += read_text(output_of(folder_, rank));
  return all + said_;
}

Result Server::run(const std::string& program, const std::string& arguments) {
  said_.clear();
  for (int rank = 0; rank < ranks_; ++rank)
    std::filesystem::resize_file(output_of(folder_, rank), 0);
  const std::string line = std::filesystem::current_path().string() + end_of_word +
                           shell("printf '%s\\037' " + program + " " + arguments).text + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t length = write(input_, line.data() + done, line.size() - done);
    if (length <= 0) break;
    done += static_cast<std::size_t>(length);
  }
  const std::optional<std::string> codes = answer();
  Result result;
  result.code = codes ? code_of_all(*codes) : end();
  result.text = text();
  return result;
}

}  // namespace pde_test
