// How a session of nghttp2 is made: its options, its memory, and the callbacks that lead to
// Session.
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "http2/session.h"

namespace rondo::http2 {

namespace {

constexpr std::uint32_t kFewestServerPairs = 4;

// nghttp2's memory counts among the session's: `user_data` is the count.
nghttp2_mem counting_memory(std::size_t& count) {
  const auto add = [](void* memory, void* user_data) {
    *static_cast<std::size_t*>(user_data) += malloc_usable_size(memory);
    return memory;
  };
  static constexpr auto kAdd = add;
  return {&count,
          [](std::size_t size, void* user_data) { return kAdd(std::malloc(size), user_data); },
          [](void* memory, void* user_data) {
            *static_cast<std::size_t*>(user_data) -= malloc_usable_size(memory);
            std::free(memory);
          },
          [](std::size_t number, std::size_t size, void* user_data) {
            return kAdd(std::calloc(number, size), user_data);
          },
          [](void* memory, std::size_t size, void* user_data) {
            const std::size_t before = malloc_usable_size(memory);
            void* const moved = std::realloc(memory, size);
            if (moved == nullptr && size != 0) return moved;
            *static_cast<std::size_t*>(user_data) -= before;
            return kAdd(moved, user_data);
          }};
}

struct OptionDeleter {
  void operator()(nghttp2_option* option) const noexcept { nghttp2_option_del(option); }
};

std::unique_ptr<nghttp2_option, OptionDeleter> make_option(Side side, const Options& options) {
  nghttp2_option* option = nullptr;
  if (nghttp2_option_new(&option) != 0) throw std::bad_alloc();
  std::unique_ptr<nghttp2_option, OptionDeleter> owner(option);
  // Streams that are closed are not kept, and windows open when the program has read.
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_no_auto_window_update(option, 1);
  if (side == Side::client) {
    nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ALTSVC);
    nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ORIGIN);
  }
  nghttp2_option_set_peer_max_concurrent_streams(option, options.peer_max_concurrent_streams);
  if (options.max_deflate_table) {
    nghttp2_option_set_max_deflate_dynamic_table_size(option, *options.max_deflate_table);
  }
  if (options.max_reserved_remote_streams) {
    nghttp2_option_set_max_reserved_remote_streams(option, *options.max_reserved_remote_streams);
  }
  if (options.max_send_header_block) {
    nghttp2_option_set_max_send_header_block_length(option, *options.max_send_header_block);
  }
  if (options.max_settings) nghttp2_option_set_max_settings(option, *options.max_settings);
  if (options.allows_field_whitespace) {
    nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(option, 1);
  }
  if (options.reset_burst != 0) {
    nghttp2_option_set_stream_reset_rate_limit(option, options.reset_burst, options.reset_rate);
  }
  return owner;
}

}  // namespace

// ---- Callbacks of nghttp2 -----------------------------------------------------------------------

// nghttp2 is written in C: exceptions must not pass it.
struct Session::Callbacks {
  template <class Work>
  static int guard(const Work& work) noexcept {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
  }
  static Session& of(void* session) { return *static_cast<Session*>(session); }

  static nghttp2_session_callbacks* make(bool pads);
  /// Made once, and never changed.
  static const nghttp2_session_callbacks* get(bool pads) {
    static nghttp2_session_callbacks* const plain = make(false);
    static nghttp2_session_callbacks* const padding = make(true);
    return pads ? padding : plain;
  }
  static ssize_t select_padding(const Session& session, const nghttp2_frame& frame,
                                std::size_t most) {
    if (session.options_.padding == Padding::most) return static_cast<ssize_t>(most);
    const std::size_t length = frame.hd.length;
    constexpr std::size_t kHead = 9;
    const std::size_t over = (length + kHead) % 8;
    return static_cast<ssize_t>(over == 0 ? length : std::min(most, length + 8 - over));
  }
};

