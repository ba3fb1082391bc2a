# Finds SystemC, in this order: a SystemCLanguage CMake package, SYSTEMC_HOME, pkg-config. Defines the target
# fredsim::systemc, which is imported so that an installed fredsim finds SystemC anew, and FREDSIM_SYSTEMC_ORIGIN, for
# people. Used by the build and, installed, by fredsimConfig.cmake; see FredsimLinkDependencies for fredsim_fail.
if(NOT TARGET fredsim::systemc)
  add_library(fredsim::systemc INTERFACE IMPORTED)
  # Without it <systemc> has no sc_spawn, which TLM's utility sockets use.
  target_compile_definitions(fredsim::systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)
  target_link_libraries(fredsim::systemc INTERFACE Threads::Threads)

  find_package(SystemCLanguage CONFIG QUIET)
  if(SystemCLanguage_FOUND)
    set(FREDSIM_SYSTEMC_ORIGIN "CMake package SystemCLanguage in ${SystemCLanguage_DIR}" CACHE INTERNAL "Where SystemC was found")
    target_link_libraries(fredsim::systemc INTERFACE SystemC::systemc)
  elseif(DEFINED ENV{SYSTEMC_HOME} OR SYSTEMC_HOME)
    if(NOT SYSTEMC_HOME)
      set(SYSTEMC_HOME $ENV{SYSTEMC_HOME})
    endif()
    set(FREDSIM_SYSTEMC_ORIGIN "SYSTEMC_HOME=${SYSTEMC_HOME}" CACHE INTERNAL "Where SystemC was found")
    find_library(_systemc_library systemc PATHS ${SYSTEMC_HOME} PATH_SUFFIXES lib lib-linux64 lib64 NO_DEFAULT_PATH NO_CACHE)
    if(NOT _systemc_library OR NOT EXISTS ${SYSTEMC_HOME}/include/systemc)
      fredsim_fail("SYSTEMC_HOME is ${SYSTEMC_HOME}, but there is no include/systemc or no lib/libsystemc in it. "
                   "Set it to where SystemC is installed, or unset it and on Debian: apt-get install libsystemc-dev")
    endif()
    target_include_directories(fredsim::systemc INTERFACE ${SYSTEMC_HOME}/include)
    target_link_libraries(fredsim::systemc INTERFACE ${_systemc_library})
  else()
    if(NOT PkgConfig_FOUND)
      fredsim_fail("fredsim finds SystemC with pkg-config, which was not found. On Debian: apt-get install "
                   "pkg-config libsystemc-dev; elsewhere set SYSTEMC_HOME to where SystemC is installed")
    endif()
    pkg_check_modules(FREDSIM_PKG_SYSTEMC QUIET systemc)
    if(NOT FREDSIM_PKG_SYSTEMC_FOUND)
      fredsim_fail("fredsim needs SystemC, which was not found. On Debian: apt-get install libsystemc-dev; "
                   "elsewhere set SYSTEMC_HOME to where SystemC is installed")
    endif()
    set(FREDSIM_SYSTEMC_ORIGIN "pkg-config systemc ${FREDSIM_PKG_SYSTEMC_VERSION}" CACHE INTERNAL "Where SystemC was found")
    target_include_directories(fredsim::systemc INTERFACE ${FREDSIM_PKG_SYSTEMC_INCLUDE_DIRS})
    target_compile_options(fredsim::systemc INTERFACE ${FREDSIM_PKG_SYSTEMC_CFLAGS_OTHER})
    target_link_libraries(fredsim::systemc INTERFACE ${FREDSIM_PKG_SYSTEMC_LINK_LIBRARIES})
  endif()
endif()

# fredsim_try_systemc(STANDARD TARGET RESULT OUTPUT): compiles a small program for this C++ standard and links it with
# TARGET, which brings SystemC or the libraries that use it. A SystemC built for another standard, or another one than
# the libraries were compiled with, fails only at link time, and unreadably. OUTPUT is what the tools said.
function(fredsim_try_systemc standard target result output)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/fredsim_systemc_check)
  file(WRITE ${folder}/check.cpp [[
#include <systemc>
#include <tlm>
#if __has_include("hw/link/sim_time.h")
#include "hw/link/sim_time.h"
int sc_main(int, char**) { return fredsim::hw::set_time_resolution(), fredsim::hw::now().fs() != 0; }
#else
int sc_main(int, char**) { return sc_core::sc_time_stamp().value() != 0; }
#endif
]])
  try_compile(_fredsim_links ${folder} ${folder}/check.cpp
              LINK_LIBRARIES ${target}
              CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
              OUTPUT_VARIABLE said)
  set(${result} ${_fredsim_links} PARENT_SCOPE)
  set(${output} "${said}" PARENT_SCOPE)
  unset(_fredsim_links CACHE)
endfunction()

# fredsim_check_systemc(STANDARD TARGET): sets FREDSIM_SYSTEMC_LINKS and FREDSIM_SYSTEMC_OUTPUT by trying, which takes
# seconds, so that it worked is kept until what it depends on changes.
function(fredsim_check_systemc standard target)
  set(checked "${FREDSIM_SYSTEMC_ORIGIN}, links with C++${standard}")
  set(FREDSIM_SYSTEMC_LINKS TRUE PARENT_SCOPE)
  if(FREDSIM_SYSTEMC_CHECKED STREQUAL "${checked} ${target} ${CMAKE_CURRENT_LIST_DIR}")
    return()
  endif()
  fredsim_try_systemc(${standard} ${target} links said)
  set(FREDSIM_SYSTEMC_LINKS ${links} PARENT_SCOPE)
  set(FREDSIM_SYSTEMC_OUTPUT "${said}" PARENT_SCOPE)
  if(links)
    message(STATUS "SystemC: ${checked}")
    set(FREDSIM_SYSTEMC_CHECKED "${checked} ${target} ${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "SystemC that was found to link")
  endif()
endfunction()
