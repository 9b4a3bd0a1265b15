# Programs of tests.
include(GoogleTest)

# What all targets of tests have in common.
function(scree_test_target target)
    scree_compile_options(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${target} PRIVATE SCREE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE scree::core)
endfunction()

# A program of tests. NAME is that of its room or folder: `scripts/test PRESET NAME` builds it, and the names under
# which ctest runs its tests begin so.
#   scree_test(NAME SOURCES file... [LIBRARIES library...] [DEFINITIONS definition...]
#              [ONLY_OPTIMISED suite.test...] [UNLISTED] [OPTIMISED])
#   ONLY_OPTIMISED  tests that take many seconds where code is not optimised, and are not run then
#   UNLISTED        ctest does not run its tests one by one: the folder says how the program is started
#   OPTIMISED       its own code computes for long: compiled as the library is
function(scree_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "UNLISTED;OPTIMISED" "" "SOURCES;LIBRARIES;DEFINITIONS;ONLY_OPTIMISED")
    add_executable(${name} ${arg_SOURCES})
    scree_test_target(${name})
    target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
    if(NOT arg_OPTIMISED)
        scree_compile_quickly(${name})
    endif()
    if(NOT arg_UNLISTED)
        target_link_libraries(${name} PRIVATE GTest::gtest_main)
        scree_list_tests(${name} ${arg_ONLY_OPTIMISED})
    endif()
endfunction()

# Tests are many files whose own code runs but a short time: a compiler that optimises less is done with them in
# two thirds of the time, and the headers that all include are parsed once, for the first program.
function(scree_compile_quickly name)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # With less optimisation g++ loses track of what is set; the library is compiled with this warning.
        target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
    endif()
    get_property(first GLOBAL PROPERTY scree_first_test)
    if(first)
        target_precompile_headers(${name} REUSE_FROM ${first})
    else()
        target_precompile_headers(${name} PRIVATE ${scree_std_headers} <gtest/gtest.h>)
        set_property(GLOBAL PROPERTY scree_first_test ${name})
    endif()
endfunction()

# Each test of a program becomes one of ctest's, but for those named where code is not optimised: it takes ten to
# thirty times as long.
function(scree_list_tests name)
    set(filter "")
    if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND ARGN)
        list(JOIN ARGN ":" filter)
        set(filter TEST_FILTER "-${filter}")
    endif()
    gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60 ${filter})
endfunction()
