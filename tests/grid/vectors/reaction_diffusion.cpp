// SPDX-License-Identifier: Apache-2.0
#include "reaction_diffusion.hpp"

template void step<2>(cw::Field<double, 2>&, cw::Field<double, 2>&, cw::Field<double, 2>&,
                      cw::Field<double, 2>&, double, double);
