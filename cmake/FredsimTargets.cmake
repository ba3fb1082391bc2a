# fredsim_library(NAME SOURCES ... [LINKS ...] [SYSTEMC])
#   A library of one folder; headers are included by their path from the project's root, "hw/core/quantity.h".
#   SYSTEMC compiles it with the shared precompiled header of SystemC and TLM.
# fredsim_test(NAME SOURCES ... [LINKS ...] [LABELS ...] [SYSTEMC] [TIMEOUT seconds])
#   A GoogleTest program; every case is a ctest test and a process of its own (one simulation per process).
#   LABELS default to quick. SYSTEMC adds a main that turns SystemC warnings into failures.
# fredsim_quick is a target that builds the program and the tests with the label quick, and no more.
include(GoogleTest)

if(BUILD_TESTING)
  add_custom_target(fredsim_quick)
  add_dependencies(fredsim_quick fredsim)
endif()

function(fredsim_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                           $<$<BOOL:${FREDSIM_WERROR}>:-Werror>)
endfunction()

function(fredsim_library name)
  cmake_parse_arguments(ARG "SYSTEMC" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/fredsim>)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS})
  fredsim_compile_options(${name})
  if(ARG_SYSTEMC)
    target_link_libraries(${name} PUBLIC fredsim_systemc)
    target_precompile_headers(${name} REUSE_FROM fredsim_pch)
  endif()
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
