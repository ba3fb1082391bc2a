#!/usr/bin/env bash
# What cmake --install leaves, and what find_package(fredsim) and add_subdirectory say and do. That the examples build
# and run with it is scripts/check-package's. Arguments: project, cmake, compiler, build folder.
. "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh"
cmake=$2
compiler=$3
build=$4
unset SYSTEMC_HOME CXXFLAGS CMAKE_PREFIX_PATH fredsim_DIR fredsim_ROOT

# Installed, and moved to a folder with a blank.
expect_exit 0 "$cmake" --install "$build" --prefix "$scratch/there"
mv -- "$scratch/there" "$scratch/moved here"
prefix="$scratch/moved here"
for file in bin/fredsim lib/fredsim/libfredsim_core.a include/fredsim/hw/core/quantity.h \
  lib/cmake/fredsim/fredsimConfig.cmake share/doc/fredsim/LICENSE share/fredsim/configs/single_switch.yaml \
  share/fredsim/samples/all_reduce_8npus_64MiB.jsonl share/fredsim/samples/chakra/step.0.et; do
  [ -f "$prefix/$file" ] || complain "$file is not installed"
done
for folder in include/fredsim/tb/cli include/fredsim/tb/compare include/fredsim/tb/report include/fredsim/tb/sweep include/fredsim/tb/tests \
  include/fredsim/docs; do
  [ ! -e "$prefix/$folder" ] || complain "$folder is nobody's to include"
done
# Every header of a library is there.
for folder in hw switch accel traces tb; do
  while IFS= read -r header; do
    [ -f "$prefix/include/fredsim/$header" ] || complain "$header is not installed"
  done < <(cd -- "$project" && find "$folder" -name '*.h' -not -path 'tb/cli/*' -not -path 'tb/tests/*' -not -path 'tb/bench/*' \
    -not -path 'tb/compare/*' -not -path 'tb/report/*' -not -path 'tb/sweep/*')
done
# Programs and archives too: no folder of the build, of the sources, or of where it was installed.
for folder in "$build" "$project" "$scratch/there"; do
  said=$(grep -rlaF -- "$folder" "$prefix" || true)
  [ -z "$said" ] || complain "installed files name $folder"
done
expect_exit 0 "$prefix/bin/fredsim" run "$prefix/share/fredsim/configs/single_switch.yaml" \
  --trace "$prefix/share/fredsim/samples/odd_sizes_8npus.jsonl"
expect_said "all right"

# use NAME CODE LINE...: configures a project of these lines between find_package and its end, in a folder of its own.
use() {
  local folder="$scratch/$1" code=$2
  shift 2
  mkdir -p "$folder"
  cat >"$folder/CMakeLists.txt"
  expect_exit "$code" "$cmake" -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$prefix" "$@"
}
header='cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)'

# Three lines make a testbench. It includes every header, from one file: each is there with all it includes.
mkdir "$scratch/tb"
(cd -- "$prefix/include/fredsim" && find . -name '*.h' | sort | sed 's|^\./\(.*\)|#include "\1"|') >"$scratch/tb/tb.cpp"
cat >>"$scratch/tb/tb.cpp" <<'END'
int sc_main(int, char**) {
  fredsim::hw::Environment environment(0);
  return fredsim::tb::load_configuration(DATA_DIR "/configs/single_switch.yaml").sw.ports != 8;
}
END
use tb 0 <<END
$header
find_package(fredsim REQUIRED)
add_executable(tb tb.cpp)
target_link_libraries(tb PRIVATE fredsim::fredsim)
target_compile_definitions(tb PRIVATE DATA_DIR="\${fredsim_DATA_DIR}")
target_compile_options(tb PRIVATE -Wall -Wextra -Werror)
END
expect_said "links with C++17"
expect_not_said "Warning"
expect_exit 0 "$cmake" --build "$scratch/tb/build"
expect_exit 0 "$scratch/tb/build/tb"
# Asked again, in a folder beside, it is there again; one library of it can be enough.
mkdir -p "$scratch/twice/below"
printf 'find_package(fredsim 0.1 REQUIRED)\nadd_library(uses INTERFACE)\ntarget_link_libraries(uses INTERFACE fredsim::core)\n' \
  >"$scratch/twice/below/CMakeLists.txt"
