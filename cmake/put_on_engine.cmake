# What the linker has made of a program becomes PROGRAM.so, beside a link to the engine file and librondo_start.so.
# Arguments (-D): program, engine, start, binder.
execute_process(COMMAND ${binder} ${program} ${engine} COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${program} ${program}.so)
file(CREATE_LINK ${engine} ${program} COPY_ON_ERROR)
cmake_path(GET program PARENT_PATH folder)
cmake_path(GET start FILENAME name)
if(NOT start STREQUAL "${folder}/${name}")
  file(COPY_FILE ${start} ${folder}/${name} ONLY_IF_DIFFERENT)
endif()
