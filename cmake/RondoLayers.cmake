# The layers of src/README.md, held to by the compiler: the sources of a layer see the headers of that layer and of those
# it uses, and no others. Each layer has two folders of links in <build>/layers:
#
#   NAME/include/rondo/...  its public headers
#   NAME/src/...            its folder of src/, for itself and the layers that use it
#
#   rondo_layer(NAME [FOLDER folder of src] [USES layers...] [PUBLIC headers of include/rondo...])
#
# defines two targets to link: rondo_NAME_headers for users of the public headers, rondo_NAME_inside for the sources of
# the layer. tests/layers tries what each layer sees.

set(RONDO_LAYERS_DIR ${PROJECT_BINARY_DIR}/layers)
file(REMOVE_RECURSE ${RONDO_LAYERS_DIR})

function(rondo_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "FOLDER" "USES;PUBLIC")
  set(folder ${RONDO_LAYERS_DIR}/${name})
  file(MAKE_DIRECTORY ${folder}/include/rondo ${folder}/src)
  if(layer_FOLDER)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${layer_FOLDER} ${folder}/src/${layer_FOLDER} SYMBOLIC)
  endif()
  foreach(header IN LISTS layer_PUBLIC)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/rondo/${header} ${folder}/include/rondo/${header} SYMBOLIC)
  endforeach()
  add_library(rondo_${name}_headers INTERFACE)
  add_library(rondo_${name}_inside INTERFACE)
  target_include_directories(rondo_${name}_headers INTERFACE ${folder}/include)
  target_include_directories(rondo_${name}_inside INTERFACE ${folder}/src)
  target_link_libraries(rondo_${name}_inside INTERFACE rondo_${name}_headers)
  foreach(used IN LISTS layer_USES)
    target_link_libraries(rondo_${name}_headers INTERFACE rondo_${used}_headers)
    target_link_libraries(rondo_${name}_inside INTERFACE rondo_${used}_inside)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY RONDO_LAYERS ${name})
  set_property(GLOBAL PROPERTY RONDO_LAYER_${name}_USES ${layer_USES})
  set_property(GLOBAL PROPERTY RONDO_LAYER_${name}_PUBLIC ${layer_PUBLIC})
  set_property(GLOBAL PROPERTY RONDO_LAYER_${name}_FOLDER ${layer_FOLDER})
endfunction()

# Ends the configuration if a public header is in no layer, or in two.
function(rondo_check_layers)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include/rondo ${PROJECT_SOURCE_DIR}/include/rondo/*)
  get_property(layers GLOBAL PROPERTY RONDO_LAYERS)
  set(listed "")
  foreach(layer IN LISTS layers)
    get_property(public GLOBAL PROPERTY RONDO_LAYER_${layer}_PUBLIC)
    list(APPEND listed ${public})
  endforeach()
  list(SORT headers)
  list(SORT listed)
  if(NOT headers STREQUAL listed)
    message(FATAL_ERROR "The layers list other headers than include/rondo has.\nlayers: ${listed}\nfolder: ${headers}")
  endif()
endfunction()

rondo_layer(core FOLDER core PUBLIC
  async.h callback.h channel.h clock.h detail error.h event_emitter.h future.h handles.h loop.h metrics.h observer.h
  operation.h phase.h retry.h scheduler.h sync.h task_group.h when.h)
rondo_layer(io FOLDER io USES core PUBLIC
  any_stream.h dns.h fs.h fs_watch.h loop_group.h net.h pipe.h poll.h process.h rondo.h signal.h streams.h terminal.h
  udp.h work.h)
rondo_layer(lens FOLDER lens USES core PUBLIC lens lens.h)
rondo_layer(tls FOLDER tls USES io PUBLIC tls.h)
rondo_layer(http FOLDER http USES io PUBLIC http http.h https.h websocket.h)
rondo_layer(http2 FOLDER http2)
rondo_layer(runtime FOLDER runtime USES io lens tls http http2 PUBLIC runtime.h)
rondo_layer(cli FOLDER cli USES runtime)
rondo_check_layers()
