# Everything the build needs, with a message that names the Debian package when something is missing.
macro(fredsim_fail)
  message(FATAL_ERROR ${ARGN})
endmacro()

# As a part of another project: what is found is used by that project's targets as well.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
include(FredsimLinkDependencies)
fredsim_require(Eigen3 libeigen3-dev NO_MODULE)
fredsim_require(CLI11 libcli11-dev)
fredsim_require(SQLite3 libsqlite3-dev)
if(NOT Protobuf_PROTOC_EXECUTABLE)
  fredsim_fail("fredsim needs protoc, which was not found. On Debian: apt-get install protobuf-compiler")
endif()
if(BUILD_TESTING)
  fredsim_require(GTest "libgtest-dev (or leave the tests out with -DBUILD_TESTING=OFF)")
endif()

include(FredsimSystemC)
fredsim_check_systemc(${CMAKE_CXX_STANDARD} fredsim::systemc)
if(NOT FREDSIM_SYSTEMC_LINKS)
  set(_advice "It does not link with C++17 or C++20 either: see the tools' output below.")
  foreach(_standard 20 17)
    fredsim_try_systemc(${_standard} fredsim::systemc _links _ignored)
    if(_links)
      string(CONCAT _advice
             "It was built for C++${_standard}: configure fredsim with -DCMAKE_CXX_STANDARD=${_standard}, or rebuild "
             "SystemC with -DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD}.")
    endif()
  endforeach()
  fredsim_fail("SystemC (${FREDSIM_SYSTEMC_ORIGIN}) does not link with C++${CMAKE_CXX_STANDARD}.\n"
               "${_advice}\n${FREDSIM_SYSTEMC_OUTPUT}")
endif()
