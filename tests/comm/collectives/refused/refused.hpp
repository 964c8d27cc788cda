// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <list>
#include <string>
#include <vector>

namespace comm = cartwright::comm;
namespace rt = cartwright::rt;

struct Peak {
  double value;
  int rank;
};
using Peaks = std::vector<Peak>;
