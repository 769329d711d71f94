// make_engine NODE OUT [--first=LIBRARY]...: makes the engine file of Node's executable. README.md
// beside this file says what that is. Each --first is a library to load before all others: a
// sanitizer's.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include "engine/engine_image.h"
#include "engine/image_files.h"

using rondo::engine::BrokenAssumption;
using rondo::engine::EngineImage;
using rondo::engine::Initialiser;
using rondo::engine::read_file;
using rondo::engine::write_executable;

namespace {

/// One function at least of each library that we take from the executable: see the table in
/// src/README.md.
constexpr std::string_view kExports[] = {
    "_ZN2v87Isolate10InitializeEPS0_RKNS0_12CreateParamsE",  // V8
    "_ZN2v815SnapshotCreator10CreateBlobENS0_20FunctionCodeHandlingE",
    "ucnv_open_78",  // ICU: src/runtime/bytes/engine_icu.h
    "ucnv_close_78",
    "ucnv_reset_78",
    "ucnv_toUnicode_78",
    "ucnv_setToUCallBack_78",
    "ucnv_cbToUWriteUChars_78",
    "UCNV_TO_U_CALLBACK_STOP_78",
    "u_getVersion_78",
    "u_getUnicodeVersion_78",
    "ulocdata_getCLDRVersion_78",
    "ucal_getTZDataVersion_78",
    "_ZN3ada4idna8to_asciiB5cxx11ESt17basic_string_viewIcSt11char_traitsIcEE",  // ada:
                                                                                // engine_ada.h
    "_ZN3ada4idna10to_unicodeB5cxx11ESt17basic_string_viewIcSt11char_traitsIcEE",
    "ada_parse",
    "ada_parse_with_base",
    "ada_free",
    "ada_is_valid",
    "ada_get_href",
    "ada_get_components",
    "ada_get_scheme_type",
    "ada_set_protocol",
    "ada_set_username",
    "ada_set_password",
    "ada_set_host",
    "ada_set_hostname",
    "ada_set_port",
    "ada_set_pathname",
    "ada_set_search",
    "ada_set_hash",
    "_ZN4absl29SetMutexDeadlockDetectionModeENS_15OnDeadlockCycleE",  // Abseil: engine_absl.h
    "_ZN7simdutf14validate_asciiEPKcm",                               // simdutf: engine_simdutf.h
    "_ZN7simdutf13validate_utf8EPKcm",
    "_ZN7simdutf23utf8_length_from_latin1EPKcm",
    "_ZN7simdutf22utf16_length_from_utf8EPKcm",
    "_ZN7simdutf22convert_latin1_to_utf8EPKcmPc",
    "_ZN7simdutf22convert_utf8_to_latin1EPKcmPc",
    "_ZN7simdutf23convert_utf8_to_utf16leEPKcmPDs",
    "_ZN7simdutf23convert_utf16le_to_utf8EPKDsmPc",
    "_ZN7simdutf16binary_to_base64EPKcmPcNS_14base64_optionsE",
    "_ZN7simdutf21base64_to_binary_safeEPKcmPcRmNS_14base64_optionsENS_27last_chunk_handling_"
    "optionsEb",
    "_ZN7simdutf21base64_to_binary_safeEPKDsmPcRmNS_14base64_optionsENS_27last_chunk_handling_"
    "optionsEb",
    "llhttp_init",  // llhttp: src/http/engine_llhttp.h
    "llhttp_execute",
    "llhttp_finish",
    "llhttp_should_keep_alive",
    "llhttp_pause",
    "llhttp_resume",
    "llhttp_resume_after_upgrade",
    "llhttp_get_error_reason",
    "llhttp_set_error_reason",
    "llhttp_get_error_pos",
    "llhttp_errno_name",
    "llhttp_method_name",
    "nghttp2_is_fatal",  // nghttp2: src/http2/engine_nghttp2.h
    "nghttp2_option_del",
    "nghttp2_option_new",
    "nghttp2_option_set_builtin_recv_extension_type",
    "nghttp2_option_set_max_deflate_dynamic_table_size",
    "nghttp2_option_set_max_reserved_remote_streams",
    "nghttp2_option_set_max_send_header_block_length",
    "nghttp2_option_set_max_settings",
    "nghttp2_option_set_no_auto_window_update",
    "nghttp2_option_set_no_closed_streams",
    "nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation",
    "nghttp2_option_set_peer_max_concurrent_streams",
    "nghttp2_option_set_stream_reset_rate_limit",
    "nghttp2_rcbuf_decref",
    "nghttp2_rcbuf_get_buf",
    "nghttp2_rcbuf_incref",
    "nghttp2_rcbuf_is_static",
    "nghttp2_session_callbacks_del",
    "nghttp2_session_callbacks_new",
    "nghttp2_session_callbacks_set_error_callback2",
    "nghttp2_session_callbacks_set_on_begin_headers_callback",
    "nghttp2_session_callbacks_set_on_data_chunk_recv_callback",
    "nghttp2_session_callbacks_set_on_frame_not_send_callback",
    "nghttp2_session_callbacks_set_on_frame_recv_callback",
    "nghttp2_session_callbacks_set_on_frame_send_callback",
    "nghttp2_session_callbacks_set_on_header_callback2",
    "nghttp2_session_callbacks_set_on_invalid_frame_recv_callback",
    "nghttp2_session_callbacks_set_on_invalid_header_callback2",
    "nghttp2_session_callbacks_set_on_stream_close_callback",
    "nghttp2_session_callbacks_set_select_padding_callback2",
    "nghttp2_session_callbacks_set_send_data_callback",
    "nghttp2_session_client_new3",
    "nghttp2_session_consume_connection",
    "nghttp2_session_consume_stream",
    "nghttp2_session_del",
    "nghttp2_session_find_stream",
    "nghttp2_session_get_effective_local_window_size",
    "nghttp2_session_get_effective_recv_data_length",
    "nghttp2_session_get_hd_deflate_dynamic_table_size",
    "nghttp2_session_get_hd_inflate_dynamic_table_size",
    "nghttp2_session_get_last_proc_stream_id",
    "nghttp2_session_get_local_settings",
    "nghttp2_session_get_local_window_size",
    "nghttp2_session_get_next_stream_id",
    "nghttp2_session_get_outbound_queue_size",
    "nghttp2_session_get_remote_settings",
    "nghttp2_session_get_remote_window_size",
    "nghttp2_session_get_stream_local_close",
    "nghttp2_session_get_stream_local_window_size",
    "nghttp2_session_get_stream_remote_close",
    "nghttp2_session_mem_recv2",
    "nghttp2_session_mem_send2",
    "nghttp2_session_resume_data",
    "nghttp2_session_server_new3",
    "nghttp2_session_set_local_window_size",
    "nghttp2_session_set_next_stream_id",
    "nghttp2_session_terminate_session",
    "nghttp2_session_want_read",
    "nghttp2_session_want_write",
    "nghttp2_stream_get_state",
    "nghttp2_stream_get_sum_dependency_weight",
    "nghttp2_stream_get_weight",
    "nghttp2_strerror",
    "nghttp2_submit_altsvc",
    "nghttp2_submit_data2",
    "nghttp2_submit_goaway",
    "nghttp2_submit_headers",
    "nghttp2_submit_origin",
    "nghttp2_submit_ping",
    "nghttp2_submit_push_promise",
    "nghttp2_submit_request2",
    "nghttp2_submit_response2",
    "nghttp2_submit_rst_stream",
    "nghttp2_submit_settings",
    "nghttp2_submit_trailer",
    "deflate",  // zlib
    "inflate",
    "BrotliEncoderCompressStream",  // Brotli: engine_brotli.h
    "BrotliEncoderAttachPreparedDictionary",
    "BrotliDecoderDecompressStream",
    "BrotliDecoderAttachDictionary",
    "ZSTD_createCCtx_advanced",  // Zstandard: engine_zstd.h
    "ZSTD_compressStream2",
    "ZSTD_createDCtx_advanced",
    "ZSTD_decompressStream",
    "ares_query",  // c-ares
    "ares_parse_txt_reply_ext",
    "EVP_DigestInit_ex",  // OpenSSL
    "SSL_new",
};

/// Not for us: Node's own code, and libuv, of which we have no copy. Node-API is ours:
/// src/runtime/napi/.
constexpr std::string_view kHidden[] = {
    "_ZN4node",   "_ZNK4node", "_ZTVN4node", "_ZTIN4node", "_ZTSN4node", "_ZGVN4node",
    "_ZTTN4node", "napi_",     "node_api_",  "uv_",        "main",       "node_module_register",
};

/// Of libuv, for native addons: what needs no loop.
constexpr std::string_view kNotHidden[] = {
    "uv_barrier_", "uv_clock_gettime", "uv_cond_",   "uv_err_name", "uv_hrtime",
    "uv_key_",     "uv_mutex_",        "uv_once",    "uv_rwlock_",  "uv_sem_",
    "uv_sleep",    "uv_strerror",      "uv_thread_", "uv_version",
};

/// Of the functions that run before main(), what V8 and the libraries need.
bool is_kept(const Initialiser& initialiser) {
  return initialiser.name == "frame_dummy" ||           // the compiler's own
         initialiser.name == "__cpu_indicator_init" ||  // __builtin_cpu_supports()
         initialiser.name.ends_with("_ios_init.cc") ||  // std::cout and its like
         initialiser.file == "ada.cpp";                 // its tables
}

/// Node's own, and what only Node uses. What is in neither list has to be looked at first.
bool is_known_as_useless(const Initialiser& initialiser) {
  constexpr std::string_view kFiles[] = {
      "async_resource.cc",  "cares_wrap.cc",     "crypto_context.cc",
      "crypto_timing.cc",   "crypto_util.cc",    "env.cc",
      "environment.cc",     "histogram.cc",      "hooks.cc",
      "inspector_agent.cc", "ncrypto.cc",        "permission.cc",
      "signal_wrap.cc",     "target_manager.cc", "timers.cc",
      "Binary.cpp",  // LIEF, for single executable applications
  };
  return initialiser.file.starts_with("node") ||
         std::ranges::find(kFiles, initialiser.file) != std::end(kFiles) ||
         initialiser.name.find("ARGV_INIT_ARRAY") !=
             std::string_view::npos;  // of Rust, whose code here does not use argv
}

void drop_initialisers(EngineImage& image) {
  std::vector<Initialiser> kept;
  for (const Initialiser& initialiser : image.initialisers()) {
    if (is_kept(initialiser)) {
      kept.push_back(initialiser);
    } else if (!is_known_as_useless(initialiser)) {
      throw BrokenAssumption("nothing is known of its initialiser '" +
                             std::string(initialiser.name) + "' of '" +
                             std::string(initialiser.file) + "'");
    }
  }
  image.set_initialisers(kept);
}

/// Each library costs every start some 0.1 ms.
void drop_libraries(EngineImage& image) {
  // librondo_start.so has its functions: CMakeLists.txt.
  image.import_from_any("libatomic.so.1");
  // Parts of libc since glibc 2.34. Programs of ours need at least the glibc they are built with.
#if __GLIBC_PREREQ(2, 34)
  image.import_from_other("libdl.so.2", "libc.so.6");
  image.import_from_other("libpthread.so.0", "libc.so.6");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::string_view kFirst = "--first=";
  std::vector<std::string> needed;
  for (int i = 3; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(kFirst)) argc = 0;
    needed.emplace_back(argument.substr(std::min(kFirst.size(), argument.size())));
  }
  if (argc < 3) {
    std::fprintf(stderr, "usage: make_engine NODE OUT [--first=LIBRARY]...\n");
    return 2;
  }
  needed.emplace_back("librondo_start.so");
  try {
    EngineImage image(read_file(argv[1]));
    image.require_exports(kExports);
    image.require_import("__libc_start_main");
    drop_initialisers(image);
    image.bind_own_symbols();
    image.hide_exports(kHidden, kNotHidden);
    drop_libraries(image);
    image.set_libraries(needed, "$ORIGIN:$ORIGIN/../lib/rondo");
    image.compact_symbols();
    image.strip();
    write_executable(argv[2], image.bytes());
  } catch (const BrokenAssumption& error) {
    std::fprintf(stderr, "make_engine: %s cannot be the engine: %s\n", argv[1], error.what());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_engine: %s\n", error.what());
    return 1;
  }
}
