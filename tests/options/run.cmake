# Compiles options.cpp with one compiler and one level of optimisation, and runs it on each backend.
# Arguments (-D): cxx, level, backends, library, include, work_dir.

find_program(compiler ${cxx})
if(NOT compiler)
  message(FATAL_ERROR "${cxx} is not installed: scripts/setup.sh does that")
endif()
file(MAKE_DIRECTORY ${work_dir})
set(here ${CMAKE_CURRENT_LIST_DIR})
set(flags -std=c++23 ${level} -Wall -Wextra -I${include})

# Clang looks at [[nodiscard]] after co_await too; g++ 12 does not.
if(cxx MATCHES clang)
  execute_process(COMMAND ${compiler} ${flags} -fsyntax-only ${here}/ignored.cpp ERROR_VARIABLE warnings RESULT_VARIABLE failed)
  file(STRINGS ${here}/ignored.cpp expected REGEX "// warns$")
  list(LENGTH expected expected)
  string(REGEX MATCHALL "\\[-Wunused-(result|value)\\]" found "${warnings}")
  list(LENGTH found found)
  if(failed OR NOT found EQUAL expected)
    message(FATAL_ERROR "${found} warnings, expected ${expected}:\n${warnings}")
  endif()
endif()

# The sanitizers of clang are in a package of its own, and clang has not got the faults.
if(NOT cxx MATCHES clang)
  list(APPEND flags -fsanitize=address,undefined -fno-sanitize-recover=all)
endif()
execute_process(COMMAND ${compiler} ${flags} ${here}/options.cpp ${library} -lcares -pthread -o ${work_dir}/options
  ERROR_VARIABLE output RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "options.cpp does not compile:\n${output}")
endif()
foreach(backend IN LISTS backends)
  set(ENV{RONDO_BACKEND} ${backend})
  execute_process(COMMAND ${work_dir}/options OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
  if(failed OR NOT output STREQUAL "all of them\n")
    message(FATAL_ERROR "options on ${backend} (${failed}):\n${output}")
  endif()
endforeach()
