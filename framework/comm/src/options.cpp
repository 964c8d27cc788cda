// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/options.hpp>

namespace cartwright::comm {

rt::Schema<Options> schema() {
  // No choices here: `Backends` knows which names come later, and says so.
  return {rt::key("backend", &Options::backend)
              .example("native")
              .about("who carries out collectives: native (the MPI library) or auto (the best one "
                     "there is: native, so far)")};
}

}  // namespace cartwright::comm
