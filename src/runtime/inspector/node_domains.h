// The domains of the protocol that are Node's and not V8's, for one session:
//
//   NodeRuntime  whether a program waits for a debugger, at its beginning or at its end
//   NodeWorker   the Workers of the program, each with a session of its own inside of this one
#pragma once

#include <v8.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/inspector/mailbox.h"

namespace rondo {

class Inspector;
struct WorkerTarget;

class NodeDomains {
 public:
  using Send = std::function<void(std::string_view json)>;

  NodeDomains(Inspector& inspector, Send send);
  ~NodeDomains();
  NodeDomains(const NodeDomains&) = delete;
  NodeDomains& operator=(const NodeDomains&) = delete;

  /// How other threads name it.
  std::uint32_t number() const noexcept { return number_; }

  /// False if the message is not for one of them.
  bool dispatch(v8::Local<v8::String> message);

  // ---- NodeRuntime ------------------------------------------------------------------------------

  /// The program waits for a debugger to begin, or does so no more.
  void set_waiting(bool waits);
  /// The program has ended. Whether this session asked for the context to stay until it leaves.
  bool tell_end();
  bool keeps_context() const noexcept { return keeps_context_; }

  // ---- NodeWorker -------------------------------------------------------------------------------

  void worker_began(const WorkerTarget& target, bool waits);
  void worker_ended(std::uint32_t id);
  /// A message of the session inside of this one.
  void worker_said(std::uint32_t session, std::string_view message);

 private:
  struct Request;
  struct WorkerSession {
    std::uint32_t worker;
    std::uint32_t number;  // in the Worker
    std::shared_ptr<Mailbox> mailbox;
  };

  bool runtime(const Request& request);
  bool worker(const Request& request);
  void detach(std::uint32_t session);
  void succeed(const Request& request);
  void fail(const Request& request, int code, std::string_view message);
  void notify(std::string_view method, std::string_view params = "{}");

  Inspector& inspector_;
  const std::uint32_t number_;
  Send send_;
  bool runtime_enabled_ = false;
  bool is_waiting_ = false;
  bool wants_end_ = false;
  bool keeps_context_ = false;
  bool watches_workers_ = false;
  std::uint32_t last_worker_session_ = 0;
  std::map<std::uint32_t, WorkerSession> worker_sessions_;
};

}  // namespace rondo
