# Programs on the engine: rondo_add_executable(app main.cpp) builds an ordinary `int main()` that can use
# rondo::runtime. Included by our own build and, installed, by find_package(rondo COMPONENTS runtime).
#
# V8 is in the engine file (src/engine/README.md), an executable that runs the shared object of its own name with
# ".so" appended. So a program APP is three files in a folder: APP, a hard link to the engine file; APP.so, the
# program; and librondo_start.so, which brings them together. To CMake, APP is an executable as any other.
#
# V8's addresses are in the program (bind_program): it runs on the engine file that it was built for only.
#
# Expects RONDO_ENGINE_FILE, RONDO_ENGINE_START (librondo_start.so) and RONDO_ENGINE_BINDER (bind_program).

set(RONDO_ENGINE_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

function(rondo_add_executable name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE rondo::runtime)
  rondo_put_on_engine(${name})
endfunction()

# Makes a program on the engine of a target that add_executable() has defined.
function(rondo_put_on_engine name)
  set_target_properties(${name} PROPERTIES
    RONDO_ON_ENGINE ON
    POSITION_INDEPENDENT_CODE OFF)  # which would be -fPIE
  # No symbol is for others. thread_local variables are at a fixed distance from the thread pointer; glibc keeps some
  # hundred bytes for those of libraries that are loaded later, as the program is.
  target_compile_options(${name} PRIVATE -fPIC -ftls-model=initial-exec -fno-semantic-interposition)
  set(exports ${RONDO_ENGINE_CMAKE_DIR}/program.map)
  # main() may be in a static library.
  target_link_options(${name} PRIVATE -shared -Wl,--undefined=main -Wl,-Bsymbolic -Wl,--version-script=${exports})
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS
    ${exports} ${RONDO_ENGINE_FILE} ${RONDO_ENGINE_START} ${RONDO_ENGINE_BINDER})
  # The linker must not write into the file that the last build has linked here.
  add_custom_command(TARGET ${name} PRE_LINK COMMAND ${CMAKE_COMMAND} -E rm -f $<TARGET_FILE:${name}> VERBATIM)
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -D program=$<TARGET_FILE:${name}> -D engine=${RONDO_ENGINE_FILE}
            -D start=${RONDO_ENGINE_START} -D binder=${RONDO_ENGINE_BINDER} -P ${RONDO_ENGINE_CMAKE_DIR}/put_on_engine.cmake
    VERBATIM)
endfunction()

# Installs a program of rondo_add_executable(): bin/APP, and the rest in lib/rondo.
function(rondo_install_executable name)
  install(PROGRAMS $<TARGET_FILE:${name}> DESTINATION bin)
  install(FILES $<TARGET_FILE:${name}>.so ${RONDO_ENGINE_START} DESTINATION lib/rondo)
endfunction()
