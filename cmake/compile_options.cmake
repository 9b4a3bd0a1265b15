# Every target of the project: C++20, strict warnings, and arithmetic that gives the same bits whatever
# the compiler, the optimisation level and the instruction set: no contraction of a·b + c.
function(scree_compile_options target)
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -Wall -Wextra -Wconversion -Wshadow>
        $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${SCREE_WERROR}>>:-Werror>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # g++ 12's SLP vectoriser drops the rounding of double → float → double on neighbouring values.
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:-fno-tree-slp-vectorize>)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # g++ 12 sees overlaps and overflows in std::string's own operator+ (its bugs 105651 and 105329).
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>)
    endif()
endfunction()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Where ccache is installed, what was compiled before is not compiled again.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(scree_ccache ccache NO_CACHE)
    if(scree_ccache)
        set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
                                        ${scree_ccache})
        set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
    endif()
endif()

# Parsed once for a target instead of once for each of its files: most of the time that a file of ours takes.
set(scree_std_headers <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstring> <filesystem> <functional>
    <limits> <map> <memory> <numeric> <optional> <span> <stdexcept> <string> <string_view> <unordered_map> <vector>)
