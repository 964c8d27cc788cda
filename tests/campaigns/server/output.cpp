// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>

namespace cartwright::campaign {

Output::Output(const std::string& file) : campaign_(::fdopen(::dup(STDOUT_FILENO), "w")) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0 || campaign_ == nullptr) throw std::runtime_error("cannot open " + file);
  ::dup2(opened, STDOUT_FILENO);
  ::dup2(opened, STDERR_FILENO);
  ::close(opened);
}

Output::~Output() {
  std::fclose(campaign_);
}

void Output::answer(const std::string& line) const {
  std::fputs(("answer: " + line + '\n').c_str(), campaign_);
  std::fflush(campaign_);
}

}  // namespace cartwright::campaign
