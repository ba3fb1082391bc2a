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
  find_library(_systemc_library systemc PATHS ${SYSTEMC_HOME} PATH_SUFFIXES lib lib-linux64 lib64 NO_DEFAULT_PATH NO_CACHE)
  if(NOT _systemc_library OR NOT EXISTS ${SYSTEMC_HOME}/include/systemc)
    message(FATAL_ERROR "SYSTEMC_HOME is ${SYSTEMC_HOME}, but there is no include/systemc or no lib/libsystemc in it. "
                        "Set it to where SystemC is installed, or unset it and on Debian: apt-get install libsystemc-dev")
  endif()
  target_include_directories(fredsim_systemc SYSTEM INTERFACE ${SYSTEMC_HOME}/include)
  target_link_libraries(fredsim_systemc INTERFACE ${_systemc_library})
else()
  if(NOT PkgConfig_FOUND)
    message(FATAL_ERROR "fredsim finds SystemC with pkg-config, which was not found. On Debian: apt-get install "
                        "pkg-config libsystemc-dev; elsewhere set SYSTEMC_HOME to where SystemC is installed")
  endif()
  pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
  if(NOT SYSTEMC_FOUND)
    message(FATAL_ERROR "fredsim needs SystemC, which was not found. On Debian: apt-get install libsystemc-dev; "
                        "elsewhere set SYSTEMC_HOME to where SystemC is installed")
  endif()
  set(_systemc_origin "pkg-config systemc ${SYSTEMC_VERSION}")
  target_link_libraries(fredsim_systemc INTERFACE PkgConfig::SYSTEMC)
endif()
target_link_libraries(fredsim_systemc INTERFACE Threads::Threads)

# Sets RESULT in the caller: whether a program of this C++ standard links with SystemC; OUTPUT is what the tools said.
function(fredsim_systemc_links standard result output)
  set(folder ${CMAKE_BINARY_DIR}/systemc_check)
  file(WRITE ${folder}/check.cpp
       "#include <systemc>\n#include <tlm>\nint sc_main(int, char**) { return sc_core::sc_time_stamp().value() != 0; }\n")
  get_target_property(links fredsim_systemc INTERFACE_LINK_LIBRARIES)
  get_target_property(includes fredsim_systemc INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT includes)
    set(includes "")
  endif()
  try_compile(_fredsim_links ${folder} ${folder}/check.cpp
              CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${includes}"
              LINK_LIBRARIES ${links}
              CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
              OUTPUT_VARIABLE said)
  set(${result} ${_fredsim_links} PARENT_SCOPE)
  set(${output} "${said}" PARENT_SCOPE)
  unset(_fredsim_links CACHE)
endfunction()

# The check takes seconds, so what it found is kept until what it depends on changes.
set(_systemc_checked "${_systemc_origin}, links with C++${CMAKE_CXX_STANDARD}")
if(NOT FREDSIM_SYSTEMC_CHECKED STREQUAL _systemc_checked)
  fredsim_systemc_links(${CMAKE_CXX_STANDARD} _systemc_links _systemc_output)
  if(NOT _systemc_links)
    set(_systemc_advice "It does not link with C++17 or C++20 either: see the tools' output below.")
    foreach(_standard 20 17)
      fredsim_systemc_links(${_standard} _links _ignored)
      if(_links)
        set(_systemc_advice
            "It was built for C++${_standard}: configure fredsim with -DCMAKE_CXX_STANDARD=${_standard}, or rebuild "
            "SystemC with -DCMAKE_CXX_STANDARD=${CMAKE_CXX_STANDARD}.")
        string(CONCAT _systemc_advice ${_systemc_advice})
      endif()
    endforeach()
    message(FATAL_ERROR "SystemC (${_systemc_origin}) does not link with C++${CMAKE_CXX_STANDARD}.\n"
                        "${_systemc_advice}\n${_systemc_output}")
  endif()
  message(STATUS "SystemC: ${_systemc_checked}")
  set(FREDSIM_SYSTEMC_CHECKED "${_systemc_checked}" CACHE INTERNAL "SystemC that was found to link")
endif()

file(WRITE ${CMAKE_BINARY_DIR}/pch/fredsim_pch.cpp "")
add_library(fredsim_pch STATIC ${CMAKE_BINARY_DIR}/pch/fredsim_pch.cpp)
target_link_libraries(fredsim_pch PUBLIC fredsim_systemc)
fredsim_compile_options(fredsim_pch)
target_precompile_headers(fredsim_pch PRIVATE <algorithm> <array> <cstdint> <functional> <memory> <optional> <string>
                          <vector> <systemc> <tlm>)
