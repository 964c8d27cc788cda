// SPDX-License-Identifier: Apache-2.0
// All that a solver needs: `#include <cartwright/cartwright.hpp>` and `namespace cw = cartwright;`.
#pragma once

// First: their errors then have few lines.
#include <cartwright/grid/space/index.hpp>
#include <cartwright/grid/space/refused.hpp>

#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/exchange/fused.hpp>
#include <cartwright/grid/exchange/refused_exchange.hpp>
#include <cartwright/grid/field/array.hpp>
#include <cartwright/grid/field/dot.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/grid/field/grid.hpp>
#include <cartwright/grid/field/pack_view.hpp>
#include <cartwright/grid/field/scalar.hpp>
#include <cartwright/grid/field/staggered.hpp>
#include <cartwright/grid/field/stencil.hpp>
#include <cartwright/grid/kernels/fluxes.hpp>
#include <cartwright/grid/kernels/pack_functions.hpp>
#include <cartwright/grid/kernels/reduction.hpp>
#include <cartwright/grid/particles/cell_list.hpp>
#include <cartwright/grid/particles/deposition.hpp>
#include <cartwright/grid/particles/for_each_particle.hpp>
#include <cartwright/grid/particles/interpolation.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/grid/run/iterations.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/solver.hpp>
#include <cartwright/grid/run/steps.hpp>
#include <cartwright/grid/run/table.hpp>
#include <cartwright/grid/space/random_number.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/schema.hpp>

namespace cartwright {

using grid::App;
using grid::Array;
using grid::Arrays;
using grid::BoundaryCondition;
using grid::CellList;
using grid::Centring;
using grid::Deposition;
using grid::Face;
using grid::Field;
using grid::FieldOptions;
using grid::FieldView;
using grid::Fluxes;
using grid::Grid;
using grid::GridSpec;
using grid::Index;
using grid::InnerLoop;
using grid::Interpolation;
using grid::Iteration;
using grid::Iterations;
using grid::Max;
using grid::Min;
using grid::NumberAt;
using grid::PackView;
using grid::ParticleAttribute;
using grid::Particles;
using grid::ParticleView;
using grid::Run;
using grid::Scalar;
using grid::Side;
using grid::Solver;
using grid::Staggered;
using grid::StaggeredPackView;
using grid::StaggeredView;
using grid::Step;
using grid::Steps;
using grid::Sum;
using grid::Table;
using grid::ValueAt;
using grid::Vector;

using grid::abs;
using grid::choose;
using grid::cos;
using grid::derivative;
using grid::difference_above;
using grid::difference_below;
using grid::divergence;
using grid::dot;
using grid::elementwise;
using grid::exchange;
using grid::exp;
using grid::flow_below;
using grid::for_each;
using grid::fused;
using grid::gradient;
using grid::in_packs;
using grid::inverse_width;
using grid::laplacian;
using grid::log;
using grid::max;
using grid::mean_above;
using grid::mean_below;
using grid::min;
using grid::packs;
using grid::per_axis;
using grid::pow;
using grid::random_number;
using grid::reduce;
using grid::run;
using grid::run_app;
using grid::second_derivative;
using grid::sin;
using grid::sqrt;
using grid::start_reduce;
using grid::with_cells;
using grid::with_fluxes;

using rt::input_error;
using rt::key;
using rt::numerical_failure;
using rt::Schema;

}  // namespace cartwright
