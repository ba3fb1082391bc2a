#!/usr/bin/env bash
# Configuring works in any folder without a warning, and names what is missing. Arguments: project, cmake, compiler.
. "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh"
cmake=$2
compiler=$3
unset SYSTEMC_HOME CXXFLAGS

# expect_configure CODE OPTION...: in a folder of its own, named with a blank.
expect_configure() {
  local code=$1
  shift
  rm -rf -- "$scratch/a build"
  expect_exit "$code" "$cmake" -S "$project" -B "$scratch/a build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" "$@"
}

expect_configure 0
expect_not_said "Warning"
expect_said "links with C++17"

# CMAKE_DISABLE_FIND_PACKAGE_X makes find_package say that X is not there.
missing() {
  expect_configure 1 "-DCMAKE_DISABLE_FIND_PACKAGE_$1=ON"
  expect_said "fredsim needs $1, which was not found. On Debian: apt-get install $2"
}
missing Boost libboost-graph-dev
missing Eigen3 libeigen3-dev
missing fmt libfmt-dev
missing nlohmann_json nlohmann-json3-dev
missing yaml-cpp libyaml-cpp-dev
missing CLI11 libcli11-dev
missing SQLite3 libsqlite3-dev
missing ZLIB zlib1g-dev
missing Protobuf "libprotobuf-dev protobuf-compiler"
missing GTest "libgtest-dev (or leave the tests out with -DBUILD_TESTING=OFF)"
expect_configure 1 -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
expect_said "apt-get install pkg-config libsystemc-dev"
PKG_CONFIG_LIBDIR="$scratch" expect_configure 1
expect_said "fredsim needs SystemC, which was not found. On Debian: apt-get install libsystemc-dev"

# Without the tests there is no need of GoogleTest.
expect_configure 0 -DBUILD_TESTING=OFF -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON

# A SystemC elsewhere, that is not there.
expect_configure 1 -DSYSTEMC_HOME="$scratch/nowhere"
expect_said "SYSTEMC_HOME is $scratch/nowhere, but there is no include/systemc"
SYSTEMC_HOME="$scratch/nowhere" expect_configure 1
expect_said "SYSTEMC_HOME is $scratch/nowhere, but there is no include/systemc"

# A SystemC built for another standard: Debian's, asked for C++20.
expect_configure 1 -DCMAKE_CXX_STANDARD=20
expect_said "SystemC (pkg-config systemc 2.3.4) does not link with C++20."
expect_said "It was built for C++17: configure fredsim with -DCMAKE_CXX_STANDARD=17"
expect_configure 1 -DCMAKE_CXX_STANDARD=14
expect_said "CMAKE_CXX_STANDARD is 14; fredsim needs 17, 20 or 23"
finish
