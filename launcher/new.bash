# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./cartwright new NAME [--dimensions LIST]: a solver, its deck and its CMake project to start from.

# Words that C++ keeps for itself, and names that the template needs.
readonly reserved_names=" alignas and asm auto bool break case catch char class concept const continue default delete \
do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new not \
operator or private protected public register requires return short signed sizeof static struct switch template this \
throw true try typedef typeid typename union unsigned using virtual void volatile while xor main cartwright cw std "

verb_new() {
  local name='' dimensions=2 directory file target
  while (($# > 0)); do
    case $1 in
      --help | -h) verb_help new && return ;;
      --dimensions) (($# > 1)) || fail 1 "--dimensions needs numbers, for example: --dimensions 2, or --dimensions 1,2,3" ;&
      --dimensions=*)
        [[ $1 == *=* ]] || shift
        dimensions=${1#*=} ;;
      -*) fail 1 "new has no option '$1' (there is --dimensions)" ;;
      *)
        [[ -z $name ]] || fail 1 "new takes one name, for example: ./cartwright new my_solver"
        name=$1 ;;
    esac
    shift
  done
  [[ -n $name ]] || fail 1 "new needs a name, for example: ./cartwright new my_solver"
  [[ $dimensions =~ ^[123](,[123])*$ ]] ||
    fail 1 "'$dimensions' are no dimensions: 1, 2, 3 or some of them, for example: --dimensions 2,3"
  directory=$name
  name=$(basename -- "$name")
  [[ $name =~ ^[a-z][a-z0-9_]*$ && $name != *__* ]] ||
    fail 1 "'$name' cannot be a solver's name: small letters, digits and single underscores, a letter first (it becomes a C++ name)"
  [[ $reserved_names != *" $name "* ]] || fail 1 "'$name' cannot be a solver's name: the word has a meaning of its own in C++"
  [[ ! -e $directory ]] || fail 1 "'$directory' is there already; nothing was changed"
  mkdir -p -- "$directory" || fail 1 "the directory '$directory' cannot be made"
  for file in "$cartwright_root"/launcher/template/*; do
    target=$(basename -- "$file")
    fill_template "$name" "$dimensions" <"$file" >"$directory/${target//solver/$name}" || fail 1 "cannot write to '$directory'"
  done
  say "A solver to start from is in $directory/, in $(in_words "$dimensions"). Run it:"
  say "  $cartwright_called_as run $directory/$name.yaml"
}

# in_words 2,3: "2 and 3 dimensions".
in_words() {
  local last=${1##*,} text=${1//,/, }
  [[ $1 == 1 ]] && echo "1 dimension" && return
  [[ $1 == *,* ]] && text="${text%, *} and $last"
  echo "$text dimensions"
}

# The forms of the solver that are compiled: `nullptr, my_solver<2>` for 2.
functions_of() {
  local form='' waiting='' dimension
  for dimension in 1 2 3; do
    if [[ ,$2, == *,$dimension,* ]]; then
      form+="$waiting${form:+, }$1<$dimension>"
      waiting=''
    elif [[ -z $form ]]; then
      waiting+='nullptr, '
    else
      waiting+=', nullptr'
    fi
  done
  echo "$form"
}

# @NAME@: my_solver, @TYPE@: MySolver; and what depends on the dimensions, the deck is of the first of them.
fill_template() {
  local type='' word shape
  local -a words
  IFS=_ read -r -a words <<<"$1"
  for word in "${words[@]}"; do type+=${word^}; done
  case ${2%%,*} in
    1) shape='s/@EXTENT@/256/; s/@LENGTH@/1.0/; s/@PERIODIC@/false/; s/@AXES@/x/; s/@DISTANCE@/(x-0.5)^2/' ;;
    2) shape='s/@EXTENT@/128, 128/; s/@LENGTH@/1.0, 1.0/; s/@PERIODIC@/false, false/; s/@AXES@/x, y/; s/@DISTANCE@/((x-0.5)^2 + (y-0.5)^2)/' ;;
    3) shape='s/@EXTENT@/48, 48, 48/; s/@LENGTH@/1.0, 1.0, 1.0/; s/@PERIODIC@/false, false, false/; s/@AXES@/x, y, z/; s/@DISTANCE@/((x-0.5)^2 + (y-0.5)^2 + (z-0.5)^2)/' ;;
  esac
  sed -e "s/@NAME@/$1/g" -e "s/@TYPE@/$type/g" -e "s/@FUNCTIONS@/$(functions_of "$1" "$2")/" -e "s/@DIMENSIONS@/$(in_words "$2")/" -e "$shape"
}
