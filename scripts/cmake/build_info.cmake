# Writes build_info.cpp from its template. Run as a script by every build, since only a build knows what `git describe` says by then;
# configure_file leaves an unchanged file alone, so nothing is compiled again until the answer changes.
# In: ALDER_SOURCE, ALDER_OUT, ALDER_VERSION, ALDER_COMPILER, ALDER_BUILD_TYPE, ALDER_DATA_FOLDER
execute_process(COMMAND git -C ${ALDER_SOURCE} describe --always --dirty --tags --abbrev=12
                OUTPUT_VARIABLE ALDER_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(ALDER_REVISION "unknown")
endif()
configure_file(${ALDER_SOURCE}/src/base/build_info.cpp.in ${ALDER_OUT} @ONLY)
