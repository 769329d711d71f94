#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/lens/page.h"
#include "rondo/loop.h"

namespace rondo::lens {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A client that does nothing by itself.
class Client {
 public:
  explicit Client(std::uint16_t port, int receive_buffer = 0)
      : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer != 0) {
      ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::system_error(errno, std::system_category(), "connect");
    }
  }
  ~Client() { ::close(descriptor_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // refused before all was sent
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  /// False if the server has closed.
  bool can_send(std::string_view text) const {
    pollfd wait{descriptor_, POLLOUT, 0};
    if (::poll(&wait, 1, 100) <= 0) return true;
    return ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 ||
           errno == EAGAIN;
  }
  /// False if the sockets take no more, and go on doing so.
  bool sends_at_once(std::string_view text) const {
    pollfd wait{descriptor_, POLLOUT, 0};
    constexpr int kWhile = 1000;
    return ::poll(&wait, 1, kWhile) > 0 &&
           ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
  }
  void end() const { ::shutdown(descriptor_, SHUT_WR); }

  /// Reads until `end` has come, the server closes, or it takes too long.
  std::string receive_until(std::string_view end, std::chrono::milliseconds limit = 10s) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (end.empty() || !text_.contains(end)) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      pollfd wait{descriptor_, POLLIN, 0};
      if (left.count() <= 0 || ::poll(&wait, 1, static_cast<int>(left.count())) <= 0) break;
      char chunk[4096];
      const ssize_t count = ::recv(descriptor_, chunk, sizeof chunk, 0);
      if (count <= 0) {
        closed_ = true;
        break;
      }
      text_.append(chunk, static_cast<std::size_t>(count));
    }
    return text_;
  }
  std::string receive_all() { return receive_until({}); }
  bool closed() const { return closed_; }

 private:
  int descriptor_;
  std::string text_;
  bool closed_ = false;
};

class PageTest : public ::testing::Test {
 protected:
  std::string host() const { return "127.0.0.1:" + std::to_string(page.port()); }
  std::string with_token(std::string_view path) const {
    return std::string(path) + "?token=" + page.token();
  }

  /// A request; the connection is closed after it.
  std::string request(std::string_view first_line, std::string_view headers = {},
                      std::string_view from_host = {}) const {
    std::string text(first_line);
    text += " HTTP/1.1\r\nHost: " + (from_host.empty() ? host() : std::string(from_host));
    text.append("\r\nConnection: close\r\n").append(headers).append("\r\n");
    return text;
  }
  std::string ask(std::string_view raw) const {
    Client client(page.port());
    client.send(raw);
    return client.receive_all();
  }
  std::string get(std::string_view path, std::string_view headers = {},
                  std::string_view from_host = {}) const {
    return ask(request("GET " + with_token(path), headers, from_host));
  }

  Loop loop;
  Lens lens{loop};
  Page page{lens};
};

constexpr const char* kOk = "HTTP/1.1 200 OK\r\n";
constexpr const char* kBad = "HTTP/1.1 400 ";
constexpr const char* kForbidden = "HTTP/1.1 403 ";

// ---- What there is -----------------------------------------------------------------------------

TEST_F(PageTest, ThePage) {
  const std::string answer = get("/");
  EXPECT_THAT(answer, AllOf(StartsWith(kOk), HasSubstr("Content-Type: text/html"),
                            HasSubstr(">The loop</h1>"), EndsWith("</html>\n")));
  EXPECT_THAT(answer, Not(HasSubstr("src=\"page.js\"")));
  EXPECT_THAT(answer, Not(HasSubstr("href=\"style.css\"")));
  EXPECT_THAT(answer, Not(HasSubstr(page.token())));
}

TEST_F(PageTest, TheFigures) {
  loop.set_immediate([] {});
  loop.run();
  EXPECT_THAT(get("/metrics"), AllOf(StartsWith(kOk), HasSubstr("version=0.0.4"),
                                     HasSubstr("rondo_callbacks_total{phase=\"check\"} 1\n")));
  EXPECT_THAT(get("/snapshot.json"),
              AllOf(StartsWith(kOk), HasSubstr("application/json"),
                    HasSubstr("\"check\":{\"callbacks\":1,"), EndsWith("}")));
}

