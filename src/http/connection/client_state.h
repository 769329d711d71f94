// What the connections of a client share: the idle ones, and how to make new ones.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rondo/http/client.h"
#include "rondo/loop.h"
#include "rondo/operation.h"

#include "http/connection/client_connection.h"
#include "io/counted_ref.h"

namespace rondo::http {

class ClientState final : private LoopOwned {
 public:
  ClientState(Loop& loop, ClientOptions options);

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }
  const ClientOptions& options() const noexcept { return options_; }
  Loop& loop() const noexcept { return loop_; }

  // Each holds a reference to the state: a client may be destroyed while a request is in progress.
  static Async<Expected<ClientResponse>> send(Ref<ClientState> self, ClientRequest request);
  static Async<Expected<ClientUpload>> upload(Ref<ClientState> self, ClientRequest request);

  void set_connector(std::string scheme, std::uint16_t port, Client::Connector connector);
  std::size_t idle_connections() const noexcept { return idle_.size(); }
  void close_idle() noexcept;
  /// The client is gone: nothing is kept any more.
  void abandon() noexcept;

  void now_idle(ClientConnection& connection);
  void remove(ClientConnection& connection) noexcept;
  /// Of one that is being destroyed.
  void forget(ClientConnection& connection) noexcept;

 private:
  struct Scheme {
    std::uint16_t port;
    std::shared_ptr<Client::Connector> connect;
  };

  ~ClientState() override = default;
  void loop_ends() noexcept override;
  static Async<Expected<Ref<ClientConnection>>> connect(Ref<ClientState> self, Url url,
                                                        std::string origin);
  Ref<ClientConnection> take_idle(const std::string& origin);
  Expected<std::string> origin_of(const Url& url) const;
  void check_times();

  Loop& loop_;
  ClientOptions options_;
  std::uint32_t references_ = 0;
  std::map<std::string, Scheme, std::less<>> schemes_;
  std::vector<Ref<ClientConnection>> idle_;  // in the order in which they became so
  std::vector<ClientConnection*> all_;
  Timer timer_;
  bool abandoned_ = false;
};

}  // namespace rondo::http
