# Runs skt-plan on one input: cmake -DTOOL=... -DARGS=... -DSTATUS=... -DSAYS=... -P tool.cmake
execute_process(
  COMMAND ${TOOL} ${ARGS}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE out
  ERROR_VARIABLE err)
if(NOT status STREQUAL "${STATUS}")
  message(FATAL_ERROR "status ${status}, not ${STATUS}\n${out}\n${err}")
endif()
if(NOT "${out}${err}" MATCHES "${SAYS}")
  message(FATAL_ERROR "says nothing like '${SAYS}':\n${out}\n${err}")
endif()
