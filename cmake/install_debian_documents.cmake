# SPDX-License-Identifier: Apache-2.0
# Runs at installation: the documents that Debian wants of each package. PACKAGE, SOURCE and VERSION are set before.
include(${CMAKE_CURRENT_LIST_DIR}/installed_text.cmake)

# CHANGELOG.md as Debian writes it: the heading `## VERSION, DAY MONTH YEAR` of each release.
file(READ ${SOURCE}/CHANGELOG.md changes)
string(REGEX MATCH "\n## ${VERSION}, ([^\n]+)\n" heading "${changes}")
if(NOT heading)
  message(FATAL_ERROR "CHANGELOG.md has no heading `## ${VERSION}, DATE`")
endif()
execute_process(COMMAND date -R -u -d "${CMAKE_MATCH_1}" OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
write_compressed(share/doc/${PACKAGE} changelog
  "hloscope (${VERSION}) stable; urgency=medium\n\n  * See CHANGELOG.md of hloscope.\n\n -- HLOscope maintainers <maintainers@hloscope.invalid>  ${date}\n")
file(READ ${SOURCE}/cmake/copyright copyright)
write_text(share/doc/${PACKAGE} copyright "${copyright}")
