// SPDX-License-Identifier: Apache-2.0
#include <cartwright/linear/newton/options.hpp>

namespace cartwright::linear {

rt::Schema<NewtonOptions> newton_schema() {
  return rt::Schema<NewtonOptions>{rt::key("tolerance", &NewtonOptions::tolerance)
                                       .above(0.0)
                                       .below(1.0)
                                       .about("residual to reach, as a fraction of the first one; "
                                              "one that is only rounding counts as reached"),
                                   rt::key("limit", &NewtonOptions::limit)
                                       .minimum(1)
                                       .about("most corrections; more are a failure")}
      .section("linear", &NewtonOptions::linear, method_schema(), "how a correction is found");
}

}  // namespace cartwright::linear