use twice 0 <<END
$header
add_subdirectory(below)
find_package(fredsim REQUIRED)
if(NOT TARGET fredsim::systems)
  message(FATAL_ERROR "not there")
endif()
END

# What is missing is named, and optional means optional.
needs="$header
find_package(fredsim REQUIRED)"
missing() {
  use "without $1" 1 "-DCMAKE_DISABLE_FIND_PACKAGE_$1=ON" <<<"$needs"
  expect_said "fredsim needs $1, which was not found. On Debian: apt-get install $2"
}
missing fmt libfmt-dev
missing yaml-cpp libyaml-cpp-dev
missing Protobuf "libprotobuf-dev protobuf-compiler"
PKG_CONFIG_LIBDIR="$scratch" use "no systemc" 1 <<<"$needs"
expect_said "fredsim needs SystemC, which was not found. On Debian: apt-get install libsystemc-dev"
use "systemc home" 1 -DSYSTEMC_HOME="$scratch/nowhere" <<<"$needs"
expect_said "SYSTEMC_HOME is $scratch/nowhere, but there is no include/systemc"
use newer 1 -DCMAKE_CXX_STANDARD=20 <<<"$needs"
expect_said "the program would be compiled for C++20, and such programs do not link: set(CMAKE_CXX_STANDARD 17)"
use "other version" 1 <<<"$header
find_package(fredsim 0.9 REQUIRED)"
expect_said "compatible with requested version \"0.9\""
use optional 0 -DCMAKE_CXX_STANDARD=20 <<<"$header
find_package(fredsim)
if(fredsim_FOUND)
  message(FATAL_ERROR \"found\")
endif()"

# A SystemC of another kind, found by SYSTEMC_HOME: it links for itself, but not with the libraries.
other="$scratch/other systemc"
mkdir -p "$other/include" "$other/lib"
cat >"$other/include/systemc" <<'END'
namespace sc_core {
struct sc_time {
  typedef unsigned long long value_type;
  static sc_time from_value(value_type v);
  value_type value() const;
};
sc_time sc_time_stamp();
}
END
: >"$other/include/tlm"
cat >"$other/sc.cpp" <<'END'
#include "include/systemc"
sc_core::sc_time sc_core::sc_time::from_value(value_type) { return {}; }
sc_core::sc_time::value_type sc_core::sc_time::value() const { return 0; }
sc_core::sc_time sc_core::sc_time_stamp() { return {}; }
int sc_main(int, char**);
int main(int argc, char** argv) { return sc_main(argc, argv); }
END
expect_exit 0 "$compiler" -shared -fPIC -o "$other/lib/libsystemc.so" "$other/sc.cpp"
SYSTEMC_HOME="$other" use "another systemc" 1 <<<"$needs"
expect_said "does not link with the SystemC found here (SYSTEMC_HOME=$other)"

# As a part of another project: the same names, none of its tests, nothing installed by it.
cp -- "$scratch/tb/tb.cpp" "$scratch/whole.cpp"
mkdir "$scratch/whole"
cat >"$scratch/whole/tiny.cpp" <<'END'
#include "hw/core/quantity.h"
int main() { return fredsim::hw::parse_time("1 ns").fs() != 1000000; }
END
use whole 0 <<END
$header
enable_testing()
add_subdirectory("$project" fredsim EXCLUDE_FROM_ALL)
add_executable(tiny tiny.cpp)
target_link_libraries(tiny PRIVATE fredsim::core)
add_executable(tb "$scratch/whole.cpp")
target_link_libraries(tb PRIVATE fredsim::fredsim)
if(CMAKE_BUILD_TYPE)
  message(FATAL_ERROR "the build type is this project's own")
endif()
END
expect_not_said "Warning"
expect_exit 0 "$cmake" --build "$scratch/whole/build" --target tiny
expect_exit 0 "$scratch/whole/build/tiny"
expect_exit 0 "$cmake" --install "$scratch/whole/build" --prefix "$scratch/nothing"
[ ! -e "$scratch/nothing" ] || complain "a part of another project installs itself"
finish
