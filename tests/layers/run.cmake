# A source file of a layer, compiled as those of the layer are: it finds each header that the layer may use, and includes
# one that it may not in vain. Arguments (-D): layer, table, cxx, work_dir.
include(${table})
set(flags -std=c++23)
foreach(include IN LISTS includes)
  list(APPEND flags -I${include})
endforeach()

# Whether a source file of the layer compiles; `output` is what the compiler said.
macro(try_compile_text text)
  file(WRITE ${work_dir}/${layer}.cpp "${text}")
  execute_process(COMMAND ${cxx} ${flags} -fsyntax-only ${work_dir}/${layer}.cpp
    ERROR_VARIABLE output RESULT_VARIABLE failed)
endmacro()

set(text "")
foreach(header IN LISTS visible)
  string(APPEND text "#if !__has_include(\"${header}\")\n#error ${layer} has to see ${header}\n#endif\n")
endforeach()
foreach(header IN LISTS hidden)
  string(APPEND text "#if __has_include(\"${header}\")\n#error ${layer} must not see ${header}\n#endif\n")
endforeach()
try_compile_text("${text}")
if(failed)
  message(FATAL_ERROR "${output}")
endif()

# The attempt itself. (A layer that sees all the others has none to make.)
if(hidden)
  list(GET hidden 0 header)
  try_compile_text("#include \"${header}\"\n")
  if(NOT failed)
    message(FATAL_ERROR "${layer} could include ${header}")
  endif()
  string(FIND "${output}" "${header}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${layer} failed to include ${header} for another reason:\n${output}")
  endif()
endif()
