// Response::send_file().
//
// A small file is read by one operation, which the page cache mostly answers on the spot, and sent
// in one piece with its head. A large one is read in pieces, each handed to the stream without a
// copy, the next one being read when the stream has room. That is one copy more than sendfile(2)
// makes, but it works for every stream, TLS included, and in the order of what else was written.
#include <cerrno>
#include <string>
#include <utility>

#include "rondo/fs.h"
#include "rondo/http/server.h"

#include "http/connection/server_connection.h"

namespace rondo::http {

namespace {

constexpr std::uint64_t kSmallFile = 64U << 10;
constexpr std::size_t kPiece = 256U << 10;

/// What is known of a response to a file before the file is opened.
struct Kind {
  bool has_type;
  bool is_head;  // no body is sent
};

void set_type(Response& response, const fs::Path& path, Kind kind) {
  if (!kind.has_type) response.header("Content-Type", content_type_of(path.text()));
}

Async<Expected<>> send_large(Response response, fs::Path path, Kind kind) {
  auto file = co_await fs::open(path);
  if (!file) co_return std::unexpected(file.error());
  const auto stat = co_await file->stat();
  if (!stat) co_return std::unexpected(stat.error());
  if (!stat->is_regular()) co_return std::unexpected(errno_code(EINVAL));
  std::uint64_t left = stat->size;
  set_type(response, path, kind);
  response.header("Content-Length", std::to_string(left));
  if (kind.is_head) co_return response.end();
  std::string piece;
  std::uint64_t offset = 0;
  while (left != 0) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece)));
    const auto count = co_await file->read(std::as_writable_bytes(std::span(piece)), offset);
    // A file that shrinks meanwhile cannot be sent whole: end() breaks the connection off.
    if (!count || *count == 0) break;
    const auto sent = co_await response.write_all(std::string_view(piece).substr(0, *count));
    if (!sent) co_return sent;
    offset += *count;
    left -= *count;
  }
  co_return response.end();
}

Async<Expected<>> send_any(Response response, fs::Path path, Kind kind) {
  auto content = co_await fs::read_file(path, {.at_most = kSmallFile});
  if (content) {
    set_type(response, path, kind);
    co_return response.send(*std::move(content));
  }
  // After any error the response is as it was: another one is still to be made.
  if (content.error() != errno_code(EFBIG)) co_return std::unexpected(content.error());
  co_return co_await send_large(std::move(response), std::move(path), kind);
}

}  // namespace

Async<Expected<>> Response::send_file(fs::Path path) {
  const ServerConnection* const asked = connection();
  const Kind kind{.has_type = has_header("Content-Type"),
                  .is_head = asked != nullptr && asked->is_head_request()};
  return send_any(*this, std::move(path), kind);
}

}  // namespace rondo::http
