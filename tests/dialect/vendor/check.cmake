# cmake -DSOURCE= -DCOMPILER= -DFLAGS=a|b -DOURS=path -P check.cmake
# Compiles device code against the vendor's headers in clang's CUDA mode. The bodies in those headers use built-ins of the
# vendor's compiler and do not compile; errors in files below OURS count, those in the headers do not. The per-core variables
# are declared with an attribute that clang does not know, so references to them are let pass.
string(REPLACE "|" ";" flags "${FLAGS}")
execute_process(COMMAND ${COMPILER} ${flags} -w -ferror-limit=0 -fno-caret-diagnostics -fsyntax-only "${SOURCE}"
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REPLACE ";" "," output "${output}")
string(REPLACE "[" "(" output "${output}")
string(REPLACE "]" ")" output "${output}")
string(REPLACE "\n" ";" lines "${output}")
set(ours "")
foreach(line IN LISTS lines)
  if(line MATCHES "fatal error: ")
    message(FATAL_ERROR "the vendor's headers are not complete: ${line}")
  endif()
  string(FIND "${line}" "${OURS}" here)
  if(line MATCHES " error: " AND here EQUAL 0 AND NOT line MATCHES "__host__ variable 'g_super_kernel_")
    string(APPEND ours "${line}\n")
  endif()
endforeach()
if(NOT ours STREQUAL "")
  message(FATAL_ERROR "calls that disagree with the vendor's headers:\n${ours}")
endif()
