# SPDX-License-Identifier: Apache-2.0
# What is installed where, and the packages made from it (`./dev package`).
#
# Component `programs`: what users run, with manual pages, completion, pages of operations, examples, menu entry and MIME types.
# Component `development`: headers, libraries and HLOscopeConfig.cmake for find_package(HLOscope).
include_guard()

set(HLOSCOPE_INSTALLED_PROGRAMS hloscope hloscope-lsp hloscope-dap)
if(HLOSCOPE_GUI)
  list(APPEND HLOSCOPE_INSTALLED_PROGRAMS hloscope-gui hloscope-graph-layout)
endif()

# --- Programs ---

install(TARGETS ${HLOSCOPE_INSTALLED_PROGRAMS} RUNTIME DESTINATION bin COMPONENT programs)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/ops ${PROJECT_SOURCE_DIR}/resources/diagnostics
                  ${PROJECT_SOURCE_DIR}/resources/devices ${PROJECT_SOURCE_DIR}/resources/examples
        DESTINATION share/hloscope/resources COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/python/hloscope.py DESTINATION lib/python3/dist-packages COMPONENT programs)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lsp/editors DESTINATION share/hloscope COMPONENT programs)
install(FILES ${CMAKE_BINARY_DIR}/share/hloscope/hlo.tmLanguage.json DESTINATION share/hloscope COMPONENT programs)
set(desktop ${PROJECT_SOURCE_DIR}/resources/desktop)
install(FILES ${desktop}/hloscope.xml DESTINATION share/mime/packages COMPONENT programs)
if(HLOSCOPE_GUI)
  install(FILES ${desktop}/hloscope-gui.desktop DESTINATION share/applications COMPONENT programs)
  install(FILES ${desktop}/hloscope.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT programs)
endif()

# Manual pages and completion come from the programs themselves.
list(TRANSFORM HLOSCOPE_INSTALLED_PROGRAMS REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE program_files)
install(CODE "set(PROGRAMS \"${program_files}\")
set(SOURCE \"${PROJECT_SOURCE_DIR}\")
set(VERSION \"${PROJECT_VERSION}\")" COMPONENT programs)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_texts.cmake COMPONENT programs)

# --- Libraries ---

set(package_folder lib/cmake/HLOscope)
install(TARGETS hloscope_core hloscope_evaluator ARCHIVE DESTINATION lib COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/numerics ${PROJECT_SOURCE_DIR}/evaluator
        DESTINATION include/hloscope COMPONENT development
        FILES_MATCHING PATTERN *.h PATTERN *.def)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cmake/HLOscopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/HLOscopeConfig.cmake ${CMAKE_BINARY_DIR}/cmake/HLOscopeConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT development)

# --- Debian packages: hloscope and hloscope-dev ---

foreach(component_package "programs hloscope" "development hloscope-dev")
  separate_arguments(component_package)
  list(GET component_package 0 component)
  list(GET component_package 1 package)
  install(CODE "set(PACKAGE ${package})
set(SOURCE \"${PROJECT_SOURCE_DIR}\")
set(VERSION \"${PROJECT_VERSION}\")" COMPONENT ${component})
  install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_debian_documents.cmake COMPONENT ${component})
endforeach()

# Packing does not build tests: `./dev package` has built what is packed.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hloscope)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "HLOscope maintainers <maintainers@hloscope.invalid>")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME hloscope)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
# What the libraries do not show: hloscope.py.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "python3:any")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "fonts-dejavu-core, g++, make")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "graphviz, librsvg2-bin")
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION "look into, step through and edit XLA HLO modules
Command, language server, debug adapter and app for the graphs that
machine-learning compilers work on: diagnostics while you type, evaluation one
instruction at a time in both directions, values, layouts and costs.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME hloscope-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libabsl-dev, libminizip-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "libraries to parse, check and evaluate XLA HLO modules
Static libraries, headers and a CMake package, for C++20 programs that read HLO
text, verify it and compute its values.")
include(CPack)
