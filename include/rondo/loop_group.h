// Loops on several threads, for servers that use all cores.
//
//     rondo::LoopGroup loops(4);
//     auto listening = loops.serve(rondo::SocketAddress::any(7000), [](rondo::TcpSocket socket) {
//       return echo(std::move(socket));         // an Async<>, on the loop that has the connection
//     });
//     if (!listening) return 1;
//     loops.stop_on({SIGINT, SIGTERM});
//     loops.join();                             // until stopped, and every connection has ended
//
// Each thread has a loop of its own, and they share nothing: no lock is taken for a connection. The
// kernel spreads connections over them (SO_REUSEPORT), or one loop accepts and distributes them
// round robin.
//
// Between loops: post(), Channel, Promise, on(). A handle belongs to its loop: give a connection
// away by TcpSocket::release() here and TcpSocket::adopt() there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "rondo/async.h"
#include "rondo/callback.h"
#include "rondo/detail/chrono.h"
#include "rondo/detail/functional.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"
#include "rondo/loop.h"
#include "rondo/net.h"

namespace rondo {

struct LoopGroupOptions {
  /// Of each loop. Its clock, scheduler and observer must be safe to use from several threads.
  LoopOptions loop = {};
  /// How long stop() waits for what runs to end by itself; then each loop is stopped.
  std::chrono::milliseconds grace{10'000};
};

/// How connections come to the loops.
enum class Spread : std::uint8_t {
  /// Each loop listens on the address, and the kernel chooses one by the addresses of the peer.
  reuse_port,
  /// The first loop accepts, and distributes round robin: even with few connections, at the price
  /// of a
  /// wake-up for each.
  in_turn,
};

struct ServeOptions {
  Spread spread = Spread::reuse_port;
  ListenOptions listen = {};
};

class LoopGroup {
 public:
  /// Starts the threads; 0 for as many as this process may use processors. Throws std::system_error
  /// if a loop or a thread cannot be had: none is left then.
  explicit LoopGroup(std::size_t loops = 0, LoopGroupOptions options = {});
  /// Stops and joins.
  ~LoopGroup();
  LoopGroup(const LoopGroup&) = delete;
  LoopGroup& operator=(const LoopGroup&) = delete;

  // ---- From any thread --------------------------------------------------------------------------

  std::size_t size() const noexcept;
  /// One of the loops, for post() and on(). It stays as long as the group.
  Loop& loop(std::size_t index) noexcept;
  /// The loops, round robin.
  Loop& next() noexcept;

  /// Runs a callback on the thread of a loop.
  void post(std::size_t index, Callback<> callback) { loop(index).post(std::move(callback)); }
  /// Calls `function(loop, index)` on the thread of each.
  void post_to_each(const std::function<void(Loop& loop, std::size_t index)>& function);

  /// Serves connections: calls `handler` with each, on the thread of the loop that has it. It is
  /// called from several threads at once, so it is const. If it returns an Async, that is spawned,
  /// and asked to stop by stop(). Gives the address, whose port the kernel may have chosen; the
  /// errors are those of TcpServer::listen(), and ECANCELED after stop(). It waits for the loops,
  /// so it is not called by one of them.
  template <class Handler>
  [[nodiscard]] Expected<SocketAddress> serve(const SocketAddress& address, Handler handler,
                                              ServeOptions options = {}) {
    return listen(
        address, options,
        [handler = std::move(handler)](Loop& loop, TcpSocket socket, const std::stop_token& stop) {
          using Result = std::invoke_result_t<const Handler&, TcpSocket>;
          if constexpr (std::is_void_v<Result>) {
            handler(std::move(socket));
          } else {
            spawn(loop, handler(std::move(socket)), stop);
          }
        });
  }

  /// A token that stop() asks to stop, for coroutines that are spawned on the loops.
  std::stop_token stop_token() const noexcept;

  /// Graceful: listening ends, stop_token() is asked, and a loop that has nothing left ends. What
  /// still runs after the grace is dropped. Again: now.
  void stop();
  /// Calls stop() at one of these signals, on the first loop.
  void stop_on(std::initializer_list<int> signals);

  /// Waits until all threads have ended, which is after stop() only. What is left on the loops goes
  /// with the group. Throws what a loop has thrown: an uncaught exception ends its loop, and stops
  /// the group.
  void join();

 private:
  using Connection = std::function<void(Loop& loop, TcpSocket socket, const std::stop_token& stop)>;
  Expected<SocketAddress> listen(const SocketAddress& address, const ServeOptions& options,
                                 Connection connection);

  class Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace rondo
