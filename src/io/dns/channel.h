// c-ares on the loop: its sockets are watched by the loop's backend, its timeouts are timers of the
// loop, and its answers are reported in the poll phase. It calls us in the middle of its own work,
// where it must not be disturbed; so no user's code runs there, answers are only put down.
#pragma once

#include <ares.h>

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "rondo/detail/loop_owned.h"
#include "rondo/dns.h"
#include "rondo/loop.h"

#include "core/backend.h"
#include "core/loop_core.h"

struct hostent;

namespace rondo::dns::detail {

/// One question. It belongs to the channel, because c-ares 1.18 cannot forget a single question:
/// one that is cancelled stays until the answer or the timeout has come.
class Question final : public Operation {
 public:
  Question(Channel& channel, QueryBase& owner, rondo::detail::Waiter waiter, void* value) noexcept
      : channel_(channel), owner_(&owner), waiter_(waiter), value_(value) {}

 private:
  friend class Channel;
  friend class QueryBase;

  void complete(std::int32_t result, std::uint32_t flags) override;

  Channel& channel_;
  QueryBase* owner_;  // null: no operation waits any more
  rondo::detail::Waiter waiter_;
  void* value_;
  std::list<Question>::iterator self_;
  bool at_ares_ = false;   // c-ares has it and will answer
  bool is_asked_ = false;  // c-ares has accepted the question: what fails now is the answer
  bool reported_ = false;  // the outcome is known and complete() is on its way
};

class Channel final : public rondo::detail::LoopOwned,
                      public std::enable_shared_from_this<Channel> {
 public:
  /// Of the 65,536 ids of queries, c-ares looks for a free one by guessing.
  static constexpr std::size_t kMostQuestions = 1U << 14;

  Channel(Loop& loop, const ResolverOptions& options);
  ~Channel() override;

  /// The loop's own, for callers without a channel.
  static std::shared_ptr<Channel> of(Loop& loop);

  void ask(QueryBase& query, rondo::detail::Waiter waiter, void* value);
  void cancel(Question& question) noexcept;
  void cancel_all();

  Expected<> set_servers(std::span<const std::string> servers);
  std::vector<std::string> servers() const;
  Expected<> set_local_address(std::string_view address);

 private:
  friend class Question;
  class Socket;

  void send(Question& question);
  void answered(Question& question, const std::error_code& error) noexcept;
  static void on_answer(void* question, int status, int timeouts, unsigned char* answer,
                        int size) noexcept;
  static void on_host(void* question, int status, int timeouts, hostent* host) noexcept;
  static void on_socket(void* channel, ares_socket_t fd, int readable, int writable) noexcept;

  void process(ares_socket_t readable, ares_socket_t writable);
  void set_timer();
  void forget_if_nobody_waits() noexcept;
  void shut_down() noexcept;
  void loop_ends() noexcept override;

  Loop& loop_;
  ares_channel ares_ = nullptr;
  std::error_code open_error_;  // why there is no ares_
  std::list<Question> questions_;
  std::size_t waited_for_ = 0;  // queries with a waiting operation
  std::vector<std::shared_ptr<Socket>> sockets_;
  const std::chrono::milliseconds timeout_;  // of the first try
  Timer timer_;
  std::chrono::milliseconds timer_due_{};
};

}  // namespace rondo::dns::detail
