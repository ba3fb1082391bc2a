# fredsim_library(NAME SOURCES ... [LINKS ...] [SYSTEMC] [INTERNAL])
#   A library of one folder; headers are included by their path from the project's root, "hw/core/quantity.h".
#   SYSTEMC compiles it with the shared precompiled header of SystemC and TLM. It is installed with the headers of its
#   folder (FredsimInstall); INTERNAL ones, which only the program uses, are not.
# fredsim_test(NAME SOURCES ... [LINKS ...] [LABELS ...] [SYSTEMC] [TIMEOUT seconds])
#   A GoogleTest program; every case is a ctest test and a process of its own (one simulation per process).
#   LABELS default to quick. SYSTEMC adds a main that turns SystemC warnings into failures.
# fredsim_quick is a target that builds the program and the tests with the label quick, and no more.
include(GoogleTest)
include(FredsimInstall)

if(BUILD_TESTING)
  add_custom_target(fredsim_quick)
  add_dependencies(fredsim_quick fredsim)
endif()

function(fredsim_compile_options target)
  # In a unity build a name of one file would be said to hide one of another.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wshadow> -Wnon-virtual-dtor -Woverloaded-virtual
                                           $<$<BOOL:${FREDSIM_WERROR}>:-Werror>)
endfunction()

function(fredsim_library name)
  cmake_parse_arguments(ARG "SYSTEMC;INTERNAL" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fredsim>)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS})
  # What FredsimOptions sets for the whole project, for programs of others that link the library.
  target_compile_features(${name} INTERFACE cxx_std_${CMAKE_CXX_STANDARD})
  target_compile_options(${name} INTERFACE -ffp-contract=off)
  fredsim_compile_options(${name})
  if(ARG_SYSTEMC)
    target_link_libraries(${name} PUBLIC fredsim::systemc)
    target_precompile_headers(${name} REUSE_FROM fredsim_pch)
  endif()
  if(NOT ARG_INTERNAL)
    fredsim_public_library(${name} HEADERS)
  endif()
endfunction()

# fredsim_precompile(): the precompiled header that what uses SystemC shares.
function(fredsim_precompile)
  file(WRITE ${PROJECT_BINARY_DIR}/pch/fredsim_pch.cpp "")
  add_library(fredsim_pch STATIC ${PROJECT_BINARY_DIR}/pch/fredsim_pch.cpp)
  target_link_libraries(fredsim_pch PUBLIC fredsim::systemc)
  fredsim_compile_options(fredsim_pch)
  target_precompile_headers(fredsim_pch PRIVATE <algorithm> <array> <cstdint> <functional> <memory> <optional> <string>
                            <vector> <systemc> <tlm>)
endfunction()

function(fredsim_test name)
  cmake_parse_arguments(ARG "SYSTEMC" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS quick)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS})
  fredsim_compile_options(${name})
  target_compile_options(${name} PRIVATE ${FREDSIM_TEST_FLAGS})
  if(ARG_SYSTEMC)
    target_link_libraries(${name} PRIVATE fredsim_test_main GTest::gtest)
    target_precompile_headers(${name} REUSE_FROM fredsim_pch)
  else()
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  if(quick IN_LIST ARG_LABELS)
    add_dependencies(fredsim_quick ${name})
  endif()
  gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()
