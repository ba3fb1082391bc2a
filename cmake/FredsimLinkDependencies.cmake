# What fredsim's libraries, and so every program that links them, need. Used by the build and, installed, by
# fredsimConfig.cmake. Whoever includes this has defined the macro fredsim_fail(TEXT...), which does not come back.

# fredsim_require(PACKAGE DEBIAN [OPTION...]): find_package, with the Debian package in the message when it is missing.
macro(fredsim_require package debian)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    fredsim_fail("fredsim needs ${package}, which was not found. On Debian: apt-get install ${debian}")
  endif()
endmacro()

find_package(PkgConfig QUIET)
fredsim_require(Threads libc6-dev)
fredsim_require(Boost libboost-graph-dev)
fredsim_require(fmt libfmt-dev)
fredsim_require(nlohmann_json nlohmann-json3-dev)
fredsim_require(yaml-cpp libyaml-cpp-dev)
fredsim_require(ZLIB zlib1g-dev)
fredsim_require(Protobuf "libprotobuf-dev protobuf-compiler")