TEST_F(PageTest, EventsTenTimesASecond) {
  Client client(page.port());
  const auto begin = std::chrono::steady_clock::now();
  client.send(request("GET " + with_token("/events")));
  std::string text;
  const auto count = [&] {
    int events = 0;
    for (std::size_t at = 0; (at = text.find("data: {", at)) != std::string::npos; ++at) ++events;
    return events;
  };
  while (count() < 5 && std::chrono::steady_clock::now() - begin < 10s) {
    text = client.receive_until("never", 50ms);
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(count(), 5);  // more, if this thread came late to look
  EXPECT_GE(took, (count() - 1) * 100ms);
  EXPECT_THAT(text, HasSubstr("Content-Type: text/event-stream"));
  // The lists are sent once, and again when they change.
  EXPECT_EQ(text.find("\"lists\""), text.rfind("\"lists\""));
  EXPECT_THAT(text, HasSubstr("\"lists\""));
}

TEST_F(PageTest, ListsAreToldAgainWhenTheyChange) {
  Client client(page.port());
  client.send(request("GET " + with_token("/events")));
  client.receive_until("\"lists\"");
  lens.opened(4711, "a \"socket\"\n");
  EXPECT_THAT(client.receive_until("4711"), HasSubstr(R"("label":"a \"socket\"\n")"));
}

TEST_F(PageTest, NothingElse) {
  EXPECT_THAT(get("/other"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(get("/../etc/passwd"), StartsWith("HTTP/1.1 404 "));
}

TEST_F(PageTest, HeadHasNoBody) {
  const std::string answer = ask(request("HEAD " + with_token("/")));
  EXPECT_THAT(answer, AllOf(StartsWith(kOk), EndsWith("\r\n\r\n"), Not(HasSubstr("<html"))));
  EXPECT_THAT(answer, Not(HasSubstr("Content-Length: 0")));
  EXPECT_THAT(ask(request("HEAD " + with_token("/events"))),
              AllOf(StartsWith(kOk), EndsWith("\r\n\r\n")));
}

TEST_F(PageTest, RequestsFollowOneAnotherOnAConnection) {
  Client client(page.port());
  const std::string one =
      "GET " + with_token("/metrics") + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
  client.send(one + one);
  client.send(request("GET " + with_token("/snapshot.json")));
  const std::string answers = client.receive_all();
  std::size_t count = 0;
  for (std::size_t at = 0; (at = answers.find(kOk, at)) != std::string::npos; ++at) ++count;
  EXPECT_EQ(count, 3U);
}

TEST_F(PageTest, AClientMayEndItsSideFirst) {
  Client client(page.port());
  client.send("GET " + with_token("/metrics") + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n");
  client.end();
  EXPECT_THAT(client.receive_all(), StartsWith(kOk));
  EXPECT_TRUE(client.closed());
}

TEST_F(PageTest, AnswersWhileTheLoopIsStuck) {
  std::string answer;
  loop.set_timeout(1ms, [&] {
    std::this_thread::sleep_for(80ms);
    answer = get("/snapshot.json");
  });
  loop.run();
  EXPECT_THAT(answer, AllOf(HasSubstr("\"isBlocked\":true"), HasSubstr("\"phase\":\"timers\"")));
  EXPECT_THAT(get("/snapshot.json"), HasSubstr("\"isBlocked\":false"));
}

TEST_F(PageTest, WhoListensSeesWhereTheProgramIs) {
  lens.engine_begins();
  std::atomic<int> asked = 0;
  lens.on_ask_place([&] { ++asked; });
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(asked, 0);  // not observed
  Client client(page.port());
  client.send(request("GET " + with_token("/events")));
  lens.begin(2);
  client.receive_until("\"isBlocked\":true");
  lens.place({.file = "/a.js", .function = {}, .line = 5});
  EXPECT_THAT(client.receive_until("\"place\":\"/a.js:5\""), HasSubstr("\"place\":\"/a.js:5\""));
  lens.end(2);
  EXPECT_GE(asked, 1);
}

TEST_F(PageTest, WhoLooksOnceSeesWhereTheProgramIs) {
  lens.engine_begins();
  std::atomic<bool> is_asked = false;
  lens.on_ask_place([&] { is_asked = true; });
  constexpr auto kInTime = 50ms;  // half of what the server waits
  // On a machine that is busy elsewhere we may be too late; but what was in time has to be there.
  bool was_in_time = false;
  for (int line = 1; line <= 100 && !was_in_time; ++line) {
    loop.set_immediate([] {});
    loop.run();  // what was sent before is over
    is_asked = false;
    lens.begin(2);
    std::this_thread::sleep_for(2 * Metrics::kBlocked);
    std::string answer;
    std::atomic<bool> is_answered = false;
    const auto began = std::chrono::steady_clock::now();
    std::thread client([&] {
      answer = get("/snapshot.json");
      is_answered = true;
    });
    while (!is_answered) {
      if (is_asked.exchange(false)) {
        lens.place({.file = "/a.js", .function = {}, .line = line});
        was_in_time = std::chrono::steady_clock::now() - began < kInTime;
      }
      std::this_thread::yield();
    }
    client.join();
    lens.end(2);
    if (was_in_time) {
      EXPECT_THAT(answer, HasSubstr("\"place\":\"/a.js:" + std::to_string(line) + '"'));
    }
  }
  EXPECT_TRUE(was_in_time);
}

TEST_F(PageTest, KeepsNoLoopAlive) {
  Client client(page.port());
  client.send(request("GET " + with_token("/events")));
  client.receive_until("data:");
  EXPECT_FALSE(loop.alive());
  EXPECT_FALSE(loop.run());
}

TEST(PageAlone, EndsWithItsClientsStillThere) {
  Loop loop;
  Lens lens(loop);
  auto page = std::make_unique<Page>(lens);
  Client idle(page->port());
  Client listener(page->port());
  listener.send("GET /events?token=" + page->token() +
                " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(page->port()) + "\r\n\r\n");
  listener.receive_until("data:");
  page.reset();
  listener.receive_all();
  EXPECT_TRUE(listener.closed());
}

TEST(PageAlone, APortInUseIsAnError) {
  Loop loop;
  Lens lens(loop);
  const Page page(lens);
  Loop other_loop;
  Lens other_lens(other_loop);
  try {
    const Page second(other_lens, {.port = page.port()});
    FAIL() << "two of them at one port";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::address_in_use);
  }
}

TEST(PageAlone, EachHasATokenOfItsOwn) {
  Loop loop;
  Lens lens(loop);
  const Page one(lens);
  const Page two(lens);
  EXPECT_NE(one.token(), two.token());
  EXPECT_GE(one.token().size(), 32U);
  EXPECT_EQ(one.address(),
            "http://127.0.0.1:" + std::to_string(one.port()) + "/?token=" + one.token());
}

// ---- Who gets nothing --------------------------------------------------------------------------

TEST_F(PageTest, NothingWithoutTheToken) {
  std::string almost = page.token();
  almost.back() = almost.back() == '0' ? '1' : '0';
  const std::vector<std::string> paths = {"/",
                                          "/metrics",
                                          "/snapshot.json?token=",
                                          "/events?token=x",
                                          "/?token=" + almost,
                                          "/?token=" + page.token().substr(1),
                                          "/?token=" + page.token() + "0",
                                          "/?Token=" + page.token(),
                                          "/?x=" + page.token()};
  for (const std::string& path : paths) {
    const std::string answer = ask(request("GET " + path));
    EXPECT_THAT(answer, StartsWith(kForbidden)) << path;
    EXPECT_THAT(answer, Not(HasSubstr("<html"))) << path;
  }
  // What is not there is not told either.
  EXPECT_THAT(ask(request("GET /other")), StartsWith(kForbidden));
}

TEST_F(PageTest, NothingUnderAnotherName) {
  for (const std::string_view name : {"rebound.example", "rebound.example:80", "127.0.0.1",
                                      "localhost", "127.0.0.1:1", "[::1]:80", "0.0.0.0:80"}) {
    EXPECT_THAT(get("/", {}, name), StartsWith(kForbidden)) << name;
  }
  EXPECT_THAT(get("/", {}, "localhost:" + std::to_string(page.port())), StartsWith(kOk));
  EXPECT_THAT(ask("GET " + with_token("/") + " HTTP/1.1\r\n\r\n"), StartsWith(kForbidden));
  EXPECT_THAT(
      ask("GET " + with_token("/") + " HTTP/1.1\r\nHost: " + host() + "\r\nHost: x\r\n\r\n"),
      StartsWith(kBad));
}

TEST_F(PageTest, NothingForOtherOrigins) {
  const std::vector<std::string> headers = {
      "Origin: http://evil.example\r\n",
      "Origin: null\r\n",
      "Origin: http://127.0.0.1:1\r\n",
      "Origin: https://" + host() + "\r\n",
      "Sec-Fetch-Site: cross-site\r\n",
      "Sec-Fetch-Site: same-site\r\n",
      "sec-fetch-site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"};
  for (const std::string& header : headers) {
    for (const std::string_view path : {"/", "/snapshot.json", "/events", "/metrics"}) {
      EXPECT_THAT(get(path, header), StartsWith(kForbidden)) << path << ' ' << header;
    }
  }
  EXPECT_THAT(
      get("/snapshot.json", "Origin: http://" + host() + "\r\nSec-Fetch-Site: same-origin\r\n"),
      StartsWith(kOk));
  EXPECT_THAT(get("/", "Sec-Fetch-Site: none\r\n"), StartsWith(kOk));
}

TEST_F(PageTest, ALinkToThePageWorksFromAnywhere) {
  constexpr std::string_view kLink =
      "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
  EXPECT_THAT(get("/", kLink), StartsWith(kOk));
  EXPECT_THAT(get("/snapshot.json", kLink), StartsWith(kForbidden));
}

TEST_F(PageTest, NoAnswerAllowsAnythingToOthers) {
  const std::vector<std::string> answers = {
      get("/"),
      get("/metrics"),
      get("/snapshot.json"),
      get("/other"),
      ask(request("GET /")),
      ask(request("OPTIONS " + with_token("/"), "Origin: http://evil.example\r\n")),
      ask(request("HEAD " + with_token("/events")))};
  for (const std::string& answer : answers) {
    EXPECT_THAT(answer, Not(HasSubstr("Access-Control"))) << answer;
    EXPECT_THAT(answer, Not(HasSubstr("Set-Cookie"))) << answer;
    EXPECT_THAT(answer, AllOf(HasSubstr("X-Content-Type-Options: nosniff\r\n"),
                              HasSubstr("X-Frame-Options: DENY\r\n"),
                              HasSubstr("Referrer-Policy: no-referrer\r\n"),
                              HasSubstr("Content-Security-Policy: default-src 'none'"),
                              HasSubstr("frame-ancestors 'none'"),
                              HasSubstr("Cross-Origin-Resource-Policy: same-origin\r\n"),
                              HasSubstr("Cache-Control: no-store\r\n")));
  }
}

TEST_F(PageTest, ScriptsNeedTheNonceOfTheirAnswer) {
  const auto nonce_of = [](const std::string& answer) {
    constexpr std::string_view kBefore = "script-src 'nonce-";
    return answer.substr(answer.find(kBefore) + kBefore.size(), 32);
  };
  const std::string one = get("/");
  const std::string two = get("/");
  EXPECT_NE(nonce_of(one), nonce_of(two));
  EXPECT_THAT(one, HasSubstr("<script nonce=\"" + nonce_of(one) + "\">"));
  EXPECT_THAT(one, Not(HasSubstr("unsafe")));
}

TEST_F(PageTest, OnlyGetAndHead) {
  for (const std::string_view method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"}) {
    EXPECT_THAT(
        ask(request(std::string(method) + ' ' + with_token("/"), "Content-Length: 3\r\n") + "abc"),
        AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("Allow: GET, HEAD\r\n")))
        << method;
  }
}

// ---- Who behaves badly -------------------------------------------------------------------------

TEST_F(PageTest, NoRequestHasABody) {
  EXPECT_THAT(ask(request("GET " + with_token("/"), "Content-Length: 5\r\n") + "12345"),
              StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(ask(request("GET " + with_token("/"), "Transfer-Encoding: chunked\r\n")),
              StartsWith("HTTP/1.1 413 "));
}

TEST_F(PageTest, WhatIsNoRequestIsRefused) {
  for (const std::string_view text :
       {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.1 x\r\n\r\n", "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
        "G\x01T / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\n folded: x\r\n\r\n", "GET / HTTP/1.1\r\nName : x\r\n\r\n",
        "GET / HTTP/1.1\r\nA: \x01\r\n\r\n", "\x16\x03\x01\x02\x01\r\n\r\n"}) {
    EXPECT_THAT(ask(text), StartsWith(kBad)) << text;
  }
}

TEST_F(PageTest, LongRequestsAreRefused) {
  const std::string padding(9000, 'x');
  constexpr const char* kTooLong = "HTTP/1.1 431 ";
  EXPECT_THAT(ask(request("GET " + with_token("/"), "X: " + padding + "\r\n")),
              StartsWith(kTooLong));
  EXPECT_THAT(ask("GET /" + padding), StartsWith(kTooLong));
  EXPECT_THAT(ask(std::string(1'000'000, 'y')), AnyOf(StartsWith(kTooLong), ""));
  EXPECT_THAT(get("/"), StartsWith(kOk));
}

TEST_F(PageTest, GarbageHurtsNobody) {
  std::mt19937 random(5);  // the same each time
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 300, '\0');
    for (char& c : text) c = static_cast<char>(random());
    if (round % 2 == 0) text.insert(0, "GET ");
    text += "\r\n\r\n";
    Client client(page.port());
    client.send(text);
    EXPECT_THAT(client.receive_until("\r\n"), Not(StartsWith(kOk)));
  }
  EXPECT_THAT(get("/"), StartsWith(kOk));
}

TEST_F(PageTest, ASlowClientIsSentAway) {
  Client client(page.port());
  const auto begin = std::chrono::steady_clock::now();
  client.send("GET /");
  client.receive_all();
  EXPECT_TRUE(client.closed());
  const auto time = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(time, 4s);
  EXPECT_LE(time, 9s);
}

TEST_F(PageTest, ByteByByteBuysNoTime) {
  Client client(page.port());
  const auto begin = std::chrono::steady_clock::now();
  client.send("GET / HTTP/1.1\r\nX: ");
  while (!client.closed() && std::chrono::steady_clock::now() - begin < 30s) {
    client.send("x");
    client.receive_until({}, 50ms);
  }
  EXPECT_TRUE(client.closed());
  EXPECT_THAT(get("/metrics"), StartsWith(kOk));
}

TEST_F(PageTest, WhoNeverStopsSendingIsSentAway) {
  for (const std::string_view begin : {"GET /", "GET / HTTP/1.1\r\nX: ", "no request\r\n\r\n"}) {
    Client client(page.port());
    client.send(begin);
    const std::string chunk(4096, 'z');
    const auto start = std::chrono::steady_clock::now();
    while (client.can_send(chunk) && std::chrono::steady_clock::now() - start < 30s) {
    }
    EXPECT_FALSE(client.can_send(chunk)) << begin;
    EXPECT_THAT(get("/metrics"), StartsWith(kOk));
  }
}

TEST_F(PageTest, RequestsInAdvanceWaitUntilTheAnswersAreRead) {
  const std::string one =
      "GET " + with_token("/metrics") + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n";
  Client client(page.port(), 2048);
  // All that the sockets hold: the server does not take in what it cannot answer.
  constexpr std::size_t kFar = std::size_t{64} << 20U;
  std::size_t sent = 0;
  while (sent < kFar && client.sends_at_once(one)) sent += one.size();
  EXPECT_LT(sent, kFar);
  EXPECT_THAT(get("/metrics"), StartsWith(kOk));
  // Then they are answered, one after the other.
  const std::string answers = client.receive_until("rondo_", 10s);
  EXPECT_THAT(answers, StartsWith(kOk));
}

TEST_F(PageTest, NothingBehindARefusalIsRead) {
  Client client(page.port());
  client.send("GET /metrics HTTP/1.1\r\nHost: " + host() + "\r\n\r\nGET " + with_token("/metrics") +
              " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n");
  const std::string answers = client.receive_all();
  EXPECT_THAT(answers, AllOf(StartsWith(kForbidden), Not(HasSubstr(kOk))));
  EXPECT_TRUE(client.closed());
}

TEST_F(PageTest, ACrowdOfTheWrongOnesIsSentAwayAtOnce) {
  const std::vector<std::string> texts = {
      "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
      "GET /?token=wrong HTTP/1.1\r\nHost: " + host() + "\r\n\r\n",
      "DELETE " + with_token("/") + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n",
      "\x16\x03\x01\x02\x01\r\n\r\n",
      "GET /" + std::string(10'000, 'x'),
      "GET / HTTP/1.1\r\nHost: "};
  std::vector<std::unique_ptr<Client>> crowd;
  for (int i = 0; i < 300; ++i) {
    crowd.push_back(std::make_unique<Client>(page.port()));
    crowd.back()->send(texts[static_cast<std::size_t>(i) % texts.size()]);
    if (i % 50 == 0) {
      EXPECT_THAT(get("/metrics"), StartsWith(kOk)) << i;
    }
  }
  // Each of them has its refusal, or has been pushed out by others.
  for (const auto& client : crowd) {
    EXPECT_THAT(client->receive_all(),
                AnyOf("", StartsWith("HTTP/1.1 4"), StartsWith("HTTP/1.1 503 ")));
    EXPECT_TRUE(client->closed());
  }
  EXPECT_THAT(get("/metrics"), StartsWith(kOk));
}

TEST_F(PageTest, WhoOnlyHoldsAPlaceGivesItUp) {
  std::vector<std::unique_ptr<Client>> holders;
  for (int i = 0; i < 100; ++i) {
    holders.push_back(std::make_unique<Client>(page.port()));
    holders.back()->send("GET / HT");
  }
  EXPECT_THAT(get("/metrics"), StartsWith(kOk));
}

TEST_F(PageTest, ListenersAreNotSentAwayForOthers) {
  Client listener(page.port());
  listener.send(request("GET " + with_token("/events")));
  listener.receive_until("data:");
  std::vector<std::unique_ptr<Client>> holders;
  for (int i = 0; i < 100; ++i) holders.push_back(std::make_unique<Client>(page.port()));
  lens.opened(12345, "mark");
  EXPECT_THAT(listener.receive_until("12345"), HasSubstr("12345"));
}

TEST_F(PageTest, WhenAllListenTheNextIsRefused) {
  std::vector<std::unique_ptr<Client>> listeners;
  for (int i = 0; i < 32; ++i) {
    listeners.push_back(std::make_unique<Client>(page.port()));
    listeners.back()->send(request("GET " + with_token("/events")));
    listeners.back()->receive_until("data:");
  }
  EXPECT_THAT(get("/metrics"), StartsWith("HTTP/1.1 503 "));
  listeners.clear();
  // As soon as it has seen that they are gone.
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  std::string answer;
  while (!answer.starts_with(kOk) && std::chrono::steady_clock::now() < deadline) {
    answer = get("/metrics");
  }
  EXPECT_THAT(answer, StartsWith(kOk));
}

/// How many of these have begun to listen; each of the others must know why not.
int count_listeners(const std::vector<std::unique_ptr<Client>>& clients) {
  int listeners = 0;
  for (const auto& client : clients) {
    const std::string answer = client->receive_until("\r\n\r\n");
    if (answer.starts_with(kOk)) {
      ++listeners;
    } else {
      EXPECT_THAT(client->receive_all(),
                  AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("too many are looking already\n")));
    }
  }
  return listeners;
}

TEST_F(PageTest, EachOfTooManyListenersIsAnswered) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 60; ++i) {
    clients.push_back(std::make_unique<Client>(page.port()));
    clients.back()->send(request("GET " + with_token("/events")));
  }
  EXPECT_EQ(count_listeners(clients), 32);
}

TEST_F(PageTest, WhoGivesUpItsPlaceIsToldSo) {
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 60; ++i) clients.push_back(std::make_unique<Client>(page.port()));
  // The last one has a place, and with it those before it have theirs, or have lost it.
  clients.back()->send(request("GET " + with_token("/events")));
  clients.back()->receive_until("data:");
  for (std::size_t i = 0; i + 1 < clients.size(); ++i) {
    clients[i]->send(request("GET " + with_token("/events")));
  }
  EXPECT_EQ(count_listeners(clients), 32);
}

