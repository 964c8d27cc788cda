# SPDX-License-Identifier: Apache-2.0
# Decks, schemas and the command line.
cartwright_add_test(
  NAME rt_deck
  SOURCES answers_test.cpp
          command_line_test.cpp
          deck_file_test.cpp
          deck_mutation_test.cpp
          deck_reference_test.cpp
          deck_test.cpp
          number_text_test.cpp
          yaml_traps_test.cpp
  LIBRARIES cartwright::rt nlohmann_json::nlohmann_json)
target_include_directories(rt_deck PRIVATE "${PROJECT_SOURCE_DIR}/framework/rt/src")
cartwright_add_test(NAME rt_deck_broadcast SOURCES deck_broadcast_test.cpp LIBRARIES cartwright::rt RANKS 1 2 3 4 6 8)
