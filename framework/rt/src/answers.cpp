// SPDX-License-Identifier: Apache-2.0
#include "answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/deck_reference.hpp>

#include "deck_check.hpp"
#include "deck_paths.hpp"

namespace cartwright::rt {
namespace {

std::string version_text(const Program& program) {
  return fmt::format("{} {} ({})\n", program.name, program.version, program.commit);
}

std::string solver_list(const Program& program) {
  std::string text;
  for (const auto& solver : program.solvers) text += solver.name + '\n';
  return text;
}

std::string help_text(const Program& program) {
  std::string text = command_line_help(program.name, program.deck_is_optional);
  if (!program.description.empty()) text = program.description + "\n\n" + text;
  if (program.solvers.empty()) return text;
  std::size_t width = 0;
  for (const auto& solver : program.solvers) width = std::max(width, solver.name.size());
  text += "\nSolvers (the deck's key `solver`):\n";
  for (const auto& solver : program.solvers) {
    text += fmt::format("  {:<{}}  {}\n", solver.name, width, solver.description);
  }
  return text;
}

void find_keys(const SectionNode& section, const std::string& path, const std::string& name,
               std::vector<std::string>& found) {
  if (section.find_key(name) != nullptr) found.push_back(join_path(path, name));
  for (const SectionNode& inner : section.sections)
    find_keys(inner, join_path(path, inner.name), name, found);
}

std::string deck_answer(const CommandLine& command_line, const std::vector<Module>& modules) {
  SectionNode root;
  ProcessOptions options;
  Deck deck = Deck::read(command_line.deck_path, command_line.overrides);
  apply_deck(deck, root, options, modules);
  if (command_line.mode == Mode::print_config) return deck.effective_configuration(root);
  return command_line.quiet ? ""
                            : fmt::format("{}: no faults found\n",
                                          deck.file_name().empty() ? "no deck" : deck.file_name());
}

}  // namespace

std::vector<std::string> keys_named(const std::string& name, const std::vector<Module>& modules) {
  SectionNode root;
  ProcessOptions options;
  gather_schema(root, options, modules, nullptr);
  std::vector<std::string> found;
  find_keys(root, {}, name, found);
  return found;
}

std::string answer(const CommandLine& command_line, const Program& program,
                   const std::vector<Module>& modules) {
  switch (command_line.mode) {
    case Mode::help:
      return help_text(program);
    case Mode::version:
      return version_text(program);
    case Mode::list_solvers:
      return solver_list(program);
    case Mode::check:
    case Mode::print_config:
      return deck_answer(command_line, modules);
    default:
      break;
  }
  SectionNode root;
  ProcessOptions options;
  gather_schema(root, options, modules, nullptr);
  return command_line.mode == Mode::json_schema ? deck_json_schema(root, program.name)
                                                : deck_reference(root, program.name);
}

}  // namespace cartwright::rt
