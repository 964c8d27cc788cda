// SPDX-License-Identifier: Apache-2.0
#include "reaction_diffusion.hpp"

template void step<3>(cw::Field<double, 3>&, cw::Field<double, 3>&, cw::Field<double, 3>&,
                      cw::Field<double, 3>&, double, double);
