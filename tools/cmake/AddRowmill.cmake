# rowmill_add_library(<name> <sources>... [DEPENDS <targets>...] [LINK <libs>...])
# A static library of this project; DEPENDS names TableGen targets to wait for.
function(rowmill_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# rowmill_add_tool(<name> <sources>... [LINK <libs>...])
# A command line tool in build/bin.
function(rowmill_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
endfunction()

