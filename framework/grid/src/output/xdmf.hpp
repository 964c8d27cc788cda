// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hdf5_file.hpp"

namespace cartwright::grid {

/// One output of a series.
struct XdmfStep {
  double time = 0;
  std::string data_file;  ///< relative to the XDMF file
};

/// The text of an XDMF 3.0 time series over uniform grids, as ParaView reads it. Fields on the
/// nodes of a periodic axis have no closing node; they get a grid of their own, one cell shorter.
[[nodiscard]] std::string xdmf_text(const GridDescription& grid,
                                    const std::vector<DatasetPlan>& fields,
                                    const std::vector<XdmfStep>& steps);

}  // namespace cartwright::grid
