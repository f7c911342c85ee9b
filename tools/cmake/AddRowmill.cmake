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


# rowmill_add_doc(<td file> <output> <mlir-tblgen arguments>...)
# A reference page docs/<output> of the build folder, written by `rowmill-doc`.
function(rowmill_add_doc td output)
  if(NOT TARGET rowmill-doc)
    add_custom_target(rowmill-doc)
  endif()
  set(page ${PROJECT_BINARY_DIR}/docs/${output})
  get_filename_component(folder ${page} DIRECTORY)
  string(REPLACE "/" "-" name ${output})
  set(LLVM_TARGET_DEFINITIONS ${td})
  tablegen(MLIR ${name} ${ARGN})
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/${name} ${page}
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_target(doc-${name} DEPENDS ${page})
  add_dependencies(rowmill-doc doc-${name})
endfunction()
