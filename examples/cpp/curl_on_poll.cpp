// libcurl's multi interface on a loop: curl says which sockets it wants to watch, a Poll watches
// each, and one timer is for its timeouts. No thread.
//
//     curl_on_poll URL...
//
// Without arguments it fetches from a server of its own.
#include <curl/curl.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <rondo/rondo.h>

namespace {

class Fetcher {
 public:
  using Done = rondo::Callback<void(CURLcode, std::string)>;

  explicit Fetcher(rondo::Loop& loop) : loop_(loop), multi_(curl_multi_init()) {
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &watch);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &set_timer);
  }
  ~Fetcher() {
    for (auto& [easy, transfer] : transfers_) {
      curl_multi_remove_handle(multi_, easy);
      curl_easy_cleanup(easy);
    }
    curl_multi_cleanup(multi_);
    timer_.clear();
  }
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;

  void fetch(const std::string& url, Done done) {
    CURL* easy = curl_easy_init();
    Transfer& transfer =
        *(transfers_[easy] = std::make_unique<Transfer>(Transfer{std::move(done), {}}));
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer.body);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &append);
    curl_multi_add_handle(multi_, easy);
  }

 private:
  struct Transfer {
    Done done;
    std::string body;
  };

  static std::size_t append(char* bytes, std::size_t size, std::size_t count, void* body) {
    static_cast<std::string*>(body)->append(bytes, size * count);
    return size * count;
  }

  static int watch(CURL* /*easy*/, curl_socket_t fd, int what, void* data, void* /*socket*/) {
    auto& self = *static_cast<Fetcher*>(data);
    if (what == CURL_POLL_REMOVE) {
      self.polls_.erase(fd);
      return 0;
    }
    using rondo::PollEvents;
    auto events = PollEvents::none;
    if ((what & CURL_POLL_IN) != 0) events = events | PollEvents::readable;
    if ((what & CURL_POLL_OUT) != 0) events = events | PollEvents::writable;
    auto& poll = self.polls_.try_emplace(fd, self.loop_, fd).first->second;
    const auto started = poll.start(events, [&self, fd](PollEvents ready) {
      int flags = 0;
      if (any(ready & PollEvents::readable)) flags |= CURL_CSELECT_IN;
      if (any(ready & PollEvents::writable)) flags |= CURL_CSELECT_OUT;
      if (any(ready & (PollEvents::error | PollEvents::hang_up))) flags |= CURL_CSELECT_ERR;
      self.act(fd, flags);
    });
    return started ? 0 : -1;
  }

  static int set_timer(CURLM* /*multi*/, long timeout_ms, void* data) {
    auto& self = *static_cast<Fetcher*>(data);
    self.timer_.clear();
    if (timeout_ms >= 0) {
      const std::chrono::milliseconds timeout(timeout_ms);
      self.timer_ = self.loop_.set_timeout(timeout, [&self] { self.act(CURL_SOCKET_TIMEOUT, 0); });
    }
    return 0;
  }

  void act(curl_socket_t fd, int flags) {
    int running = 0;
    curl_multi_socket_action(multi_, fd, flags, &running);
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode result = message->data.result;
      CURL* easy = message->easy_handle;
      const auto transfer = std::move(transfers_.extract(easy).mapped());
      curl_multi_remove_handle(multi_, easy);
      curl_easy_cleanup(easy);
      transfer->done(result, std::move(transfer->body));
    }
  }

  rondo::Loop& loop_;
  CURLM* multi_;
  rondo::Timer timer_;
  std::map<curl_socket_t, rondo::Poll> polls_;
  std::map<CURL*, std::unique_ptr<Transfer>> transfers_;
};

}  // namespace

int main(int argc, char** argv) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  int failed = 0;
  {
    rondo::Loop loop;
    rondo::TcpServer server(loop);  // answers anything with a greeting
    server.on_connection([](rondo::TcpSocket socket) {
      socket.on_data([socket](auto) mutable {
        (void)socket.end(
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n");
      });
    });
    if (!server.listen(rondo::SocketAddress::loopback(0))) return 1;
    server.unref();

    Fetcher fetcher(loop);
    const auto fetch = [&](const std::string& url) {
      fetcher.fetch(url, [&failed, url](CURLcode result, const std::string& body) {
        std::printf("%s: %s, %zu bytes\n", url.c_str(), curl_easy_strerror(result), body.size());
        failed += result == CURLE_OK ? 0 : 1;
      });
    };
    for (int i = 1; i < argc; ++i) fetch(argv[i]);
    if (argc == 1) fetch("http://" + server.address().to_string() + "/");
    loop.run();
  }
  curl_global_cleanup();
  return failed;
}
