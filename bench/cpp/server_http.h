// What the HTTP servers of the benchmarks share.
#pragma once

#include <openssl/ssl.h>

#include <string>
#include <string_view>

#include "http/llhttp.h"

namespace rondo::bench {

/// The same bytes as rondo::http sends, except for the date, which the others do not have to make.
inline constexpr std::string_view kHello =
    "HTTP/1.1 200 OK\r\nDate: Wed, 18 Nov 2026 12:00:00 GMT\r\nContent-Length: 5\r\n\r\nhello";

/// A parser that counts complete requests, and looks at nothing else.
class RequestCounter {
 public:
  RequestCounter() {
    static const llhttp_settings_t kSettings = [] {
      llhttp_settings_t made{};
      made.on_message_complete = [](llhttp_t* parser) {
        ++*static_cast<std::size_t*>(parser->data);
        return 0;
      };
      return made;
    }();
    llhttp_init(&parser_, HTTP_REQUEST, &kSettings);
  }
  RequestCounter(const RequestCounter&) = delete;
  RequestCounter& operator=(const RequestCounter&) = delete;

  /// How many requests these bytes complete.
  std::size_t feed(const char* bytes, std::size_t size) {
    std::size_t count = 0;
    parser_.data = &count;
    const bool ok = llhttp_execute(&parser_, bytes, size) == HPE_OK;
    return ok ? count : 0;
  }

 private:
  llhttp_t parser_{};
};

/// A file of kFileBytes in the folder for temporary files; removed when the program of the bench
/// ends, or the next one of the same name is made.
std::string make_file();

/// A certificate for localhost that signs itself, and its key, as PEM.
struct Identity {
  std::string certificate;
  std::string key;
};
Identity make_identity();

}  // namespace rondo::bench
