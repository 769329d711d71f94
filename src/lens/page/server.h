// The lens's web server: a thread with poll(2), loopback only. It reads the metrics and never
// touches the loop; nothing is computed without a request.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "rondo/lens.h"
#include "rondo/lens/metrics.h"
#include "rondo/lens/page.h"

#include "lens/page/access_check.h"
#include "lens/page/connection.h"
#include "lens/page/figures_json.h"

namespace rondo::lens {

class Server {
 public:
  static constexpr std::size_t kMostConnections = 32;
  /// So many more may be on their way out, with their last answer.
  static constexpr std::size_t kMostLeaving = 64;

  /// Listens at 127.0.0.1. Throws std::system_error.
  Server(Lens& lens, const Metrics& metrics, const std::string& token, const PageOptions& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const noexcept { return port_; }

  /// On the loop's thread, when the program has ended: clients get the last figures. Returns when
  /// they have been sent, or after a while.
  void report_end() noexcept;

 private:
  using Moment = Connection::Moment;

  void listen(std::uint16_t port);
  void start();
  void run();
  int time_to_wait(Moment now) const;
  void accept_some(Moment now);
  bool make_room(Moment now);
  void serve(Connection& connection, Moment now);
  void answer(Connection& connection, const HttpRequest& request, Moment now);
  void refuse(Connection& connection, Verdict verdict, bool has_text, Moment now);

  bool has_listeners() const;
  void send_frames(Moment now);
  bool ask_place(const Figures& figures, Moment now);
  Figures look(Moment now);
  std::string snapshot(Moment now);

  Lens& lens_;
  const Metrics& metrics_;
  int listener_ = -1;
  int stop_ = -1;  // an eventfd
  int end_ = -1;   // an eventfd: the last figures are wanted
  std::string program_;
  std::atomic<bool> is_watched_ = false;  // a client receives frames
  std::binary_semaphore end_reported_{0};
  std::uint16_t port_ = 0;
  Gate gate_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Moment accept_again_{};  // after it could not

  // While a page is open: the histograms as they were at each of the last ten frames.
  std::array<Lengths, 10> past_;
  std::size_t looks_ = 0;
  Moment next_frame_{};
  Moment asked_place_{};
  std::thread thread_;
};

}  // namespace rondo::lens
