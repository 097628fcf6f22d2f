# SPDX-License-Identifier: Apache-2.0
# Runs at installation: manual pages and completion scripts, made by the programs, and documents. PROGRAMS, SOURCE and
# VERSION are set before.

function(run_for_text variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/installed_text.cmake)

# A page around the help text of a program that has no tables of options.
function(write_help_page program name summary)
  run_for_text(help ${program} --help)
  string(REPLACE "\\" "\\e" help "${help}")
  string(REPLACE "-" "\\-" help "${help}")
  string(REPLACE "-" "\\-" dashed "${name}")
  string(TOUPPER "${dashed}" title)
  write_compressed(share/man/man1 ${name}.1
    ".TH ${title} 1 \"\" \"HLOscope ${VERSION}\" \"User Commands\"\n.SH NAME\n${dashed} \\- ${summary}\n.SH SYNOPSIS\n.B ${dashed}\n.SH DESCRIPTION\n.nf\n${help}.fi\n.SH SEE ALSO\n.BR hloscope (1)\n")
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()

foreach(program IN LISTS PROGRAMS)
  get_filename_component(name ${program} NAME)
  if(name STREQUAL "hloscope")
    run_for_text(page ${program} help --man)
    write_compressed(share/man/man1 hloscope.1 "${page}")
    run_for_text(help ${program} --help)
    string(REGEX MATCH "\ncommands:\n(.*)\n\n`" commands "${help}")
    string(REGEX MATCHALL "\n  [a-z][a-z-]*" commands "\n${CMAKE_MATCH_1}")
    foreach(command IN LISTS commands)
      string(STRIP "${command}" command)
      run_for_text(page ${program} help --man ${command})
      write_compressed(share/man/man1 hloscope-${command}.1 "${page}")
    endforeach()
    run_for_text(script ${program} completion bash)
    write_text(share/bash-completion/completions hloscope "${script}")
    run_for_text(script ${program} completion zsh)
    write_text(share/zsh/vendor-completions _hloscope "${script}")
    run_for_text(script ${program} completion fish)
    write_text(share/fish/vendor_completions.d hloscope.fish "${script}")
  elseif(name STREQUAL "hloscope-lsp")
    write_help_page(${program} ${name} "language server for XLA HLO modules")
  elseif(name STREQUAL "hloscope-dap")
    write_help_page(${program} ${name} "debug adapter for XLA HLO modules")
  elseif(name STREQUAL "hloscope-graph-layout")
    write_compressed(share/man/man1 hloscope-graph-layout.1
      ".TH HLOSCOPE\\-GRAPH\\-LAYOUT 1 \"\" \"HLOscope ${VERSION}\" \"User Commands\"\n.SH NAME\nhloscope\\-graph\\-layout \\- lay out a graph for hloscope\\-gui\n.SH DESCRIPTION\n.B hloscope\\-gui\nruns this program; it reads a graph from its standard input.\n.SH SEE ALSO\n.BR hloscope\\-gui (1)\n")
  elseif(name STREQUAL "hloscope-gui")
    file(READ ${SOURCE}/resources/desktop/hloscope-gui.1 page)
    write_compressed(share/man/man1 hloscope-gui.1 "${page}")
  endif()
endforeach()

file(READ ${SOURCE}/CHANGELOG.md changes)
write_compressed(share/doc/hloscope CHANGELOG.md "${changes}")
file(READ ${SOURCE}/THIRD_PARTY.md notices)
write_text(share/doc/hloscope THIRD_PARTY.md "${notices}")

# Statically linked libraries make short commands start in 2 ms instead of 8 (cmake/Libraries.cmake).
write_text(share/lintian/overrides hloscope "hloscope: embedded-library zlib *\n")
