# The enumerations that lib/ shares with C++ (cmake/lib_enums.cmake): a name that C++ does not have ends the build.
#   cmake -D source=FOLDER -D work_dir=FOLDER -P enums_test.cmake
cmake_policy(VERSION 3.25)

# try(NAME TEXT EXPECTED): whether a lib/ with this text is accepted.
function(try name text expected)
  set(folder ${work_dir}/${name})
  file(REMOVE_RECURSE ${folder})
  file(MAKE_DIRECTORY ${folder}/lib)
  file(CREATE_LINK ${source}/src ${folder}/src SYMBOLIC)
  file(CREATE_LINK ${source}/include ${folder}/include SYMBOLIC)
  file(WRITE ${folder}/lib/user.js "const { Kind, Shared } = require('internal/native/enums');\n${text}\n")
  file(WRITE ${folder}/run.cmake
    "cmake_policy(VERSION 3.25)\nset(lib ${folder}/lib)\nset(enums_out ${folder}/enums.js)\ninclude(${source}/cmake/lib_enums.cmake)\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -P ${folder}/run.cmake RESULT_VARIABLE result ERROR_VARIABLE error)
  string(REGEX REPLACE "[ \n]+" " " error "${error}")
  if(expected STREQUAL "")
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "${name}: ${error}")
    endif()
  elseif(NOT error MATCHES "${expected}")
    message(FATAL_ERROR "${name}: no error \"${expected}\" but: ${error}")
  endif()
endfunction()

try(good "const { hasTick: kHasTick, ticks } = Shared;\nuse(Kind.beforeExit, Kind.main);" "")
try(destructured "const { hasTick: kHasTick,\n  hasTock } = Shared;" "takes Shared.hasTock")
try(member "use(Kind.main, Kind.mian);" "takes Kind.mian")
try(shared "const { kHasTick, kTock, shared } = require('internal/native/shared_state');" "takes Shared.tock")
file(READ ${work_dir}/good/enums.js text)
if(NOT text MATCHES "Kind: { main: 0, timeout: 1,.* beforeExit: 13," OR NOT text MATCHES "HeadBits: { keepAlive: 65536,")
  message(FATAL_ERROR "enums.js: ${text}")
endif()
