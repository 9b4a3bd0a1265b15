# Says what is missing and how to get it; included before project(), which would stop at the first tool
# that is not there.
function(scree_say_missing)
    if(scree_missing)
        execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/setup how ${scree_missing}
                        OUTPUT_VARIABLE how)
        message(FATAL_ERROR
            "Missing, in brackets the versions that Scree is tested with:\n${how}"
            "On Debian and Ubuntu scripts/setup run installs what the program needs, scripts/setup test "
            "what its tests need as well.\n")
    endif()
endfunction()

set(scree_missing "")
if(CMAKE_GENERATOR MATCHES Ninja AND NOT CMAKE_MAKE_PROGRAM)
    find_program(scree_ninja NAMES ninja ninja-build samu)
    if(NOT scree_ninja)
        list(APPEND scree_missing Ninja)
    endif()
endif()
find_program(scree_compiler NAMES ${CMAKE_CXX_COMPILER} $ENV{CXX} c++ g++ clang++)
if(NOT scree_compiler)
    list(APPEND scree_missing C++20)
endif()
if(scree_missing)
    # Libraries can be looked for only with a compiler.
    list(APPEND scree_missing pkg-config xsimd fmt CLI11 toml++ nlohmann-json UDUNITS HDF5 zlib)
    list(REMOVE_DUPLICATES scree_missing)
endif()
scree_say_missing()
