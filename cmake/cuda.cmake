# CUDA, where SCREE_CUDA asks for it; AUTO becomes ON or OFF.
find_program(scree_nvcc nvcc HINTS /usr/local/cuda/bin)
find_program(scree_nvidia_smi nvidia-smi HINTS /usr/lib/wsl/lib)

# The GPUs of this machine, by their compute capability: 90 is Hopper.
set(gpus "")
if(scree_nvidia_smi)
    execute_process(COMMAND ${scree_nvidia_smi} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE gpus ERROR_QUIET)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" gpus "${gpus}")
    list(TRANSFORM gpus REPLACE "\\." "")
    list(FILTER gpus INCLUDE REGEX "^([89]|[1-9][0-9])[0-9]$")
    list(REMOVE_DUPLICATES gpus)
endif()
if(SCREE_CUDA STREQUAL "AUTO")
    set(SCREE_CUDA OFF)
    if(scree_nvcc AND gpus)
        set(SCREE_CUDA ON)
    endif()
endif()
if(NOT SCREE_CUDA)
    return()
endif()

if(NOT scree_nvcc AND NOT DEFINED CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "SCREE_CUDA needs nvcc of CUDA 12 or later, which is neither in the path nor in "
            "/usr/local/cuda/bin: install it (https://developer.nvidia.com/cuda-downloads), say where it is "
            "with -DCMAKE_CUDA_COMPILER=..., or leave GPUs out with -DSCREE_CUDA=OFF")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Those of this machine. Where there are none: machine code for Hopper, and code that drivers
    # translate when they first meet it for all others from Ampere on. Each number takes the compiler
    # about as long again.
    if(NOT gpus)
        set(gpus 80-virtual 90)
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${gpus}" CACHE STRING "GPUs to compile for")
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${scree_nvcc})
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
# CMake 3.25 does not know how nvcc 13 spells C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
