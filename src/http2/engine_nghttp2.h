// nghttp2 1.70, which the engine carries and whose header the engine's package lacks: what we use
// of it. Structs that pass the border are complete, because their layout has to be exact.
// make_engine checks that the engine exports the functions.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

extern "C" {

struct nghttp2_session;
struct nghttp2_session_callbacks;
struct nghttp2_option;
struct nghttp2_stream;
struct nghttp2_rcbuf;

enum nghttp2_error : int {
  NGHTTP2_ERR_INVALID_ARGUMENT = -501,
  NGHTTP2_ERR_PROTO = -505,
  NGHTTP2_ERR_DEFERRED = -508,
  NGHTTP2_ERR_STREAM_CLOSED = -510,
  NGHTTP2_ERR_STREAM_CLOSING = -511,
  NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE = -521,
  NGHTTP2_ERR_FRAME_SIZE_ERROR = -522,
  NGHTTP2_ERR_HEADER_COMP = -523,
  NGHTTP2_ERR_FLOW_CONTROL = -524,
  NGHTTP2_ERR_SESSION_CLOSING = -530,
  NGHTTP2_ERR_HTTP_HEADER = -531,
  NGHTTP2_ERR_HTTP_MESSAGING = -532,
  NGHTTP2_ERR_REFUSED_STREAM = -533,
  NGHTTP2_ERR_SETTINGS_EXPECTED = -536,
  NGHTTP2_ERR_NOMEM = -901,
  NGHTTP2_ERR_CALLBACK_FAILURE = -902,
};

enum nghttp2_frame_type : std::uint8_t {
  NGHTTP2_DATA = 0,
  NGHTTP2_HEADERS = 1,
  NGHTTP2_PRIORITY = 2,
  NGHTTP2_RST_STREAM = 3,
  NGHTTP2_SETTINGS = 4,
  NGHTTP2_PUSH_PROMISE = 5,
  NGHTTP2_PING = 6,
  NGHTTP2_GOAWAY = 7,
  NGHTTP2_ALTSVC = 10,
  NGHTTP2_ORIGIN = 12,
};

enum nghttp2_error_code : std::uint32_t {
  NGHTTP2_NO_ERROR = 0,
  NGHTTP2_PROTOCOL_ERROR = 1,
  NGHTTP2_INTERNAL_ERROR = 2,
  NGHTTP2_FLOW_CONTROL_ERROR = 3,
  NGHTTP2_STREAM_ERROR_CLOSED = 5,  // NGHTTP2_STREAM_CLOSED
  NGHTTP2_FRAME_SIZE_ERROR = 6,
  NGHTTP2_REFUSED_STREAM = 7,
  NGHTTP2_CANCEL = 8,
  NGHTTP2_COMPRESSION_ERROR = 9,
  NGHTTP2_ENHANCE_YOUR_CALM = 11,
};

enum nghttp2_settings_id : int {
  NGHTTP2_SETTINGS_HEADER_TABLE_SIZE = 1,
  NGHTTP2_SETTINGS_ENABLE_PUSH = 2,
  NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS = 3,
  NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE = 4,
  NGHTTP2_SETTINGS_MAX_FRAME_SIZE = 5,
  NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE = 6,
  NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL = 8,
};

constexpr std::uint8_t NGHTTP2_FLAG_NONE = 0;
constexpr std::uint8_t NGHTTP2_FLAG_END_STREAM = 1;
constexpr std::uint8_t NGHTTP2_FLAG_ACK = 1;
constexpr std::uint8_t NGHTTP2_NV_FLAG_NO_INDEX = 1;
constexpr std::uint8_t NGHTTP2_NV_FLAG_NO_COPY_NAME = 2;
constexpr std::uint8_t NGHTTP2_NV_FLAG_NO_COPY_VALUE = 4;
constexpr std::uint32_t NGHTTP2_DATA_FLAG_EOF = 1;
constexpr std::uint32_t NGHTTP2_DATA_FLAG_NO_END_STREAM = 2;
constexpr std::uint32_t NGHTTP2_DATA_FLAG_NO_COPY = 4;

struct nghttp2_vec {
  std::uint8_t* base;
  std::size_t len;
};

struct nghttp2_nv {
  std::uint8_t* name;
  std::uint8_t* value;
  std::size_t namelen;
  std::size_t valuelen;
  std::uint8_t flags;
};

struct nghttp2_frame_hd {
  std::size_t length;
  std::int32_t stream_id;
  std::uint8_t type;
  std::uint8_t flags;
  std::uint8_t reserved;
};

struct nghttp2_priority_spec {
  std::int32_t stream_id;
  std::int32_t weight;
  std::uint8_t exclusive;
};

struct nghttp2_data {
  nghttp2_frame_hd hd;
  std::size_t padlen;
};

struct nghttp2_headers {
  nghttp2_frame_hd hd;
  std::size_t padlen;
  nghttp2_priority_spec pri_spec;
  nghttp2_nv* nva;
  std::size_t nvlen;
  int cat;
};

struct nghttp2_priority {
  nghttp2_frame_hd hd;
  nghttp2_priority_spec pri_spec;
};

struct nghttp2_settings_entry {
  std::int32_t settings_id;
  std::uint32_t value;
};

struct nghttp2_settings {
  nghttp2_frame_hd hd;
  std::size_t niv;
  nghttp2_settings_entry* iv;
};

struct nghttp2_push_promise {
  nghttp2_frame_hd hd;
  std::size_t padlen;
  nghttp2_nv* nva;
  std::size_t nvlen;
  std::int32_t promised_stream_id;
  std::uint8_t reserved;
};

struct nghttp2_ping {
  nghttp2_frame_hd hd;
  std::uint8_t opaque_data[8];
};

struct nghttp2_goaway {
  nghttp2_frame_hd hd;
  std::int32_t last_stream_id;
  std::uint32_t error_code;
  std::uint8_t* opaque_data;
  std::size_t opaque_data_len;
  std::uint8_t reserved;
};

struct nghttp2_extension {
  nghttp2_frame_hd hd;
  void* payload;
};

struct nghttp2_ext_altsvc {
  std::uint8_t* origin;
  std::size_t origin_len;
  std::uint8_t* field_value;
  std::size_t field_value_len;
};

struct nghttp2_origin_entry {
  std::uint8_t* origin;
  std::size_t origin_len;
};

struct nghttp2_ext_origin {
  std::size_t nov;
  nghttp2_origin_entry* ov;
};

union nghttp2_frame {
  nghttp2_frame_hd hd;
  nghttp2_data data;
  nghttp2_headers headers;
  nghttp2_priority priority;
  nghttp2_settings settings;
  nghttp2_push_promise push_promise;
  nghttp2_ping ping;
  nghttp2_goaway goaway;
  nghttp2_extension ext;
};

union nghttp2_data_source {
  int fd;
  void* ptr;
};

struct nghttp2_data_provider2 {
  nghttp2_data_source source;
  ssize_t (*read_callback)(nghttp2_session*, std::int32_t stream_id, std::uint8_t* buffer,
                           std::size_t length, std::uint32_t* data_flags,
                           nghttp2_data_source* source, void* user_data);
};

struct nghttp2_mem {
  void* mem_user_data;
  void* (*malloc)(std::size_t size, void* user_data);
  void (*free)(void* memory, void* user_data);
  void* (*calloc)(std::size_t count, std::size_t size, void* user_data);
  void* (*realloc)(void* memory, std::size_t size, void* user_data);
};

// ---- Memory and errors --------------------------------------------------------------------------

nghttp2_vec nghttp2_rcbuf_get_buf(nghttp2_rcbuf*);
int nghttp2_rcbuf_is_static(const nghttp2_rcbuf*);
void nghttp2_rcbuf_incref(nghttp2_rcbuf*);
void nghttp2_rcbuf_decref(nghttp2_rcbuf*);
const char* nghttp2_strerror(int error);
int nghttp2_is_fatal(int error);

// ---- Callbacks ----------------------------------------------------------------------------------

int nghttp2_session_callbacks_new(nghttp2_session_callbacks** out);
void nghttp2_session_callbacks_del(nghttp2_session_callbacks*);
void nghttp2_session_callbacks_set_on_frame_recv_callback(nghttp2_session_callbacks*,
                                                          int (*)(nghttp2_session*,
                                                                  const nghttp2_frame*, void*));
void nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(
    nghttp2_session_callbacks*, int (*)(nghttp2_session*, const nghttp2_frame*, int error, void*));
void nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
    nghttp2_session_callbacks*,
    int (*)(nghttp2_session*, std::uint8_t flags, std::int32_t stream_id, const std::uint8_t* data,
            std::size_t size, void*));
