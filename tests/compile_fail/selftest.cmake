# Runs compile_fail.cmake on a faulty test; passes when the runner fails and says what the file's line `// VERDICT:` says.
file(STRINGS "${SOURCE}" verdict REGEX "^// VERDICT: ")
string(REPLACE "// VERDICT: " "" verdict "${verdict}")
if(NOT verdict)
  message(FATAL_ERROR "${SOURCE} has no line `// VERDICT: text`")
endif()
execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${SOURCE}" "-DCOMPILER=${COMPILER}" "-DCOMPILER_ID=${COMPILER_ID}"
          "-DFLAGS=${FLAGS}" -P "${RUNNER}"
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "the runner accepts ${SOURCE}")
endif()
string(FIND "${output}" "${verdict}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "the runner does not say `${verdict}`:\n${output}")
endif()
