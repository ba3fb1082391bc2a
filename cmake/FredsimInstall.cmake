# Installation: the program, the libraries with their headers, ready configurations and sample traces, and the CMake
# package fredsim, which finds what they need. Nothing installed names a folder of this machine, so that a prefix can be
# moved. Targets have the same names when fredsim is a part of another project: fredsim::fredsim and the finer ones, and
# fredsim::program.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
option(FREDSIM_INSTALL "Have cmake --install install fredsim" ${PROJECT_IS_TOP_LEVEL})
set(_fredsim_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fredsim)

# fredsim_public_library(NAME [HEADERS]): NAME is part of the package, as fredsim::NAME without its prefix; HEADERS: with
# the headers of its folder.
function(fredsim_public_library name)
  string(REGEX REPLACE "^fredsim_" "" short ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
  add_library(fredsim::${short} ALIAS ${name})
  if(NOT FREDSIM_INSTALL)
    return()
  endif()
  install(TARGETS ${name} EXPORT fredsim ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/fredsim)
  if(HEADERS IN_LIST ARGN)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
    install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fredsim/${folder})
  endif()
endfunction()

# fredsim_install(): all else, when the targets exist.
function(fredsim_install)
  add_executable(fredsim::program ALIAS fredsim)
  if(NOT FREDSIM_INSTALL)
    return()
  endif()
  # A SystemC in a place of its own is found by the program too.
  set_target_properties(fredsim PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON EXPORT_NAME program)
  install(TARGETS fredsim EXPORT fredsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY tb/configs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fredsim/configs FILES_MATCHING PATTERN "*.yaml")
  install(DIRECTORY traces/samples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fredsim/samples
          FILES_MATCHING PATTERN "*.jsonl")
  install(DIRECTORY traces/chakra/example/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fredsim/samples/chakra
          FILES_MATCHING PATTERN "*.et")

  install(EXPORT fredsim NAMESPACE fredsim:: FILE fredsimTargets.cmake DESTINATION ${_fredsim_package_dir})
  set(data_dir ${CMAKE_INSTALL_DATADIR}/fredsim)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/fredsimConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/package/fredsimConfig.cmake
                                INSTALL_DESTINATION ${_fredsim_package_dir} PATH_VARS data_dir
                                NO_CHECK_REQUIRED_COMPONENTS_MACRO)
  # Before version 1 a new minor version may change anything.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/fredsimConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/package/fredsimConfig.cmake
                ${PROJECT_BINARY_DIR}/package/fredsimConfigVersion.cmake
                cmake/FredsimLinkDependencies.cmake cmake/FredsimSystemC.cmake
          DESTINATION ${_fredsim_package_dir})
endfunction()
