# Finds Debian's LLVM, MLIR and LLD 22.1 and says what to install when one is missing.

set(ROWMILL_LLVM_MAJOR 22)

function(rowmill_missing package what)
  message(FATAL_ERROR "rowmill: ${what} not found; install the Debian package "
                      "'${package}' (see the set-up script tools/setup)")
endfunction()

# `find_package(MLIR 22)` would refuse 22.1: the version file wants an exact
# minor, so the major is checked here instead.
set(prefix /usr/lib/llvm-${ROWMILL_LLVM_MAJOR})
find_package(LLVM CONFIG QUIET HINTS ${prefix}/lib/cmake/llvm)
if(NOT LLVM_FOUND)
  rowmill_missing(llvm-${ROWMILL_LLVM_MAJOR}-dev "LLVM")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL ROWMILL_LLVM_MAJOR)
  message(FATAL_ERROR "rowmill: needs LLVM ${ROWMILL_LLVM_MAJOR}, but found "
                      "${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
endif()
find_package(MLIR CONFIG QUIET HINTS ${prefix}/lib/cmake/mlir)
if(NOT MLIR_FOUND)
  rowmill_missing(libmlir-${ROWMILL_LLVM_MAJOR}-dev "MLIR")
endif()
find_package(LLD CONFIG QUIET HINTS ${prefix}/lib/cmake/lld)
if(NOT LLD_FOUND)
  rowmill_missing(liblld-${ROWMILL_LLVM_MAJOR}-dev "LLD")
endif()
if(NOT EXISTS ${LLVM_TOOLS_BINARY_DIR}/mlir-tblgen)
  rowmill_missing(mlir-${ROWMILL_LLVM_MAJOR}-tools "mlir-tblgen")
endif()
set(MLIR_TABLEGEN_EXE ${LLVM_TOOLS_BINARY_DIR}/mlir-tblgen)

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
# Debian's definitions repeat one that the compiler sets itself.
list(FILTER definitions EXCLUDE REGEX "_GLIBCXX_USE_CXX11_ABI")
add_definitions(${definitions})

# Debian's LLVM is built without exceptions and with RTTI; a mixture would fail
# to link. The Python binding switches exceptions on for itself.
add_compile_options(-fno-exceptions -Wall -Wextra -Wno-unused-parameter)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(LLD_LINKER NAMES ld.lld-${ROWMILL_LLVM_MAJOR} ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR})
if(LLD_LINKER)
  add_link_options(--ld-path=${LLD_LINKER})
endif()

if(ROWMILL_SANITIZE)
  list(JOIN ROWMILL_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize=vptr)
  add_link_options(-fsanitize=${sanitizers})
endif()
