# What `make package` (cpack) makes: a .deb and a .tar.gz that runs wherever it is unpacked. Both carry the licence texts
# of everything that is inside.

# One file: our licence, and that of each part. Debian's own packages have theirs in /usr/share/doc.
set(licences ${PROJECT_BINARY_DIR}/LICENSES.txt)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE text)
file(WRITE ${licences} "Rondo\n\n${text}\n")
function(rondo_add_licence title file)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "The licence of ${title} is missing: ${file}")
  endif()
  file(READ ${file} text)
  string(REPEAT "-" 100 ruler)
  file(APPEND ${licences} "${ruler}\n${title}\n\n${text}\n")
endfunction()
rondo_add_licence("SQLite (linked statically)" /usr/share/doc/libsqlite3-dev/copyright)
rondo_add_licence("libatomic of GCC (lib/rondo/librondo_start.so)" /usr/share/doc/libatomic1/copyright)
if(TARGET rondo_http)
  rondo_add_licence("llhttp (part of librondo_http.a)" /usr/share/doc/node-llhttp/copyright)
endif()
foreach(package acorn cjs-module-lexer)
  rondo_add_licence("${package} (part of rondo's lib)" ${PROJECT_SOURCE_DIR}/build/js/node_modules/${package}/LICENSE)
endforeach()
rondo_add_licence("Node.js, and what its executable contains (V8, OpenSSL, ICU, zlib ...): the engine file"
  ${RONDO_NODE_DIR}/LICENSE)

# Debian wants it under this name.
install(FILES ${licences} DESTINATION share/doc/rondo RENAME copyright)
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION share/doc/rondo)
install(DIRECTORY docs/ DESTINATION share/doc/rondo/docs)
install(DIRECTORY examples/js examples/cpp DESTINATION share/doc/rondo/examples)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/package)
set(CPACK_PACKAGE_NAME rondo)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_FILE_NAME rondo-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_VENDOR "The Rondo maintainers")
set(CPACK_PACKAGE_CONTACT "The Rondo maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${licences})
set(CPACK_STRIP_FILES OFF)  # the engine file is not to be touched
# No CPACK_PACKAGING_INSTALL_PREFIX: a .deb goes to /usr anyway, and the archive would have a folder usr/.
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Of the libraries that we link ourselves. (dpkg-shlibdeps would also want those of the engine file's folder.)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1, libc-ares2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++ (>= 4:12), cmake, pkg-config, libc-ares-dev, libsqlite3-dev, libssl-dev, zlib1g-dev")
include(CPack)
