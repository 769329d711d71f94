#include "rondo/dns.h"

#include <dirent.h>
#include <netdb.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/async.h"
#include "rondo/loop.h"

#include "io/dead_port.h"
#include "io/dns/error.h"
#include "io/dns/parse.h"
#include "io/test_name_server.h"

namespace rondo::dns {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing_dns::chunk;
using testing_dns::ip;
using testing_dns::NameServer;
using testing_dns::u16;
using testing_dns::u32;
using testing_dns::u8;

template <class T>
std::string name_of(const Expected<T>& result) {
  return result ? "ok" : std::string(error_name(result.error()));
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++count;
  ::closedir(folder);
  return count;
}

class DnsTest : public testing::Test {
 protected:
  /// Runs an operation to its end.
  template <class Op>
  Expected<typename Op::Value> run(Op op, std::stop_token stop = {}) {
    std::optional<Expected<typename Op::Value>> result;
    std::move(op).then(loop, [&](auto value) { result = std::move(value); }, std::move(stop));
    EXPECT_FALSE(result.has_value()) << "the callback came before the function had returned";
    loop.run();
    EXPECT_TRUE(result.has_value());
    return *std::move(result);
  }

  Loop loop;
};

class ResolverTest : public DnsTest {
 protected:
  ResolverTest() {
    EXPECT_TRUE(resolver.set_servers({server.address()}));
    server.add("a.test", {{1, 300, ip(AF_INET, "10.0.0.1")}, {1, 60, ip(AF_INET, "10.0.0.2")}});
  }

