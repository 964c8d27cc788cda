// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/schema.hpp>

namespace render {

namespace grid = cartwright::grid;
namespace rt = cartwright::rt;
using rt::key;

void bind(rt::SectionNode& section, Options& options) {
  rt::Schema<Options>{
      key("file", &Options::file)
          .example("out/heat_3d")
          .about("what a run has written: the directory of its results, or one of its files; "
                 "without it, 'initial.field' says what is drawn"),
      key("step", &Options::step).minimum(0).about("which of its states; default: the newest"),
      key("unit", &Options::unit).example("K").about("beside the colour bar; default: the file's")}
      .bind(section, options);
  grid::bind_volume_options(
      section, options.volume,
      "with a file, which dataset of it is drawn (of vectors the magnitude); else what "
      "'initial.field' is called in pictures");
}

void check(const rt::Deck& deck, const grid::GridDescription& grid, const Options& options,
           bool has_formula) {
  grid::check_volume_options(deck, "render", grid, options.volume);
  if (options.file.empty() && !has_formula)
    throw deck.error("render", "nothing says what is to be drawn",
                     "Give 'initial.field', a formula in x, y, z, or 'render.file', the results of "
                     "a run.");
  if (!options.file.empty() && has_formula)
    throw deck.error("initial.field", "'initial.field' and 'render.file' both say what is drawn",
                     "Give one of them.");
  if (!options.file.empty() && options.volume.field.empty())
    throw deck.error("render.file", "'render.file' has several datasets perhaps: which is drawn?",
                     "Give 'render.field', such as temperature.");
  if (options.file.empty() && options.step)
    throw deck.error("render.step", "'render.step' is for the results of a run",
                     "Give 'render.file', too, or leave it out.");
}

}  // namespace render
