# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright new NAME: a solver, its deck and its CMake project to start from.

# Words that C++ keeps for itself, and names that the template needs.
readonly reserved_names=" alignas and asm auto bool break case catch char class concept const continue default delete \
do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new not \
operator or private protected public register requires return short signed sizeof static struct switch template this \
throw true try typedef typeid typename union unsigned using virtual void volatile while xor main cartwright cw std "

verb_new() {
  local name=${1:-} directory file target
  case $name in
    '') fail 1 "new needs a name, for example: ./cartwright new my_solver" ;;
    --help | -h) verb_help new && return ;;
  esac
  (($# == 1)) || fail 1 "new takes one name, for example: ./cartwright new my_solver"
  directory=$name
  name=$(basename -- "$name")
  [[ $name =~ ^[a-z][a-z0-9_]*$ && $name != *__* ]] ||
    fail 1 "'$name' cannot be a solver's name: small letters, digits and single underscores, a letter first (it becomes a C++ name)"
  [[ $reserved_names != *" $name "* ]] || fail 1 "'$name' cannot be a solver's name: the word has a meaning of its own in C++"
  [[ ! -e $directory ]] || fail 1 "'$directory' is there already; nothing was changed"
  mkdir -p -- "$directory" || fail 1 "the directory '$directory' cannot be made"
  for file in "$cartwright_root"/launcher/template/*; do
    target=$(basename -- "$file")
    fill_template "$name" <"$file" >"$directory/${target//solver/$name}" || fail 1 "cannot write to '$directory'"
  done
  say "A solver to start from is in $directory/. Run it:"
  say "  $cartwright_called_as run $directory/$name.yaml"
}

# @NAME@: my_solver, @TYPE@: MySolver.
fill_template() {
  local type='' word
  local -a words
  IFS=_ read -r -a words <<<"$1"
  for word in "${words[@]}"; do type+=${word^}; done
  sed -e "s/@NAME@/$1/g" -e "s/@TYPE@/$type/g"
}