  NameServer server;
  Resolver resolver{loop, {.timeout = 10s, .tries = 1}};
};

// ---- lookup -----------------------------------------------------------------------------------

TEST_F(DnsTest, LooksUpLocalhost) {
  const auto address = run(lookup("localhost", {.family = Family::ipv4}));
  ASSERT_TRUE(address) << address.error().message();
  EXPECT_EQ(*address, (Address{"127.0.0.1", Family::ipv4}));
  const auto all = run(lookup_all("localhost"));
  ASSERT_TRUE(all);
  EXPECT_THAT(*all, testing::Contains(Address{"127.0.0.1", Family::ipv4}));
}

TEST_F(DnsTest, AnAddressInNumbersIsItsOwnAnswer) {
  EXPECT_EQ(run(lookup("192.0.2.7")).value(), (Address{"192.0.2.7", Family::ipv4}));
  EXPECT_EQ(run(lookup("2001:db8::7")).value(), (Address{"2001:db8::7", Family::ipv6}));
  EXPECT_EQ(run(lookup("fe80::1%lo")).value(), (Address{"fe80::1%lo", Family::ipv6}));
  // As Node has it: what is an address already is not checked against the family.
  EXPECT_EQ(run(lookup("127.0.0.1", {.family = Family::ipv6})).value().family, Family::ipv4);
}

TEST_F(DnsTest, AnAddressInNumbersTakesNoThread) {
  // Nothing comes from another thread: one iteration without waiting is enough.
  bool told = false;
  lookup("192.0.2.7").then(loop, [&](auto) { told = true; });
  loop.run_nowait();
  EXPECT_TRUE(told);
}

TEST_F(DnsTest, OldFormsOfNumbersAreTheCLibrarysBusiness) {
  EXPECT_EQ(run(lookup("127.1")).value().text, "127.0.0.1");
}

TEST_F(DnsTest, MappedAddressesOnDemand) {
  const auto mapped = run(lookup_all("localhost", {.family = Family::ipv6, .v4_mapped = true}));
  ASSERT_TRUE(mapped) << mapped.error().message();
  for (const Address& one : *mapped) EXPECT_EQ(one.family, Family::ipv6);
}

TEST_F(DnsTest, TheOrderIsTheOneAskedFor) {
  const auto first_of = [&](Order order) {
    return run(lookup_all("localhost", {.order = order})).value().front().family;
  };
  const auto all = run(lookup_all("localhost")).value();
  const bool both = std::ranges::any_of(all, [](auto& a) { return a.family == Family::ipv6; }) &&
                    std::ranges::any_of(all, [](auto& a) { return a.family == Family::ipv4; });
  EXPECT_EQ(first_of(Order::ipv4_first), Family::ipv4);
  EXPECT_EQ(first_of(Order::ipv6_first), both ? Family::ipv6 : Family::ipv4);
}

TEST_F(DnsTest, LookupErrorsHaveNodesNames) {
  EXPECT_EQ(name_of(run(lookup(""))), "ENOTFOUND");
  EXPECT_EQ(name_of(run(lookup("a..b"))), "ENOTFOUND");
  EXPECT_EQ(name_of(run(lookup(std::string_view("a\0b", 3)))), "EINVAL");
  EXPECT_EQ(name_of(run(lookup(std::string(300, 'x')))), "EINVAL");
  EXPECT_EQ(name_of(run(lookup("::1%"))), "ENOTFOUND");
}

TEST_F(DnsTest, ServicesHaveNames) {
  // As far as this machine knows any: /etc/services comes with a package that need not be there.
  const servent* ssh = ::getservbyport(htons(22), "tcp");
  const auto service = run(lookup_service("127.0.0.1", 22));
  ASSERT_TRUE(service) << service.error().message();
  EXPECT_FALSE(service->host.empty());
  EXPECT_EQ(service->service, ssh != nullptr ? ssh->s_name : "22");
  EXPECT_EQ(run(lookup_service("127.0.0.1", 1)).value().host, service->host);
  EXPECT_EQ(name_of(run(lookup_service("localhost", 22))), "EINVAL");
}

TEST_F(DnsTest, LookupsAreAwaited) {
  std::vector<std::string> found;
  spawn(loop, [&]() -> Async<> {
    const auto [first, second, third] = co_await when_all(lookup("127.0.0.1"), lookup("localhost"),
                                                          lookup_service("127.0.0.1", 22));
    found = {name_of(first), name_of(second), name_of(third)};
  });
  loop.run();
  EXPECT_THAT(found, ElementsAre("ok", "ok", "ok"));
}

TEST_F(DnsTest, ACancelledLookupIsToldAtOnceWhereverItStands) {
  // More than there are threads: some wait, some are with a thread, some are done on the spot.
  std::stop_source source;
  int cancelled = 0;
  int done = 0;
  const auto count = [&](const auto& result) {
    if (result) {
      ++done;
    } else {
      EXPECT_EQ(error_name(result.error()), "ECANCELED");
      ++cancelled;
    }
  };
  for (int i = 0; i < 50; ++i) lookup("localhost").then(loop, count, source.get_token());
  lookup("10.0.0.1").then(loop, count, source.get_token());
  source.request_stop();
  EXPECT_EQ(cancelled + done, 0);
  loop.run();
  EXPECT_EQ(cancelled, 51);
}

TEST_F(DnsTest, ALookupGoesWithItsLoop) {
  for (int round = 0; round < 20; ++round) {
    std::stop_source source;
    Loop mortal;
    for (int i = 0; i < 10; ++i) {
      lookup("localhost").then(mortal, [](const auto&) { ADD_FAILURE(); }, source.get_token());
      spawn(mortal, []() -> Async<> { co_await lookup("localhost"); });
    }
    if (round % 2 == 0) source.request_stop();  // leaves jobs that are not awaited
  }
}

TEST(DnsErrors, HaveNamesAndConditions) {
  const std::error_code timeout = Error::timeout;
  EXPECT_EQ(error_name(timeout), "ETIMEOUT");
  EXPECT_EQ(timeout, std::errc::timed_out);
  EXPECT_STREQ(timeout.category().name(), "dns");
  EXPECT_EQ(make_error_code(Error::cancelled), std::errc::operation_canceled);
  for (int number = 1; number <= static_cast<int>(Error::other); ++number) {
    const std::error_code error(number, error_category());
    EXPECT_NE(error_name(error), "UNKNOWN") << number;
    EXPECT_FALSE(error.message().starts_with("no error")) << number;
  }
  EXPECT_EQ(error_name({200, error_category()}), "UNKNOWN");
  EXPECT_EQ(error_name(detail::lookup_error(EAI_AGAIN, 0)), "EAI_AGAIN");
  EXPECT_EQ(error_name(detail::lookup_error(EAI_NODATA, 0)), "ENOTFOUND");
  EXPECT_EQ(error_name(detail::lookup_error(EAI_SYSTEM, EMFILE)), "EMFILE");
  EXPECT_FALSE(detail::lookup_error(0, EMFILE));
}

// ---- Records ----------------------------------------------------------------------------------

TEST_F(ResolverTest, Addresses) {
  const auto four = run(resolver.resolve4("a.test"));
  ASSERT_TRUE(four) << four.error().message();
  EXPECT_THAT(*four, ElementsAre(AddressRecord{"10.0.0.1", 300s}, AddressRecord{"10.0.0.2", 60s}));
  server.add("six.test", {{28, 5, ip(AF_INET6, "2001:db8::1")}});
  EXPECT_THAT(run(resolver.resolve6("six.test")).value(),
              ElementsAre(AddressRecord{"2001:db8::1", 5s}));
}

TEST_F(ResolverTest, EveryOtherType) {
  using testing_dns::name;
  server.add(
      "all.test",
      {{15, 60, u16(10) + name("mx.test")},
       {15, 60, u16(20) + name("mx2.test")},
       {16, 60, chunk("v=1 ") + chunk("two")},
       {16, 60, chunk(std::string_view("nul\0here", 8))},
       {33, 60, u16(1) + u16(2) + u16(8080) + name("host.test")},
       {2, 60, name("ns1.test")},
       {2, 60, name("ns2.test")},
       {12, 60, name("ptr.test")},
       {6, 60, name("ns1.test") + name("admin.test") + u32(7) + u32(1) + u32(2) + u32(3) + u32(4)},
       {52, 60, u8(3) + u8(1) + u8(2) + "\x0a\xff"},
       {257, 60, u8(0x80) + chunk("issue") + "ca.test"},
       {257, 60, u8(0) + chunk("iodef") + "mailto:x@y.test"}});
  server.add("alias.test", {{5, 60, name("real.test")}});

  EXPECT_THAT(run(resolver.resolve_mx("all.test")).value(),
              ElementsAre(MxRecord{"mx.test", 10}, MxRecord{"mx2.test", 20}));
  const auto texts = run(resolver.resolve_txt("all.test")).value();
  EXPECT_THAT(texts,
              ElementsAre(TxtRecord{{"v=1 ", "two"}}, TxtRecord{{std::string("nul\0here", 8)}}));
  EXPECT_EQ(texts[0].text(), "v=1 two");
  EXPECT_THAT(run(resolver.resolve_srv("all.test")).value(),
              ElementsAre(SrvRecord{"host.test", 8080, 1, 2}));
  EXPECT_THAT(run(resolver.resolve_ns("all.test")).value(), ElementsAre("ns1.test", "ns2.test"));
  EXPECT_THAT(run(resolver.resolve_ptr("all.test")).value(), ElementsAre("ptr.test"));
  EXPECT_EQ(run(resolver.resolve_soa("all.test")).value(),
            (SoaRecord{"ns1.test", "admin.test", 7, 1s, 2s, 3s, 4s}));
  EXPECT_THAT(run(resolver.resolve_caa("all.test")).value(),
              ElementsAre(CaaRecord{true, "issue", "ca.test", 0x80},
                          CaaRecord{false, "iodef", "mailto:x@y.test"}));
  EXPECT_THAT(run(resolver.resolve_cname("alias.test")).value(), ElementsAre("real.test"));
  EXPECT_THAT(run(resolver.resolve_tlsa("all.test")).value(),
              ElementsAre(TlsaRecord{3, 1, 2, "\x0a\xff"}));
}

TEST_F(ResolverTest, NamesOfAnAddress) {
  using testing_dns::name;
  server.add("9.2.0.192.in-addr.arpa", {{12, 60, name("one.test")}, {12, 60, name("two.test")}});
  EXPECT_THAT(run(resolver.reverse("192.0.2.9")).value(),
              testing::UnorderedElementsAre("one.test", "two.test"));
  const std::string six =
      "9.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa";
  server.add(six, {{12, 60, name("six.test")}});
  EXPECT_THAT(run(resolver.reverse("2001:db8::9")).value(), ElementsAre("six.test"));
  EXPECT_EQ(name_of(run(resolver.reverse("no address"))), "EINVAL");
}

TEST_F(ResolverTest, ManyAddressesInOneAnswer) {
  for (int i = 0; i < 1000; ++i) {
    const std::string text = "10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250);
    server.add("truncated.many.test", {{1, 60, ip(AF_INET, text.c_str())}});
  }
  EXPECT_EQ(run(resolver.resolve4("truncated.many.test")).value().size(), 1000);
  EXPECT_EQ(server.tcp_questions(), 1);
}

// ---- Answers that say no ----------------------------------------------------------------------

TEST_F(ResolverTest, ErrorsOfTheServerHaveNodesNames) {
  EXPECT_EQ(name_of(run(resolver.resolve4("nxdomain.test"))), "ENOTFOUND");
  EXPECT_EQ(name_of(run(resolver.resolve4("servfail.test"))), "ESERVFAIL");
  EXPECT_EQ(name_of(run(resolver.resolve4("refused.test"))), "EREFUSED");
  EXPECT_EQ(name_of(run(resolver.resolve4("notimp.test"))), "ENOTIMP");
  EXPECT_EQ(name_of(run(resolver.resolve4("formerr.test"))), "EFORMERR");
  EXPECT_EQ(name_of(run(resolver.resolve_mx("a.test"))), "ENODATA");
  EXPECT_EQ(name_of(run(resolver.resolve_soa("a.test"))), "ENODATA");
  EXPECT_EQ(name_of(run(resolver.reverse("192.0.2.1"))), "ENOTFOUND");
}

TEST_F(ResolverTest, WhatCannotBeANameIsNotAsked) {
  EXPECT_EQ(name_of(run(resolver.resolve4("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolver.resolve4(std::string(70, 'x') + ".test"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolver.resolve4(std::string(300, 'x')))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolver.resolve4(std::string_view("a.test\0.evil", 12)))), "EBADNAME");
  EXPECT_EQ(server.udp_questions(), 0);
}

TEST_F(ResolverTest, MalformedAnswers) {
  EXPECT_EQ(name_of(run(resolver.resolve4("malformed.test"))), "EBADRESP");
  EXPECT_EQ(name_of(run(resolver.resolve_mx("malformed.test"))), "EBADRESP");
  EXPECT_EQ(name_of(run(resolver.resolve4("looping.test"))), "EBADRESP");
}

TEST_F(ResolverTest, AnswersToOtherQuestionsAreIgnored) {
  server.add("wrong-id.test", {{1, 60, ip(AF_INET, "10.0.0.3")}});
  server.add("wrong-name.test", {{1, 60, ip(AF_INET, "10.0.0.4")}});
  EXPECT_EQ(run(resolver.resolve4("wrong-id.test")).value().front().address, "10.0.0.3");
  EXPECT_EQ(run(resolver.resolve4("wrong-name.test")).value().front().address, "10.0.0.4");
}

// ---- Silence ----------------------------------------------------------------------------------

TEST_F(ResolverTest, SilenceIsATimeout) {
  Resolver hasty(loop, {.timeout = 50ms, .tries = 2});
  ASSERT_TRUE(hasty.set_servers({server.address()}));
  const auto start = loop.now();
  EXPECT_EQ(name_of(run(hasty.resolve4("silent.test"))), "ETIMEOUT");
  server.wait_for_questions(2);  // it may still have to take the second
  EXPECT_EQ(server.udp_questions(), 2);
  EXPECT_GE(loop.now() - start, 100ms);
  EXPECT_EQ(name_of(run(hasty.resolve4("only-wrong-id.test"))), "ETIMEOUT");
  EXPECT_EQ(name_of(run(hasty.resolve4("short.test"))), "ETIMEOUT");
}

TEST_F(ResolverTest, TheSecondTryIsAsGood) {
  Resolver hasty(loop, {.timeout = 50ms, .tries = 10});
  ASSERT_TRUE(hasty.set_servers({server.address()}));
  server.add("second-try.test", {{1, 60, ip(AF_INET, "10.0.0.5")}});
  EXPECT_EQ(run(hasty.resolve4("second-try.test")).value().front().address, "10.0.0.5");
  EXPECT_GE(server.udp_questions(), 2);  // more, if the answer to the second took its time
}

TEST_F(ResolverTest, TheSecondServerIsAsGood) {
  const DeafPort keeper;
  const std::string nobody = keeper.address.to_string();
  ASSERT_TRUE(resolver.set_servers({nobody, server.address()}));
  EXPECT_TRUE(run(resolver.resolve4("a.test")));
  ASSERT_TRUE(resolver.set_servers({nobody}));
  EXPECT_EQ(name_of(run(resolver.resolve4("a.test"))), "ECONNREFUSED");
}

TEST_F(ResolverTest, ALoopThatWaitsForAnAnswerDoesNotSpin) {
  Resolver patient(loop, {.timeout = 300ms, .tries = 1});
  ASSERT_TRUE(patient.set_servers({server.address()}));
  EXPECT_EQ(name_of(run(patient.resolve4("silent.test"))), "ETIMEOUT");
  EXPECT_LT(loop.metrics().iterations, 50);
}

// ---- By TCP -----------------------------------------------------------------------------------

TEST_F(ResolverTest, ATruncatedAnswerIsAskedForAgainByTcp) {
  for (const std::string label : {"truncated", "dribble"}) {
    server.add(label + ".test", {{16, 60, chunk(std::string(200, 'x'))}});
    const auto texts = run(resolver.resolve_txt(label + ".test"));
    ASSERT_TRUE(texts) << label << ": " << texts.error().message();
    EXPECT_EQ(texts->front().text(), std::string(200, 'x'));
  }
  EXPECT_EQ(server.udp_questions(), 2);
  EXPECT_EQ(server.tcp_questions(), 2);
}

TEST_F(ResolverTest, AConnectionClosedWithoutAnAnswerIsAnError) {
  EXPECT_EQ(name_of(run(resolver.resolve4("tcp-closed.test"))), "ECONNREFUSED");
}

// ---- Many at once, and cancelled --------------------------------------------------------------

TEST_F(ResolverTest, ManyQuestionsAtOnce) {
  constexpr int kQuestions = 200;
  for (int i = 0; i < kQuestions; ++i) {
    server.add("n" + std::to_string(i) + ".test", {{16, 60, chunk(std::to_string(i))}});
  }
  Resolver patient(loop, {.timeout = 2s, .tries = 5});  // a burst may overflow the socket's buffer
  ASSERT_TRUE(patient.set_servers({server.address()}));
  int right = 0;
  for (int i = 0; i < kQuestions; ++i) {
    patient.resolve_txt("n" + std::to_string(i) + ".test").then(loop, [&right, i](auto texts) {
      if (texts && texts->front().text() == std::to_string(i)) ++right;
    });
  }
  loop.run();
  EXPECT_EQ(right, kQuestions);
}

TEST_F(ResolverTest, CancelEndsEverythingUnderWay) {
  std::vector<std::string> outcomes;
  for (int i = 0; i < 3; ++i) {
    resolver.resolve4("silent.test").then(loop, [&](const auto& result) {
      outcomes.push_back(name_of(result));
    });
  }
  loop.set_immediate([&] {
    resolver.cancel();
    EXPECT_TRUE(outcomes.empty());
    resolver.cancel();
  });
  loop.run();
  EXPECT_THAT(outcomes, ElementsAre("ECANCELLED", "ECANCELLED", "ECANCELLED"));
  EXPECT_TRUE(run(resolver.resolve4("a.test")));  // and it can be used again
}

TEST_F(ResolverTest, OneIsStoppedAndTheOthersGoOn) {
  std::stop_source source;
  std::vector<std::string> outcomes;
  const auto tell = [&](const auto& result) { outcomes.push_back(name_of(result)); };
  resolver.resolve4("silent.test").then(loop, tell, source.get_token());
  loop.set_immediate([&] {
    source.request_stop();
    EXPECT_TRUE(outcomes.empty());
    resolver.resolve4("a.test").then(loop, tell);
  });
  loop.run();
  EXPECT_THAT(outcomes, ElementsAre("ECANCELED", "ok"));
}

TEST_F(ResolverTest, WhenTheLastIsStoppedItsSocketGoes) {
  const std::size_t before = open_descriptors();
  std::stop_source source;
  std::string outcome;
  resolver.resolve4("silent.test")
      .then(loop, [&](const auto& result) { outcome = name_of(result); }, source.get_token());
  EXPECT_GT(open_descriptors(), before);
  source.request_stop();
  loop.run();  // ends: nothing is left to wait for
  EXPECT_EQ(outcome, "ECANCELED");
  loop.run_nowait();  // hands the last cancellation to the kernel
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ResolverTest, ATimeoutOfOursIsAsGoodAsOneOfTheResolver) {
  std::string outcome;
  spawn(loop, [&]() -> Async<> {
    outcome = name_of(co_await with_timeout(20ms, resolver.resolve4("silent.test")));
  });
  loop.run();
  EXPECT_EQ(outcome, "ETIMEDOUT");
}

TEST_F(ResolverTest, StoppedAfterTheAnswerHasComeItIsToldOnce) {
  std::stop_source source;
  int told = 0;
  resolver.resolve4("a..b").then(loop, [&](const auto&) { ++told; }, source.get_token());
  source.request_stop();
  loop.run();
  EXPECT_EQ(told, 1);
}

TEST_F(ResolverTest, TheCallbackMayDoWhatItLikesToTheResolver) {
  auto owned = std::make_unique<Resolver>(loop, ResolverOptions{.timeout = 10s, .tries = 1});
  ASSERT_TRUE(owned->set_servers({server.address()}));
  std::vector<std::string> outcomes;
  owned->resolve4("silent.test").then(loop, [&](const auto& result) {
    outcomes.push_back(name_of(result));
  });
  owned->resolve4("a.test").then(loop, [&](const auto& result) {
    outcomes.push_back(name_of(result));
    owned->resolve4("nxdomain.test").then(loop, [&](const auto& second) {
      outcomes.push_back(name_of(second));
      owned->cancel();
      owned.reset();
      throw 1;
    });
  });
  EXPECT_THROW(loop.run(), int);
  loop.run();
  EXPECT_THAT(outcomes, ElementsAre("ok", "ENOTFOUND", "ECANCELLED"));
}

TEST_F(ResolverTest, ADroppedResolverStillAnswers) {
  std::string outcome;
  {
    Resolver dropped(loop, {.timeout = 10s, .tries = 1});
    ASSERT_TRUE(dropped.set_servers({server.address()}));
    dropped.resolve4("a.test").then(loop, [&](const auto& r) { outcome = name_of(r); });
  }
  loop.run();
  EXPECT_EQ(outcome, "ok");
}

TEST_F(ResolverTest, QuestionsGoWithTheirLoop) {
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 4; ++round) {
    std::optional<Resolver> survivor;
    std::stop_source source;
    {
      Loop mortal;
      survivor.emplace(mortal);
      ASSERT_TRUE(survivor->set_servers({server.address()}));
      survivor->resolve4("silent.test")
          .then(mortal, [](const auto&) { ADD_FAILURE(); }, source.get_token());
      survivor->resolve4("truncated.silent.test").then(mortal, [](const auto&) {});
      survivor->resolve4("a..b").then(mortal, [](const auto&) {});
      spawn(mortal, [&]() -> Async<> { co_await survivor->resolve4("silent.test"); });
      if (round % 2 == 1) mortal.run_nowait();
      if (round >= 2) source.request_stop();
    }
    EXPECT_TRUE(survivor->servers().empty());
    survivor->cancel();
    EXPECT_EQ(name_of(survivor->set_servers({"127.0.0.1"})), "ECANCELED");
    std::string code;
    try {
      survivor->resolve4("a.test").then(loop, [](const auto&) { ADD_FAILURE(); });
    } catch (const Misuse& misuse) {
      code = misuse.code();
    }
    EXPECT_EQ(code, "ERR_INVALID_ARG_VALUE");
  }
  // The server may just have accepted a connection that is gone.
  while (open_descriptors() != before) std::this_thread::yield();
}

TEST_F(ResolverTest, TooManyQuestionsAreRefused) {
  std::stop_source source;
  int refused = 0;
  int cancelled = 0;
  for (int i = 0; i < (1 << 14) + 10; ++i) {
    resolver.resolve4("silent.test")
        .then(
            loop,
            [&](const auto& result) {
              ++(error_name(result.error()) == "EAGAIN" ? refused : cancelled);
            },
            source.get_token());
  }
  loop.set_immediate([&] { loop.set_immediate([&] { resolver.cancel(); }); });
  loop.run();
  EXPECT_EQ(refused, 10);
  EXPECT_EQ(cancelled, 1 << 14);
}

// ---- Servers ----------------------------------------------------------------------------------

TEST_F(ResolverTest, ServersAreReadAndWritten) {
  ASSERT_TRUE(
      resolver.set_servers({"1.2.3.4", "1.2.3.4:5353", "::1", "[::1]", "[2001:db8::1]:99"}));
  EXPECT_THAT(resolver.servers(),
              ElementsAre("1.2.3.4", "1.2.3.4:5353", "::1", "::1", "[2001:db8::1]:99"));
  for (const char* wrong :
       {"", "localhost", "1.2.3", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536", "1.2.3.4:-1", "[::1",
        "[::1]x", "[::1]:", "[1.2.3.4]", "::1:99999:", "fe80::1%lo", "1.2.3.4 ", ":53"}) {
    EXPECT_EQ(name_of(resolver.set_servers({"9.9.9.9", wrong})), "EINVAL") << wrong;
  }
  EXPECT_EQ(resolver.servers().size(), 5);  // nothing has changed
}

TEST_F(ResolverTest, TheLocalAddressIsOneInNumbers) {
  EXPECT_TRUE(resolver.set_local_address("127.0.0.1"));
  EXPECT_TRUE(resolver.set_local_address("::1"));
  for (const char* wrong : {"", "localhost", "1.2.3", "127.0.0.1:53"}) {
    EXPECT_EQ(name_of(resolver.set_local_address(wrong)), "EINVAL") << wrong;
  }
}

TEST_F(ResolverTest, ServersCannotChangeUnderAQuestion) {
  std::string outcome;
  resolver.resolve4("silent.test").then(loop, [&](const auto& r) { outcome = name_of(r); });
  EXPECT_EQ(name_of(resolver.set_servers({"127.0.0.1"})), "EBUSY");
  resolver.cancel();
  loop.run();
  EXPECT_EQ(outcome, "ECANCELLED");
  EXPECT_TRUE(resolver.set_servers({"127.0.0.1"}));
}

TEST_F(DnsTest, TheLoopsOwnResolverUsesTheSystemsServers) {
  // No question leaves the machine: a name that cannot be one is refused before that.
  EXPECT_EQ(name_of(run(resolve4("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve6("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_mx("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_naptr("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_txt("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_srv("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_ns("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_cname("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_ptr("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_soa("a..b"))), "EBADNAME");
  EXPECT_EQ(name_of(run(resolve_caa("a..b"))), "EBADNAME");
  const auto names = run(reverse("127.0.0.1"));  // /etc/hosts knows it
  ASSERT_TRUE(names) << names.error().message();
  EXPECT_THAT(*names, testing::Contains("localhost"));
  EXPECT_EQ(name_of(run(reverse("x"))), "EINVAL");
}

}  // namespace
}  // namespace rondo::dns
