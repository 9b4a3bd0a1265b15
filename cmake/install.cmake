# What `cmake --install` puts where: the library with its CMake package and pkg-config file, the program
# and its manual page.
include(CMakePackageConfigHelpers)

install(TARGETS scree_core EXPORT scree_targets)
install(DIRECTORY include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT scree_targets NAMESPACE scree:: FILE scree_targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
configure_package_config_file(cmake/scree-config.cmake.in ${PROJECT_BINARY_DIR}/scree-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
if(SCREE_MPI)
    install(TARGETS scree_mpi EXPORT scree_mpi_targets)
    install(DIRECTORY include/mpi/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT scree_mpi_targets NAMESPACE scree:: FILE scree_mpi_targets.cmake
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake
              ${PROJECT_BINARY_DIR}/scree-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree)

# The prefix relative to the file's own place, so that any --prefix works.
file(RELATIVE_PATH scree_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
if(SCREE_CUDA)
    set(scree_pc_cuda " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -ldl -pthread")
endif()
configure_file(cmake/scree.pc.in ${PROJECT_BINARY_DIR}/scree.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(SCREE_MPI)
    list(JOIN MPI_C_LIBRARIES " " scree_pc_mpi_libraries)
    list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE scree_pc_mpi_includes)
    list(JOIN scree_pc_mpi_includes " " scree_pc_mpi_includes)
    configure_file(cmake/scree-mpi.pc.in ${PROJECT_BINARY_DIR}/scree-mpi.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/scree-mpi.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(SCREE_BUILD_PROGRAM)
    install(TARGETS scree)
    install(FILES docs/scree.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
