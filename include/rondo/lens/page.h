// The lens as a page: a small web server on loopback, on a thread of its own, which answers also
// while the loop is stuck.
//
//     rondo::Loop loop;
//     rondo::lens::Lens lens(loop);
//     rondo::lens::Page page(lens);
//     puts(page.address().c_str());                 // http://127.0.0.1:40123/?token=...
//     loop.run();
//
// /               the page
// /metrics        the figures, for Prometheus
// /snapshot.json  the figures and lists, once
// /events         the same, ten times a second, as server-sent events
//
// Every request needs the token (?token=...), which is only in the printed URL; other
// sites in the same browser get nothing. The page keeps no loop alive.
#pragma once

#include <cstdint>
#include <string>

#include "rondo/detail/memory.h"
#include "rondo/lens.h"
#include "rondo/lens/metrics.h"

namespace rondo::lens {

class Server;

struct PageOptions {
  std::uint16_t port = 0;    // 0: any that is free
  std::string program = {};  // what the page calls it; empty: the loop
};

class Page {
 public:
  /// Throws std::system_error if the port cannot be had.
  explicit Page(Lens& lens, PageOptions options = {});
  /// Ends the server.
  ~Page();
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  std::uint16_t port() const noexcept;
  /// With the token.
  const std::string& address() const noexcept { return address_; }
  const std::string& token() const noexcept { return token_; }
  const Metrics& metrics() const noexcept { return metrics_; }

 private:
  Metrics metrics_;
  std::string token_;
  std::unique_ptr<Server> server_;
  std::string address_;
};

}  // namespace rondo::lens
