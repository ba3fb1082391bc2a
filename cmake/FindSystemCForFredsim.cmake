# Finds SystemC, in this order: a SystemCLanguage CMake package, SYSTEMC_HOME, pkg-config. Then compiles and links a
# small program, because a SystemC library built for another C++ standard fails only at link time and unreadably.
# Defines fredsim_systemc (interface target) and fredsim_pch (the shared precompiled header).
add_library(fredsim_systemc INTERFACE)

find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
  set(_systemc_origin "CMake package SystemCLanguage in ${SystemCLanguage_DIR}")
  target_link_libraries(fredsim_systemc INTERFACE SystemC::systemc)
elseif(DEFINED ENV{SYSTEMC_HOME} OR SYSTEMC_HOME)
  if(NOT SYSTEMC_HOME)
    set(SYSTEMC_HOME $ENV{SYSTEMC_HOME})
  endif()
  set(_systemc_origin "SYSTEMC_HOME=${SYSTEMC_HOME}")
  find_library(FREDSIM_SYSTEMC_LIBRARY systemc PATHS ${SYSTEMC_HOME} PATH_SUFFIXES lib lib-linux64 lib64 NO_DEFAULT_PATH)
  if(NOT FREDSIM_SYSTEMC_LIBRARY OR NOT EXISTS ${SYSTEMC_HOME}/include/systemc)
    message(FATAL_ERROR "SYSTEMC_HOME is ${SYSTEMC_HOME}, but include/systemc or libsystemc is not below it")
  endif()
  target_include_directories(fredsim_systemc SYSTEM INTERFACE ${SYSTEMC_HOME}/include)
  target_link_libraries(fredsim_systemc INTERFACE ${FREDSIM_SYSTEMC_LIBRARY})
else()
  if(NOT PkgConfig_FOUND)
    message(FATAL_ERROR "fredsim finds SystemC with pkg-config. On Debian: apt-get install pkg-config libsystemc-dev; "
                        "elsewhere set SYSTEMC_HOME to where SystemC is installed")
  endif()
  pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
  if(NOT SYSTEMC_FOUND)
    message(FATAL_ERROR "SystemC was not found. On Debian: apt-get install libsystemc-dev; "
                        "elsewhere set SYSTEMC_HOME to where SystemC is installed")
  endif()
  set(_systemc_origin "pkg-config systemc ${SYSTEMC_VERSION}")
  target_link_libraries(fredsim_systemc INTERFACE PkgConfig::SYSTEMC)
endif()
target_link_libraries(fredsim_systemc INTERFACE Threads::Threads)

if(NOT FREDSIM_SYSTEMC_LINKS)
  file(WRITE ${CMAKE_BINARY_DIR}/systemc_check/check.cpp
       "#include <systemc>\n#include <tlm>\nint sc_main(int, char**) { return sc_core::sc_time_stamp().value() != 0; }\n")
  get_target_property(_links fredsim_systemc INTERFACE_LINK_LIBRARIES)
  get_target_property(_includes fredsim_systemc INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT _includes)
    set(_includes "")
  endif()
  try_compile(FREDSIM_SYSTEMC_LINKS ${CMAKE_BINARY_DIR}/systemc_check ${CMAKE_BINARY_DIR}/systemc_check/check.cpp
              CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${_includes}"
              LINK_LIBRARIES ${_links}
              CXX_STANDARD ${CMAKE_CXX_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
              OUTPUT_VARIABLE _systemc_output)
  if(NOT FREDSIM_SYSTEMC_LINKS)
    message(FATAL_ERROR
      "SystemC (${_systemc_origin}) does not compile or link with -std=c++${CMAKE_CXX_STANDARD}.\n"
      "If the output below names sc_api_version_..._cxx20XXXXL, that library was built for another C++ standard: "
      "rebuild SystemC with -DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD}, or install Debian's libsystemc-dev 2.3.4 "
      "(built for C++17) and unset SYSTEMC_HOME.\n${_systemc_output}")
  endif()
  message(STATUS "SystemC: ${_systemc_origin}, links with C++${CMAKE_CXX_STANDARD}")
endif()

file(WRITE ${CMAKE_BINARY_DIR}/pch/fredsim_pch.cpp "")
add_library(fredsim_pch STATIC ${CMAKE_BINARY_DIR}/pch/fredsim_pch.cpp)
target_link_libraries(fredsim_pch PUBLIC fredsim_systemc)
fredsim_compile_options(fredsim_pch)
target_precompile_headers(fredsim_pch PRIVATE <algorithm> <array> <cstdint> <functional> <memory> <optional> <string>
                          <vector> <systemc> <tlm>)