TEST_F(PageTest, AListenerWhoDoesNotReadHurtsNobody) {
  for (int i = 0; i < 150; ++i) lens.opened(static_cast<SubjectId>(i + 1), std::string(250, 'h'));
  Client deaf(page.port(), 2048);
  deaf.send(request("GET " + with_token("/events")));
  Client listener(page.port());
  listener.send(request("GET " + with_token("/events")));
  for (SubjectId i = 1000; i < 1020; ++i) {
    lens.opened(i, "mark" + std::to_string(i));
    lens.closed(i - 1);
    EXPECT_THAT(listener.receive_until("mark" + std::to_string(i)),
                HasSubstr("mark" + std::to_string(i)));
  }
  EXPECT_THAT(get("/metrics"), StartsWith(kOk));
}

TEST_F(PageTest, ManyAtOnceAreAllAnswered) {
  std::atomic<int> answered = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        if (get(k % 2 == 0 ? "/snapshot.json" : "/metrics").starts_with(kOk)) ++answered;
      }
    });
  }
  int left = 500;
  std::function<void()> again = [&] {
    if (--left > 0) loop.set_immediate([&] { again(); });
  };
  loop.set_immediate([&] { again(); });
  loop.run();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 160);
}

}  // namespace
}  // namespace rondo::lens
