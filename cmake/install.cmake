# What `cmake --install` puts where: the libraries with their headers, CMake package and pkg-config files,
# the program and its manual page.
include(CMakePackageConfigHelpers)

set(scree_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
# The prefix relative to a pkg-config file's own place, so that any --prefix works.
file(RELATIVE_PATH scree_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)

install(TARGETS scree_core EXPORT scree_targets FILE_SET HEADERS)
install(EXPORT scree_targets NAMESPACE scree:: FILE scree_targets.cmake DESTINATION ${scree_package_dir})
configure_package_config_file(cmake/scree-config.cmake.in ${PROJECT_BINARY_DIR}/scree-config.cmake
                              INSTALL_DESTINATION ${scree_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake
              ${PROJECT_BINARY_DIR}/scree-config-version.cmake
        DESTINATION ${scree_package_dir})
if(SCREE_CUDA)
    set(scree_pc_cuda " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -ldl -pthread")
endif()
configure_file(cmake/scree.pc.in ${PROJECT_BINARY_DIR}/scree.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# A library beside the core, a component of the CMake package with a pkg-config file of its own.
function(scree_install_library name description)
    cmake_parse_arguments(pc "" "REQUIRES;LIBS;CFLAGS" "" ${ARGN})
    install(TARGETS scree_${name} EXPORT scree_${name}_targets FILE_SET HEADERS)
    install(EXPORT scree_${name}_targets NAMESPACE scree:: FILE scree_${name}_targets.cmake
            DESTINATION ${scree_package_dir})
    configure_file(cmake/scree-library.pc.in ${PROJECT_BINARY_DIR}/scree-${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/scree-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
if(SCREE_IO)
    scree_install_library(io "frames and checkpoints in files" REQUIRES ", hdf5, zlib, fmt")
endif()
if(SCREE_SCENE)
    scree_install_library(scene "worlds from scene files" REQUIRES ", tomlplusplus, fmt" LIBS " -ludunits2")
endif()
if(SCREE_ANALYSE)
    scree_install_library(analyse "measures and pictures of worlds" REQUIRES ", zlib, fmt")
endif()
if(SCREE_MPI)
    list(JOIN MPI_C_LIBRARIES " " mpi_libraries)
    list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_includes)
    list(JOIN mpi_includes " " mpi_includes)
    scree_install_library(mpi "worlds of several processes" LIBS " ${mpi_libraries}"
                          CFLAGS "${mpi_includes} -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX")
endif()

if(SCREE_BUILD_PROGRAM)
    install(TARGETS scree)
    install(FILES docs/scree.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