nghttp2_session_callbacks* Session::Callbacks::make(bool pads) {
  nghttp2_session_callbacks* made = nullptr;
  if (nghttp2_session_callbacks_new(&made) != 0) throw std::bad_alloc();
  nghttp2_session_callbacks_set_on_begin_headers_callback(
      made, [](nghttp2_session*, const nghttp2_frame* frame, void* session) {
        return guard([&] { return of(session).begin_fields(*frame); });
      });
  nghttp2_session_callbacks_set_on_header_callback2(
      made, [](nghttp2_session*, const nghttp2_frame* frame, nghttp2_rcbuf* name,
               nghttp2_rcbuf* value, std::uint8_t flags, void* session) {
        return guard([&] { return of(session).add_field(*frame, name, value, flags); });
      });
  // Fields that HTTP/2 forbids are left out, and the stream continues.
  nghttp2_session_callbacks_set_on_invalid_header_callback2(
      made, [](nghttp2_session*, const nghttp2_frame*, nghttp2_rcbuf*, nghttp2_rcbuf*, std::uint8_t,
               void*) { return 0; });
  nghttp2_session_callbacks_set_on_frame_recv_callback(
      made, [](nghttp2_session*, const nghttp2_frame* frame, void* session) {
        return guard([&] { return of(session).frame_arrived(*frame); });
      });
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(
      made, [](nghttp2_session*, const nghttp2_frame*, int error, void* session) {
        return guard([&] { return of(session).invalid_frame(error); });
      });
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
      made, [](nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* data,
               std::size_t size, void* session) {
        return guard([&] {
          of(session).data_arrived(stream, {reinterpret_cast<const char*>(data), size});
          return 0;
        });
      });
  nghttp2_session_callbacks_set_on_stream_close_callback(
      made, [](nghttp2_session*, std::int32_t stream, std::uint32_t code, void* session) {
        return guard([&] {
          of(session).closed(stream, code);
          return 0;
        });
      });
  nghttp2_session_callbacks_set_on_frame_send_callback(
      made, [](nghttp2_session*, const nghttp2_frame* frame, void* session) {
        ++of(session).statistics_.frames_sent;
        if (frame->hd.type == NGHTTP2_GOAWAY && !of(session).goaway_is_ours_) {
          of(session).sent_own_goaway_ = true;
        }
        return 0;
      });
  nghttp2_session_callbacks_set_on_frame_not_send_callback(
      made, [](nghttp2_session*, const nghttp2_frame* frame, int error, void* session) {
        return guard([&] {
          of(session).frame_not_sent(*frame, error);
          return 0;
        });
      });
  nghttp2_session_callbacks_set_send_data_callback(
      made, [](nghttp2_session*, nghttp2_frame* frame, const std::uint8_t* head, std::size_t length,
               nghttp2_data_source*, void* session) {
        return guard([&] {
          of(session).send_data(*frame, head, length);
          return 0;
        });
      });
  nghttp2_session_callbacks_set_error_callback2(
      made, [](nghttp2_session*, int error, const char*, std::size_t, void* session) {
        return guard([&] {
          // The only sign that the other side does not speak HTTP/2 at all.
          if (error == NGHTTP2_ERR_SETTINGS_EXPECTED) {
            of(session).queue(EventKind::error, 0, NGHTTP2_ERR_PROTO);
          }
          return 0;
        });
      });
  if (pads) {
    nghttp2_session_callbacks_set_select_padding_callback2(
        made, [](nghttp2_session*, const nghttp2_frame* frame, std::size_t most, void* session) {
          return select_padding(of(session), *frame, most);
        });
  }
  return made;
}

nghttp2_data_provider2 Session::data_provider() {
  return {{.ptr = nullptr},
          [](nghttp2_session*, std::int32_t stream, std::uint8_t*, std::size_t most,
             std::uint32_t* flags, nghttp2_data_source*, void* session) {
            ssize_t amount = 0;
            const int failed = Callbacks::guard([&] {
              amount = Callbacks::of(session).read_data(stream, most, *flags);
              return 0;
            });
            return failed != 0 ? failed : amount;
          }};
}

// ---- Life ---------------------------------------------------------------------------------------

Session::Session(Side side, const Options& options) : side_(side), options_(options) {
  options_.max_header_pairs =
      std::max(options.max_header_pairs, side == Side::server ? kFewestServerPairs : 1U);
  const auto option = make_option(side, options);
  nghttp2_mem memory = counting_memory(memory_);
  const auto make =
      side == Side::server ? nghttp2_session_server_new3 : nghttp2_session_client_new3;
  if (make(&session_, Callbacks::get(options.padding != Padding::none), this, option.get(),
           &memory) != 0) {
    throw std::bad_alloc();
  }
}

Session::~Session() {
  // Fields are nghttp2's memory, which counts in memory_.
  events_.clear();
  streams_.clear();
  nghttp2_session_del(session_);
}

}  // namespace rondo::http2
