# Tests that run on several MPI ranks, more than there are cores where need be.

# alder_mpi_program(name FOLDER folder DEPS rooms...): a program of tests/<folder> with its own main(), which starts MPI.
function(alder_mpi_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "DEPS;LINK")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/*.cpp)
  add_executable(test_${name} ${sources})
  list(TRANSFORM arg_DEPS PREPEND alder_)
  target_include_directories(test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(test_${name} PRIVATE ALDER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(test_${name} PRIVATE ${arg_DEPS} ${arg_LINK} fmt::fmt GTest::gtest GTest::gmock)
endfunction()

# alder_mpi_test(program ranks [arguments...]): one run of it, as the test <program>_<ranks>.
function(alder_mpi_test program ranks)
  add_test(NAME ${program}_${ranks} COMMAND ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none ${MPIEXEC_NUMPROC_FLAG} ${ranks}
    $<TARGET_FILE:test_${program}> ${ARGN})
  # Open MPI refuses root unless told twice; a container has no other user.
  set_tests_properties(${program}_${ranks} PROPERTIES LABELS mpi TIMEOUT 600
    ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMP_WAIT_POLICY=passive")
endfunction()
