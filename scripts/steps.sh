# shellcheck shell=bash
# What run.sh, test.sh and .ci/run have in common; to be sourced, with the project's root as working folder.
# On a terminal ninja and ctest show their progress in one line. Elsewhere a line for each file and test would bury
# the rest, so only what fails is shown.

# configure PRESET [OPTION...]: silent unless it fails.
configure() {
  local log=build/configure-$1.log
  echo "configure: cmake --preset $*"
  mkdir -p build
  cmake --preset "$@" >"$log" 2>&1 || { cat -- "$log" >&2 && return 1; }
}

# build PRESET [TARGET]
build() {
  local options=(--preset "$1") quiet=()
  [ "$#" -eq 1 ] || options+=(--target "$2")
  [ -t 1 ] || quiet=(-- --quiet)
  echo "build: cmake --build ${options[*]}"
  cmake --build "${options[@]}" --parallel "$(nproc)" "${quiet[@]}"
}

# run_tests PRESET
run_tests() {
  echo "test: ctest --preset $1"
  if [ -t 1 ]; then
    ctest --preset "$1" --parallel "$(nproc)" --progress
  else
    ctest --preset "$1" --parallel "$(nproc)" | grep -vE "$noise"
  fi
}
noise='^ +Start +[0-9]+: |^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* (Passed|\*\*\*Skipped) +[0-9.]+ sec$|^Test project |^Label Time Summary|sec\*proc'