void nghttp2_session_callbacks_set_on_frame_send_callback(nghttp2_session_callbacks*,
                                                          int (*)(nghttp2_session*,
                                                                  const nghttp2_frame*, void*));
void nghttp2_session_callbacks_set_on_frame_not_send_callback(
    nghttp2_session_callbacks*, int (*)(nghttp2_session*, const nghttp2_frame*, int error, void*));
void nghttp2_session_callbacks_set_on_stream_close_callback(nghttp2_session_callbacks*,
                                                            int (*)(nghttp2_session*,
                                                                    std::int32_t stream_id,
                                                                    std::uint32_t code, void*));
void nghttp2_session_callbacks_set_on_begin_headers_callback(nghttp2_session_callbacks*,
                                                             int (*)(nghttp2_session*,
                                                                     const nghttp2_frame*, void*));
void nghttp2_session_callbacks_set_on_header_callback2(
    nghttp2_session_callbacks*, int (*)(nghttp2_session*, const nghttp2_frame*, nghttp2_rcbuf* name,
                                        nghttp2_rcbuf* value, std::uint8_t flags, void*));
void nghttp2_session_callbacks_set_on_invalid_header_callback2(
    nghttp2_session_callbacks*, int (*)(nghttp2_session*, const nghttp2_frame*, nghttp2_rcbuf* name,
                                        nghttp2_rcbuf* value, std::uint8_t flags, void*));
