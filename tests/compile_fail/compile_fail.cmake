# Runs one compile-fail test: cmake -DSOURCE= -DCOMPILER= -DCOMPILER_ID= -DFLAGS=a|b|c -P compile_fail.cmake
#
#   1. The file compiles as it stands: the positive control, so that a typing error or a missing header cannot pass for the
#      rule at work.
#   2. With -DSKT_EXPECT_FAIL it does not compile.
#   3. Each line `// EXPECT: regex` of the file matches what the compiler says, with runs of white space read as one blank.
#      `// EXPECT-GNU:` and `// EXPECT-Clang:` count for that compiler only.
#   4. The compiler reports exactly one error.
#
# `// FLAGS: ...` in the file adds flags to both compilations. Regexes are CMake's.

foreach(variable SOURCE COMPILER COMPILER_ID)
  if(NOT DEFINED ${variable})
    message(FATAL_ERROR "${variable} is not given")
  endif()
endforeach()

file(READ "${SOURCE}" text)
# Semicolons and brackets would confuse CMake's lists.
string(REPLACE ";" "@semicolon@" text "${text}")
string(REPLACE "[" "@open@" text "${text}")
string(REPLACE "]" "@close@" text "${text}")

function(restore variable)
  set(value "${${variable}}")
  string(REPLACE "@semicolon@" ";" value "${value}")
  string(REPLACE "@open@" "[" value "${value}")
  string(REPLACE "@close@" "]" value "${value}")
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

string(REGEX MATCHALL "// EXPECT(-${COMPILER_ID})?: [^\n]*" expected "${text}")
list(LENGTH expected expected_count)
if(expected_count EQUAL 0)
  message(FATAL_ERROR "${SOURCE} has no line `// EXPECT: regex`: a test that must fail has to say how")
endif()

string(REPLACE "|" ";" flags "${FLAGS}")
string(REGEX MATCH "// FLAGS: ([^\n]*)" unused "${text}")
if(unused)
  separate_arguments(own_flags UNIX_COMMAND "${CMAKE_MATCH_1}")
  list(APPEND flags ${own_flags})
endif()

if(COMPILER_ID STREQUAL "GNU")
  list(APPEND flags -fno-diagnostics-show-caret)
else()
  list(APPEND flags -fno-caret-diagnostics)
endif()
# Without source excerpts in the output a sentence can match only where it is the message.
set(command "${CMAKE_COMMAND}" -E env LC_ALL=C CCACHE_DISABLE=1 "${COMPILER}" -fsyntax-only -fdiagnostics-color=never ${flags})

execute_process(COMMAND ${command} "${SOURCE}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "positive control: ${SOURCE} does not compile without SKT_EXPECT_FAIL\n${output}")
endif()

execute_process(COMMAND ${command} -DSKT_EXPECT_FAIL "${SOURCE}" RESULT_VARIABLE result OUTPUT_VARIABLE output
                ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "wrongly accepted: ${SOURCE} compiles with SKT_EXPECT_FAIL")
endif()

string(REGEX REPLACE "[ \t\r\n]+" " " flat "${output}")
foreach(line IN LISTS expected)
  string(REGEX REPLACE "^// EXPECT(-${COMPILER_ID})?: " "" regex "${line}")
  restore(regex)
  if(NOT flat MATCHES "${regex}")
    message(FATAL_ERROR "wrong message: ${SOURCE} fails, but the compiler does not say `${regex}`\n${output}")
  endif()
endforeach()

string(REPLACE "error: " "" cut "${output}")
string(LENGTH "${output}" before)
string(LENGTH "${cut}" after)
math(EXPR errors "(${before} - ${after}) / 7")
if(NOT errors EQUAL 1)
  message(FATAL_ERROR "${errors} errors where one would do: ${SOURCE}\n${output}")
endif()
