# Finds V8 and defines V8::V8. It is Debian's, of libnode-dev: installed, or unpacked into build/v8 by
# scripts/fetch_v8.sh. What is linked is a private copy of its library that starts faster (bind_within.cpp);
# it lies in <build>/lib, and programs find it from there or, installed, in the library folder of rondo.
find_library(V8_LIBRARY NAMES node NO_DEFAULT_PATH HINTS / ${PROJECT_SOURCE_DIR}/build/v8
  PATH_SUFFIXES usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} usr/lib)
# Beside it: other packages of Node have headers of V8 as well, of another version.
# The whole of them: in include/node some are left out.
string(REGEX REPLACE "/usr/lib/.*" "/usr/include/nodejs/deps/v8/include" v8_headers "${V8_LIBRARY}")
find_path(V8_HEADERS v8-fast-api-calls.h NO_DEFAULT_PATH HINTS ${v8_headers})

if(V8_HEADERS)
  file(STRINGS ${V8_HEADERS}/v8-version.h lines REGEX "define V8_(MAJOR_VERSION|MINOR_VERSION|BUILD_NUMBER)")
  string(REGEX REPLACE "[^0-9]*V8[^0-9]*([0-9]+)" "\\1;" numbers "${lines}")
  list(FILTER numbers EXCLUDE REGEX "^$")
  list(JOIN numbers "." V8_VERSION)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(V8 REQUIRED_VARS V8_LIBRARY V8_HEADERS VERSION_VAR V8_VERSION)

if(V8_FOUND AND NOT TARGET V8::V8)
  file(REAL_PATH ${V8_LIBRARY} v8_file)
  cmake_path(GET v8_file FILENAME v8_name)
  set(v8_bound ${PROJECT_BINARY_DIR}/lib/${v8_name})
  add_executable(bind_within ${CMAKE_CURRENT_LIST_DIR}/bind_within.cpp)
  # A tool of the build: no sanitizer, which would take it half a minute.
  target_compile_options(bind_within PRIVATE -O2 -fno-sanitize=all)
  target_link_options(bind_within PRIVATE -fno-sanitize=all)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  add_custom_command(OUTPUT ${v8_bound} COMMAND bind_within ${v8_file} ${v8_bound}
    DEPENDS bind_within ${v8_file} COMMENT "Binding V8's library within" VERBATIM)
  add_custom_target(v8_bound_library DEPENDS ${v8_bound})
  add_library(V8::V8 SHARED IMPORTED)
  set_target_properties(V8::V8 PROPERTIES IMPORTED_LOCATION ${v8_bound}
    INTERFACE_INCLUDE_DIRECTORIES ${V8_HEADERS})
  add_dependencies(V8::V8 v8_bound_library)
endif()