void nghttp2_session_callbacks_set_select_padding_callback2(nghttp2_session_callbacks*,
                                                            ssize_t (*)(nghttp2_session*,
                                                                        const nghttp2_frame*,
                                                                        std::size_t most, void*));
void nghttp2_session_callbacks_set_send_data_callback(
    nghttp2_session_callbacks*, int (*)(nghttp2_session*, nghttp2_frame*, const std::uint8_t* head,
                                        std::size_t length, nghttp2_data_source*, void*));
void nghttp2_session_callbacks_set_error_callback2(nghttp2_session_callbacks*,
                                                   int (*)(nghttp2_session*, int error,
                                                           const char* message, std::size_t length,
                                                           void*));

// ---- Options ------------------------------------------------------------------------------------

int nghttp2_option_new(nghttp2_option** out);
void nghttp2_option_del(nghttp2_option*);
void nghttp2_option_set_no_auto_window_update(nghttp2_option*, int on);
void nghttp2_option_set_no_closed_streams(nghttp2_option*, int on);
void nghttp2_option_set_peer_max_concurrent_streams(nghttp2_option*, std::uint32_t);
void nghttp2_option_set_max_reserved_remote_streams(nghttp2_option*, std::uint32_t);
void nghttp2_option_set_builtin_recv_extension_type(nghttp2_option*, std::uint8_t type);
void nghttp2_option_set_max_send_header_block_length(nghttp2_option*, std::size_t);
void nghttp2_option_set_max_deflate_dynamic_table_size(nghttp2_option*, std::size_t);
void nghttp2_option_set_max_settings(nghttp2_option*, std::size_t);
void nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(nghttp2_option*, int on);
void nghttp2_option_set_stream_reset_rate_limit(nghttp2_option*, std::uint64_t burst,
                                                std::uint64_t rate);

// ---- Sessions -----------------------------------------------------------------------------------

int nghttp2_session_client_new3(nghttp2_session** out, const nghttp2_session_callbacks*,
                                void* user_data, const nghttp2_option*, nghttp2_mem*);
int nghttp2_session_server_new3(nghttp2_session** out, const nghttp2_session_callbacks*,
                                void* user_data, const nghttp2_option*, nghttp2_mem*);
void nghttp2_session_del(nghttp2_session*);
ssize_t nghttp2_session_mem_send2(nghttp2_session*, const std::uint8_t** data);
ssize_t nghttp2_session_mem_recv2(nghttp2_session*, const std::uint8_t* data, std::size_t size);
int nghttp2_session_resume_data(nghttp2_session*, std::int32_t stream_id);
int nghttp2_session_want_read(nghttp2_session*);
int nghttp2_session_want_write(nghttp2_session*);
int nghttp2_session_consume_connection(nghttp2_session*, std::size_t);
int nghttp2_session_consume_stream(nghttp2_session*, std::int32_t stream_id, std::size_t);
int nghttp2_session_terminate_session(nghttp2_session*, std::uint32_t code);
int nghttp2_session_set_next_stream_id(nghttp2_session*, std::int32_t);
int nghttp2_session_set_local_window_size(nghttp2_session*, std::uint8_t flags,
                                          std::int32_t stream_id, std::int32_t size);

