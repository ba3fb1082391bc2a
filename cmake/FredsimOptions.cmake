# Language level, warnings and sanitizers for every target of the project.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Debian's libsystemc is built for C++17 and exports a symbol that names the language level it was built for, so a
# program of another level does not link. FredsimSystemC checks this and explains it; a SystemC built for C++20 needs
# -DCMAKE_CXX_STANDARD=20.
if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
elseif(NOT CMAKE_CXX_STANDARD MATCHES "^(17|20|23)$")
  message(FATAL_ERROR "CMAKE_CXX_STANDARD is ${CMAKE_CXX_STANDARD}; fredsim needs 17, 20 or 23")
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# No fused multiply-add and no other change of rounding: results are the same bytes with every compiler.
add_compile_options(-ffp-contract=off)
add_compile_definitions(SC_INCLUDE_DYNAMIC_PROCESSES)

if(PROJECT_IS_TOP_LEVEL)
  option(BUILD_TESTING "Build the tests" ON)
else()
  set(BUILD_TESTING OFF)  # that is the other project's
endif()
set(FREDSIM_TEST_FLAGS "" CACHE STRING "Compile options of the tests alone, such as -O1 for a quicker build")
option(FREDSIM_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(FREDSIM_WERROR "Treat warnings in fredsim's own code as errors" ${PROJECT_IS_TOP_LEVEL})

if(FREDSIM_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
  # Stacks of SC_THREADs come and go behind the sanitizer's back: an exception then meets stale marks on a stack and is
  # reported as an overflow. Heap, globals and undefined behaviour are watched as ever.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's documentation of -fsanitize: instrumented code makes this warning speak of variables that are initialized,
    # here inside <regex>. The builds without sanitizers keep it.
    add_compile_options(--param=asan-stack=0 -Wno-maybe-uninitialized)
  else()
    add_compile_options("SHELL:-mllvm -asan-stack=0")
  endif()
endif()
