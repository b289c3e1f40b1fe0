# Which cards kernels are compiled for when all are asked for: what an nvcc knows depends on its version. Code for a card runs on later ones
# of the same major number too; the PTX of the last is for those that come after.
function(alder_all_cards out version)
  if(version VERSION_GREATER_EQUAL 13) # left out Volta, sm_70
    set(real 75 80 86 89 90 100 103 120)
  elseif(version VERSION_GREATER_EQUAL 12.9)
    set(real 70 75 80 86 89 90 100 103 120)
  elseif(version VERSION_GREATER_EQUAL 12.8)
    set(real 70 75 80 86 89 90 100 120)
  else()
    set(real 70 75 80 86 89 90)
  endif()
  list(GET real -1 last)
  list(TRANSFORM real APPEND -real)
  set(${out} ${real} ${last}-virtual PARENT_SCOPE)
endfunction()

# The version of an nvcc, or nothing.
function(alder_nvcc_version out nvcc)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE said ERROR_QUIET)
  set(version)
  if(said MATCHES "release ([0-9]+\\.[0-9]+)")
    set(version ${CMAKE_MATCH_1})
  endif()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()