std::uint32_t nghttp2_session_get_next_stream_id(nghttp2_session*);
std::int32_t nghttp2_session_get_last_proc_stream_id(nghttp2_session*);
std::size_t nghttp2_session_get_outbound_queue_size(nghttp2_session*);
std::int32_t nghttp2_session_get_effective_recv_data_length(nghttp2_session*);
std::int32_t nghttp2_session_get_effective_local_window_size(nghttp2_session*);
std::int32_t nghttp2_session_get_local_window_size(nghttp2_session*);
std::int32_t nghttp2_session_get_remote_window_size(nghttp2_session*);
std::size_t nghttp2_session_get_hd_inflate_dynamic_table_size(nghttp2_session*);
std::size_t nghttp2_session_get_hd_deflate_dynamic_table_size(nghttp2_session*);
std::uint32_t nghttp2_session_get_remote_settings(nghttp2_session*, nghttp2_settings_id);
std::uint32_t nghttp2_session_get_local_settings(nghttp2_session*, nghttp2_settings_id);
std::int32_t nghttp2_session_get_stream_local_window_size(nghttp2_session*, std::int32_t stream_id);
int nghttp2_session_get_stream_local_close(nghttp2_session*, std::int32_t stream_id);
int nghttp2_session_get_stream_remote_close(nghttp2_session*, std::int32_t stream_id);
nghttp2_stream* nghttp2_session_find_stream(nghttp2_session*, std::int32_t stream_id);
int nghttp2_stream_get_state(nghttp2_stream*);
std::int32_t nghttp2_stream_get_weight(nghttp2_stream*);
std::int32_t nghttp2_stream_get_sum_dependency_weight(nghttp2_stream*);

// ---- Frames -------------------------------------------------------------------------------------

std::int32_t nghttp2_submit_request2(nghttp2_session*, const nghttp2_priority_spec*,
                                     const nghttp2_nv*, std::size_t count,
                                     const nghttp2_data_provider2*, void* stream_user_data);
int nghttp2_submit_response2(nghttp2_session*, std::int32_t stream_id, const nghttp2_nv*,
                             std::size_t count, const nghttp2_data_provider2*);
int nghttp2_submit_trailer(nghttp2_session*, std::int32_t stream_id, const nghttp2_nv*,
                           std::size_t count);
std::int32_t nghttp2_submit_headers(nghttp2_session*, std::uint8_t flags, std::int32_t stream_id,
                                    const nghttp2_priority_spec*, const nghttp2_nv*,
                                    std::size_t count, void* stream_user_data);
int nghttp2_submit_data2(nghttp2_session*, std::uint8_t flags, std::int32_t stream_id,
                         const nghttp2_data_provider2*);
int nghttp2_submit_rst_stream(nghttp2_session*, std::uint8_t flags, std::int32_t stream_id,
                              std::uint32_t code);
int nghttp2_submit_settings(nghttp2_session*, std::uint8_t flags, const nghttp2_settings_entry*,
                            std::size_t count);
std::int32_t nghttp2_submit_push_promise(nghttp2_session*, std::uint8_t flags,
                                         std::int32_t stream_id, const nghttp2_nv*,
                                         std::size_t count, void* stream_user_data);
int nghttp2_submit_ping(nghttp2_session*, std::uint8_t flags, const std::uint8_t* payload);
int nghttp2_submit_goaway(nghttp2_session*, std::uint8_t flags, std::int32_t last_stream_id,
                          std::uint32_t code, const std::uint8_t* data, std::size_t size);
int nghttp2_submit_altsvc(nghttp2_session*, std::uint8_t flags, std::int32_t stream_id,
                          const std::uint8_t* origin, std::size_t origin_size,
                          const std::uint8_t* value, std::size_t value_size);
int nghttp2_submit_origin(nghttp2_session*, std::uint8_t flags, const nghttp2_origin_entry*,
                          std::size_t count);
}
