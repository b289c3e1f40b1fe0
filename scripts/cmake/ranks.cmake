# alder_ranks_test(<name> RANKS <n...> COMMAND <command...> [LABEL l] [TIMEOUT s]): a command under mpirun, once for each number of ranks.
# alder_ranks_environment(<test>...): what a test needs that calls mpirun by itself. Tests may run as root in a container and on fewer
# processors than ranks; a user's runs may not by themselves.
set(ALDER_RANKS_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none OMP_NUM_THREADS=1)

function(alder_ranks_environment)
  foreach(test IN LISTS ARGN)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${ALDER_RANKS_ENVIRONMENT} "MPIRUN=${MPIEXEC_EXECUTABLE}")
  endforeach()
endfunction()

function(alder_ranks_test name)
  cmake_parse_arguments(PARSE_ARGV 1 T "" "LABEL;TIMEOUT" "RANKS;COMMAND")
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  foreach(n IN LISTS T_RANKS)
    add_test(NAME ${name}_${n}_ranks COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${n} ${MPIEXEC_PREFLAGS} ${T_COMMAND})
    set_tests_properties(${name}_${n}_ranks PROPERTIES LABELS "${T_LABEL}" TIMEOUT ${T_TIMEOUT})
    alder_ranks_environment(${name}_${n}_ranks)
  endforeach()
endfunction()
