// A walk through the diagram of the guide: one callback for every box, each printing the phase it
// runs in. Run it with `make run`.
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "rondo/rondo.h"

using namespace std::chrono_literals;

namespace {

constexpr std::string_view kDiagram = R"(
        ┌─> timers            set_timeout, set_interval
        │   pending           defer
        │   idle, prepare     on_idle, on_prepare
        │   poll              wait for I/O, run I/O callbacks   <── kernel, other threads
        │   check             on_check, set_immediate
        └── close             queue_close

  Between any two callbacks: every tick (next_tick), then every microtask.

)";

struct Pipe {
  Pipe() {
    if (::pipe(std::data(ends)) != 0) std::perror("pipe");
  }
  ~Pipe() {
    for (const int fd : ends) ::close(fd);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int ends[2] = {-1, -1};
};

class Tour {
 public:
  void run() {
    std::fwrite(kDiagram.data(), 1, kDiagram.size(), stdout);
    std::printf("The kernel is asked through %s.\n\n", loop_.backend_reason().c_str());
    std::printf("  %-9s  %-9s  %s\n", "iteration", "phase", "callback");

    say("the main program schedules everything, then calls run()");
    schedule();
    loop_.run();
    summary();

    std::puts("\nThe same loop again, now waiting for the world:\n");
    rondo::spawn(loop_, visit_the_world());
    loop_.run();
  }

 private:
  void say(const std::string& what) {
    const auto iteration = loop_.metrics().iterations;
    std::printf("  %9llu  %-9s  %s\n", static_cast<unsigned long long>(iteration),
                std::string(to_string(loop_.phase())).c_str(), what.c_str());
  }

  void schedule() {
    // A timer that is due at the first look runs before everything else.
    loop_.set_timeout(1ms, [this] {
      say("set_timeout 1 ms");
      loop_.next_tick([this] { say("  a tick it queued"); });
      loop_.queue_microtask([this] { say("  a microtask it queued"); });
    });
    loop_.set_timeout(20ms, [this] { say("set_timeout 20 ms: poll slept until then"); });

    loop_.defer([this] { say("defer: an I/O result put off to this phase"); });

    // Hooks run in every iteration; these two look once and go.
    idle_ = loop_.on_idle([this] {
      say("on_idle");
      idle_.clear();
    });
    prepare_ = loop_.on_prepare([this] {
      say("on_prepare: just before polling");
      prepare_.clear();
    });

    // Something to read for the poll phase.
    const bool written = ::write(pipe_.ends[1], "!", 1) == 1;
    if (!written) std::perror("write");
    const auto started = poll_.start(rondo::PollEvents::readable, [this](rondo::PollEvents) {
      say("Poll: a pipe became readable");
      // The promise of the guide: inside I/O, an immediate comes before any timer.
      loop_.set_timeout(0ms, [this] { say("set_timeout 0 ms, set inside I/O"); });
      loop_.set_immediate([this] { say("set_immediate, set inside I/O: always first"); });
      poll_.close([this] { say("close callback of the Poll handle"); });
    });
    if (!started) std::printf("cannot watch the pipe: %s\n", started.error().message().c_str());

    loop_.set_immediate([this] {
      say("set_immediate");
      loop_.set_immediate([this] { say("set_immediate inside set_immediate: next iteration"); });
    });
    loop_.queue_close([this] { say("queue_close"); });

    loop_.next_tick([this] { say("next_tick: before the loop begins"); });
    loop_.queue_microtask([this] { say("queue_microtask: after the ticks"); });

    // So that the 1 ms timer is due at the first look, as it is in any program that does a bit.
    ::usleep(2000);
  }

  void summary() {
    const rondo::Metrics metrics = loop_.metrics();
    std::printf(
        "\nNothing is left to wait for, so run() has returned: %llu iterations, "
        "%.1f ms of them asleep in poll.\n",
        static_cast<unsigned long long>(metrics.iterations),
        std::chrono::duration<double, std::milli>(metrics.idle).count());
  }

  /// A coroutine continues in the phase in which what it awaited is reported.
  rondo::Async<> visit_the_world() {
    const auto name = co_await rondo::fs::read_file("/proc/sys/kernel/ostype");
    say("a file was read: " + (name ? name->substr(0, name->find('\n')) : error(name.error())));

    rondo::TcpServer server(loop_);
    server.on_connection([this](rondo::TcpSocket socket) {
      say("a server: a client has connected");
      socket.on_data([this, socket](auto bytes) mutable {
        if (const auto ended = socket.end(text_of(bytes)); !ended) say(error(ended.error()));
      });
    });
    server.on_listening([this] { say("a server: listening, told by a tick"); });
    if (!server.listen(rondo::SocketAddress::loopback(0))) co_return;

    auto socket = co_await rondo::TcpSocket::connect(server.address());
    if (!socket) co_return;
    say("a client: connected");
    co_await socket->write_all("an echo");
    const auto answer = co_await socket->read();
    say("a client: the answer is " + (answer ? '"' + *answer + '"' : error(answer.error())));
    socket->on_close([this] { say("a client: 'close', after destroy()"); });
    socket->destroy();

    const rondo::SocketAddress nobody = server.address();
    server.close();
    const auto refused = co_await rondo::TcpSocket::connect(nobody);
    say("no server listens any more: " + (refused ? "connected?" : error(refused.error())));

    const auto child = co_await rondo::run("uname", "-s");
    say("a child process wrote: " +
        (child ? child->out.substr(0, child->out.find('\n')) : error(child.error())));
    const auto late = co_await rondo::with_timeout(10ms, rondo::run("sleep", "60"));
    say("one that sleeps too long: " + (late ? "done?" : error(late.error())));
  }

  static std::string error(const std::error_code& code) {
    return std::string(rondo::error_name(code));
  }
  static std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  rondo::Loop loop_;
  Pipe pipe_;
  rondo::Poll poll_{loop_, pipe_.ends[0]};
  rondo::Hook idle_;
  rondo::Hook prepare_;
};

}  // namespace

int main() {
  Tour tour;
  tour.run();
}
