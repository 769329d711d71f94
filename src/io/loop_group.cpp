#include "rondo/loop_group.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <vector>

#include "rondo/signal.h"

#include "io/descriptor.h"

namespace rondo {

namespace {

std::size_t usable_processors() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace

class LoopGroup::Shared {
 public:
  Shared(std::size_t count, const LoopGroupOptions& options) : options_(options) {
    members_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) members_.push_back(std::make_unique<Member>());
    try {
      for (auto& member : members_) start(*member);
    } catch (...) {
      stop();
      wait_for_threads();
      throw;
    }
  }
  ~Shared() {
    stop();
    wait_for_threads();
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::size_t size() const noexcept { return members_.size(); }
  Loop& loop(std::size_t index) noexcept { return *members_[index]->loop; }
  Loop& next() noexcept { return loop(next_index()); }
  std::stop_token token() const noexcept { return source_.get_token(); }

  Expected<SocketAddress> listen(SocketAddress address, const ServeOptions& options,
                                 Connection connection) {
    const auto shared = std::make_shared<const Connection>(std::move(connection));
    {
      const std::lock_guard guard(handlers_mutex_);
      handlers_.push_back(shared);
    }
    const bool each = options.spread == Spread::reuse_port;
    ListenOptions listen_options = options.listen;
    if (each && members_.size() > 1) listen_options.reuse_port = true;
    for (std::size_t i = 0; i < (each ? members_.size() : 1); ++i) {
      auto bound = call(*members_[i], [&]() -> Expected<SocketAddress> {
        return each ? listen_alone(*members_[i], address, listen_options, shared)
                    : listen_for_all(*members_[i], address, listen_options, shared);
      });
      if (!bound) {
        // Those before it must not serve alone.
        for (std::size_t k = 0; k < i; ++k) {
          std::ignore = call(*members_[k], [&]() -> Expected<SocketAddress> {
            members_[k]->servers.back().close();
            members_[k]->servers.pop_back();
            return address;
          });
        }
        return bound;
      }
      address = *bound;  // with the port that the first has found
    }
    return address;
  }

  void stop() noexcept {
    if (stopping_.exchange(true)) {
      for (auto& member : members_) {
        if (member->loop != nullptr) member->loop->stop();
      }
      return;
    }
    for (auto& member : members_) {
      if (member->loop == nullptr) continue;
      member->loop->post([this, one = member.get()] { stop_member(*one); });
    }
    source_.request_stop();
  }

  void stop_on(std::vector<int> signals) {
    Member& first = *members_.front();
    first.loop->post([this, &first, signals = std::move(signals)] {
      for (const int number : signals) {
        SignalWatcher watcher(*first.loop);
        if (!watcher.start(number, [this](int /*signum*/) { stop(); })) continue;
        watcher.unref();
        first.signals.push_back(std::move(watcher));
      }
    });
  }

  void join() {
    wait_for_threads();
    const std::lock_guard guard(thrown_mutex_);
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  /// What a thread outside wants of a loop, and waits for.
  struct Call {
    std::promise<Expected<SocketAddress>> answer;
  };

  /// A loop, created on its thread and destroyed with the group, when the threads have
  /// ended. But for `loop`, `calls` and what guards them everything is its thread's.
  struct Member {
    std::thread thread;
    std::unique_ptr<Loop> loop;  // set before the group is there
    std::mutex mutex;            // guards the two below, for call() only
    std::vector<std::shared_ptr<Call>> calls;
    bool ended = false;
    KeepAlive hold;  // until stop()
    std::stop_source source;
    std::vector<TcpServer> servers;
    std::vector<SignalWatcher> signals;
  };

  void start(Member& member) {
    std::promise<void> ready;
    auto started = ready.get_future();
    member.thread = std::thread([this, &member, ready = std::move(ready)]() mutable {
      try {
        member.loop = std::make_unique<Loop>(options_.loop);
        member.hold = member.loop->keep_alive();
      } catch (...) {
        ready.set_exception(std::current_exception());
        return;
      }
      ready.set_value();
      run(member);
    });
    started.get();
  }

  void run(Member& member) noexcept {
    try {
      member.loop->run();
    } catch (...) {
      {
        const std::lock_guard guard(thrown_mutex_);
        if (thrown_ == nullptr) thrown_ = std::current_exception();
      }
      if (!stopping_.load()) stop();
    }
    // Calls made so far have been answered; later ones are refused.
    const std::lock_guard guard(member.mutex);
    member.ended = true;
    for (const auto& call : member.calls) {
      call->answer.set_value(std::unexpected(errno_code(ECANCELED)));
    }
    member.calls.clear();
  }

  /// Calls a function on the thread of a loop, and waits for what it gives. ECANCELED when the loop
  /// has ended.
  template <class Function>
  Expected<SocketAddress> call(Member& member, Function function) {
    auto call = std::make_shared<Call>();
    auto answer = call->answer.get_future();
    {
      const std::lock_guard guard(member.mutex);
      if (member.ended || stopping_.load()) return std::unexpected(errno_code(ECANCELED));
      member.calls.push_back(call);
    }
    member.loop->post([&function, &member, call] {
      {
        const std::lock_guard guard(member.mutex);
        if (std::erase(member.calls, call) == 0) return;  // refused, and the caller has gone
      }
      call->answer.set_value(function());
    });
    return answer.get();
  }

  void stop_member(Member& member) {
    for (TcpServer& server : member.servers) server.close();
    member.servers.clear();
    member.signals.clear();
    member.loop->set_timeout(options_.grace, [&member] { member.loop->stop(); }).unref();
    member.hold.release();
    member.source.request_stop();
  }

  Expected<SocketAddress> listen_with(Member& member, const SocketAddress& address,
                                      const ListenOptions& options,
                                      Callback<void(TcpSocket)> on_connection) {
    TcpServer server(*member.loop);
    server.on_connection(std::move(on_connection));
    if (const auto bound = server.listen(address, options); !bound) {
      return std::unexpected(bound.error());
    }
    member.servers.push_back(server);
    return server.address();
  }

  Expected<SocketAddress> listen_alone(Member& member, const SocketAddress& address,
                                       const ListenOptions& options,
                                       const std::shared_ptr<const Connection>& connection) {
    return listen_with(member, address, options, [&member, connection](TcpSocket socket) {
      (*connection)(*member.loop, std::move(socket), member.source.get_token());
    });
  }

  Expected<SocketAddress> listen_for_all(Member& first, const SocketAddress& address,
                                         const ListenOptions& options,
                                         const std::shared_ptr<const Connection>& connection) {
    return listen_with(first, address, options, [=, this, &first](TcpSocket socket) {
      Member& member = *members_[next_index()];
      if (&member == &first) {
        (*connection)(*first.loop, std::move(socket), first.source.get_token());
        return;
      }
      const Expected<int> fd = socket.release();
      if (!fd) return;  // the peer has gone already
      member.loop->post(
          [&member, connection, tcp = options.accepted, owned = Descriptor(*fd)]() mutable {
            auto adopted = TcpSocket::adopt(*member.loop, owned.get(), tcp);
            if (!adopted) return;
            owned.release();
            (*connection)(*member.loop, *std::move(adopted), member.source.get_token());
          });
    });
  }

  std::size_t next_index() noexcept {
    return next_.fetch_add(1, std::memory_order_relaxed) % members_.size();
  }

  void wait_for_threads() noexcept {
    for (auto& member : members_) {
      if (member->thread.joinable()) member->thread.join();
    }
  }

  LoopGroupOptions options_;
  // A handler may be a lambda that is a coroutine: its captures have to outlive every connection,
  // also those that go with the loops.
  std::mutex handlers_mutex_;
  std::vector<std::shared_ptr<const Connection>> handlers_;
  std::vector<std::unique_ptr<Member>> members_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopping_ = false;
  std::stop_source source_;
  std::mutex thrown_mutex_;
  std::exception_ptr thrown_;
};

LoopGroup::LoopGroup(std::size_t loops, LoopGroupOptions options)
    : shared_(std::make_unique<Shared>(loops == 0 ? usable_processors() : loops, options)) {}
LoopGroup::~LoopGroup() = default;

std::size_t LoopGroup::size() const noexcept {
  return shared_->size();
}
Loop& LoopGroup::loop(std::size_t index) noexcept {
  return shared_->loop(index);
}
Loop& LoopGroup::next() noexcept {
  return shared_->next();
}
void LoopGroup::post_to_each(const std::function<void(Loop&, std::size_t)>& function) {
  for (std::size_t i = 0; i < size(); ++i) {
    post(i, [function, i, &one = loop(i)] { function(one, i); });
  }
}
Expected<SocketAddress> LoopGroup::listen(const SocketAddress& address, const ServeOptions& options,
                                          Connection connection) {
  return shared_->listen(address, options, std::move(connection));
}
std::stop_token LoopGroup::stop_token() const noexcept {
  return shared_->token();
}
void LoopGroup::stop() {
  shared_->stop();
}
void LoopGroup::stop_on(std::initializer_list<int> signals) {
  shared_->stop_on(signals);
}
void LoopGroup::join() {
  shared_->join();
}

}  // namespace rondo
