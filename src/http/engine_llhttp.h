// llhttp 9.4, which the engine carries and whose header the engine's package lacks: what we use of
// it. The struct is the parser itself, which lives inside ours, so its layout has to be exact:
// tests/runtime/http_parser_test.cpp parses with it and looks at the bytes around it. make_engine
// checks that the engine exports the functions.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct llhttp_t {
  std::int32_t index;
  void* span_position;
  void* span_callback;
  std::int32_t error;
  const char* reason;
  const char* error_position;
  void* data;  // ours
  void* current;
  std::uint64_t content_length;
  std::uint8_t type;
  std::uint8_t method;
  std::uint8_t http_major;
  std::uint8_t http_minor;
  std::uint8_t header_state;
  std::uint16_t lenient_flags;
  std::uint8_t upgrade;
  std::uint8_t finish;
  std::uint16_t flags;
  std::uint16_t status_code;
  std::uint8_t initial_message_completed;
  void* settings;
};
static_assert(sizeof(llhttp_t) == 96);

using llhttp_data_cb = int (*)(llhttp_t*, const char* at, std::size_t length);
using llhttp_cb = int (*)(llhttp_t*);

struct llhttp_settings_t {
  llhttp_cb on_message_begin;
  llhttp_data_cb on_protocol;
  llhttp_data_cb on_url;
  llhttp_data_cb on_status;
  llhttp_data_cb on_method;
  llhttp_data_cb on_version;
  llhttp_data_cb on_header_field;
  llhttp_data_cb on_header_value;
  llhttp_data_cb on_chunk_extension_name;
  llhttp_data_cb on_chunk_extension_value;
  llhttp_cb on_headers_complete;
  llhttp_data_cb on_body;
  llhttp_cb on_message_complete;
  llhttp_cb on_protocol_complete;
  llhttp_cb on_url_complete;
  llhttp_cb on_status_complete;
  llhttp_cb on_method_complete;
  llhttp_cb on_version_complete;
  llhttp_cb on_header_field_complete;
  llhttp_cb on_header_value_complete;
  llhttp_cb on_chunk_extension_name_complete;
  llhttp_cb on_chunk_extension_value_complete;
  llhttp_cb on_chunk_header;
  llhttp_cb on_chunk_complete;
  llhttp_cb on_reset;
};
static_assert(sizeof(llhttp_settings_t) == 25 * sizeof(void*));

// Errors (llhttp's HPE_...), flags of a message and types of parsers, with llhttp's numbers.
enum : int {
  llhttp_ok = 0,
  llhttp_paused = 21,
  llhttp_paused_upgrade = 22,
  llhttp_user = 24,
};
enum : std::uint16_t { llhttp_flag_chunked = 0x8, llhttp_flag_transfer_encoding = 0x200 };
enum : int { llhttp_request = 1, llhttp_response = 2 };

void llhttp_init(llhttp_t* parser, int type, const llhttp_settings_t* settings);
int llhttp_execute(llhttp_t* parser, const char* data, std::size_t length);
int llhttp_finish(llhttp_t* parser);
int llhttp_should_keep_alive(const llhttp_t* parser);
void llhttp_pause(llhttp_t* parser);
void llhttp_resume(llhttp_t* parser);
void llhttp_resume_after_upgrade(llhttp_t* parser);
const char* llhttp_get_error_reason(const llhttp_t* parser);
void llhttp_set_error_reason(llhttp_t* parser, const char* reason);
const char* llhttp_get_error_pos(const llhttp_t* parser);
const char* llhttp_errno_name(int error);
const char* llhttp_method_name(int method);

}  // extern "C"
