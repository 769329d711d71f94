# Installs the build into an empty prefix and builds a foreign project on it, with find_package and with pkg-config.
# Arguments (-D): build_dir, work_dir, generator, cxx.

set(prefix ${work_dir}/prefix)
set(expected "the theme returns\n")

# Runs a command; what it printed is in `output`, and a failure ends the test.
macro(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "failed (${result}): ${ARGV}\n${output}")
  endif()
endmacro()

function(check_program program)
  run(${program} ${ARGN})
  if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${program} printed:\n${output}\nexpected:\n${expected}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work_dir})
run(${CMAKE_COMMAND} --install ${build_dir} --prefix ${prefix})

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work_dir}/build -G ${generator}
  -D CMAKE_CXX_COMPILER=${cxx} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work_dir}/build)
check_program(${work_dir}/build/consumer)
check_program(${work_dir}/build/shared_consumer)
check_program(${work_dir}/build/lens_consumer)
check_program(${work_dir}/build/shared_lens_consumer)
check_program(${work_dir}/build/http_consumer)
check_program(${work_dir}/build/tls_consumer)
check_program(${work_dir}/build/plugin_host ${work_dir}/build/libplugin.so)

# The shared libraries have names that change with the binary interface, and export rondo alone.
foreach(name librondo librondo_lens)
  file(GLOB shared ${prefix}/lib*/${name}.so ${prefix}/lib/*/${name}.so)
  run(readelf --dynamic ${shared})
  if(NOT output MATCHES "soname: \\[${name}\\.so\\.[0-9]+\\.[0-9]+\\]")
    message(FATAL_ERROR "${name}.so has no SONAME with a version:\n${output}")
  endif()
  run(nm --dynamic --defined-only --demangle ${shared})
  string(REGEX REPLACE "[^\n]* rondo::[^\n]*|[^\n]* [A-Za-z -]+ (for|to) rondo::[^\n]*" "" foreign "${output}")
  string(STRIP "${foreign}" foreign)
  if(foreign)
    message(FATAL_ERROR "${name}.so exports what is not of rondo:\n${foreign}")
  endif()
endforeach()

# With the runtime: the command, which finds its library wherever the prefix has been moved to, and programs that
# embed it.
if(EXISTS ${prefix}/bin/rondo)
  check_program(${work_dir}/build/embedding_consumer)
  check_program(${work_dir}/build/second_consumer)
  run(stat --format %i ${work_dir}/build/embedding_consumer ${work_dir}/build/second_consumer ${prefix}/bin/rondo)
  string(REGEX MATCHALL "[0-9]+" inodes "${output}")
  list(REMOVE_DUPLICATES inodes)
  list(LENGTH inodes count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "the programs do not share the engine file: ${inodes}")
  endif()
  # Installed itself, and moved, the program needs nothing of the folders where it was built.
  run(${CMAKE_COMMAND} --install ${work_dir}/build --prefix ${work_dir}/installed)
  file(RENAME ${work_dir}/installed ${work_dir}/installed-moved)
  file(RENAME ${prefix} ${prefix}-moved)
  check_program(${work_dir}/installed-moved/bin/embedding_consumer)
  check_program(${prefix}-moved/bin/rondo -e "setTimeout(console.log, 1, 'the theme returns')")
  file(RENAME ${prefix}-moved ${prefix})
endif()

# And without CMake. Only a shared library has to be found at run time as well.
file(GLOB_RECURSE pcs ${prefix}/*/rondo.pc ${prefix}/*/rondo-shared.pc)
cmake_path(GET shared PARENT_PATH shared_dir)
set(ENV{LD_LIBRARY_PATH} ${shared_dir})
foreach(pc IN LISTS pcs)
  cmake_path(GET pc STEM name)
  run(pkg-config --cflags --libs ${pc})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${cxx} -std=c++23 ${CMAKE_CURRENT_LIST_DIR}/main.cpp -o ${work_dir}/by_pkg_config_${name} ${flags})
  check_program(${work_dir}/by_pkg_config_${name})
endforeach()

# The parts that are asked for by name, with the packages that they need in turn.
set(ENV{PKG_CONFIG_PATH} ${shared_dir}/pkgconfig)
foreach(part lens http tls)
  run(pkg-config --cflags --libs --static rondo-${part})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${cxx} -std=c++23 ${CMAKE_CURRENT_LIST_DIR}/${part}.cpp -o ${work_dir}/by_pkg_config_${part} ${flags})
  check_program(${work_dir}/by_pkg_config_${part})
endforeach()
