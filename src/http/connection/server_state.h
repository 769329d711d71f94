// What the connections of a server share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/http/server.h"
#include "rondo/loop.h"
#include "rondo/operation.h"

#include "http/connection/server_connection.h"
#include "io/counted_ref.h"

namespace rondo::http {

class ServerState final : private LoopOwned {
 public:
  ServerState(Loop& loop, ServerOptions options);
  ~ServerState() override;

  Loop& loop() const noexcept { return loop_; }
  const ServerOptions& options() const noexcept { return options_; }
  void set_handler(Callback<void(Request, Response)> handler);
  void handle(Request request, Response response) noexcept;

  Expected<> listen(const SocketAddress& address, ListenOptions options);
  void serve(AnyStream stream);
  SocketAddress address() const;
  std::size_t connections() const noexcept { return count_; }
  std::uint64_t requests() const noexcept { return requests_; }
  void close(Callback<> done);
  void destroy();
  bool closing() const noexcept { return closing_; }

  // ---- For connections -------------------------------------------------------------------------

  void remove(ServerConnection& connection) noexcept;
  /// "Date: ...\r\n", made once per second.
  std::string_view date_line();
  /// Where responses are built, empty.
  std::string& scratch() noexcept {
    scratch_.clear();
    return scratch_;
  }

 private:
  void loop_ends() noexcept override;
  void accept_more(bool on);
  void check_times();
  void done_if_empty();

  Loop& loop_;
  ServerOptions options_;
  std::vector<std::unique_ptr<Callback<void(Request, Response)>>> handlers_;  // the last one counts
  std::vector<TcpServer> listeners_;
  ServerConnection* first_ = nullptr;
  std::size_t count_ = 0;
  std::uint64_t requests_ = 0;
  std::string scratch_;
  std::string date_line_;
  std::int64_t date_at_ms_ = 0;
  std::int64_t close_at_ms_ = 0;
  Timer timer_;  // set while there are connections
  Callback<> closed_;
  bool closing_ = false;
  bool accepting_ = true;
};

}  // namespace rondo::http
