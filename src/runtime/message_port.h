// MessagePort: the two ends of a channel, or the many of a broadcast channel.
//
// An end is what messages wait at, whoever listens there: it can be handed over inside a message to
// another port. A port is the JavaScript object that listens at an end. Messages are delivered in
// the poll phase: the hub asks every port that has some, in the order in which the ports were made.
#pragma once

#include <v8.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rondo/loop.h"

#include "runtime/message.h"
#include "runtime/wrapped.h"

namespace rondo {

class PortHub;

/// The ends that hear one another.
class PortGroup {
 public:
  /// Of a group of two, a channel, the one that stays is told when the other leaves.
  enum class Kind : unsigned char { channel, broadcast };

  explicit PortGroup(Kind kind) noexcept : kind_(kind) {}

  void join(PortEnd& end) { ends_.push_back(&end); }
  void leave(PortEnd& end);
  void send(const PortEnd& from, const std::shared_ptr<Message>& message);

  const std::vector<PortEnd*>& ends() const noexcept { return ends_; }

 private:
  Kind kind_;
  std::vector<PortEnd*> ends_;
};

class PortEnd {
 public:
  explicit PortEnd(std::shared_ptr<PortGroup> group) : group_(std::move(group)) {
    group_->join(*this);
  }
  ~PortEnd() { group_->leave(*this); }
  PortEnd(const PortEnd&) = delete;
  PortEnd& operator=(const PortEnd&) = delete;

  PortGroup& group() const noexcept { return *group_; }

  /// Null stands for the end of the channel: nothing comes after it.
  void add(std::shared_ptr<Message> message);
  bool empty() const noexcept { return queue_.empty(); }
  std::size_t size() const noexcept { return queue_.size(); }
  const std::shared_ptr<Message>& front() const noexcept { return queue_.front(); }
  std::shared_ptr<Message> take();

  /// Who is to know when something comes; null while the end is on its way.
  void set_port(MessagePort* port) noexcept { port_ = port; }

 private:
  std::shared_ptr<PortGroup> group_;
  std::deque<std::shared_ptr<Message>> queue_;
  MessagePort* port_ = nullptr;
};

class MessagePort final : public Wrapped {
 public:
  /// A new object that listens at this end.
  static v8::MaybeLocal<v8::Object> make(Environment& environment, std::unique_ptr<PortEnd> end);

  MessagePort(PortHub& hub, v8::Local<v8::Object> object, std::unique_ptr<PortEnd> end);
  ~MessagePort() override;

  /// Whether the port is being closed or its end was handed over.
  bool is_detached() const noexcept { return closing_; }

  /// False if there is nobody left to send to, and that for good: the message took the other end
  /// with it.
  bool send(const std::shared_ptr<Message>& message);
  /// Messages are delivered from now on; until stop().
  void start();
  void stop() noexcept { started_ = false; }
  /// The other side hears of it in the close phase, after what was sent before.
  void close();
  /// Closes the object; the end lives on elsewhere.
  std::unique_ptr<PortEnd> detach();
  /// The next message, without waiting for its turn. Null if there is none.
  std::shared_ptr<Message> take();

  void ref();
  void unref();
  bool has_ref() const noexcept { return has_ref_; }
  /// Whether it is closed, and that has been told.
  bool is_closed() const noexcept { return closed_; }

  /// Something came.
  void trigger();

 private:
  friend class PortHub;

  void deliver();
  /// False if something was thrown: by a listener, or in the ticks after it.
  bool deliver(Message& message, v8::Local<v8::Function> emit, v8::Local<v8::String> type);
  void finish_closing();

  PortHub& hub_;
  std::unique_ptr<PortEnd> end_;
  KeepAlive keep_alive_;
  bool has_ref_ = false;
  bool started_ = false;
  bool closing_ = false;
  bool closed_ = false;
  bool pending_ = false;  // deliver() is to be called
};

/// All ports of an environment.
class PortHub final : public Wrapped {
 public:
  /// Made when it is first asked for.
  static PortHub& of(Environment& environment);

  ~PortHub() override;

  void add(MessagePort& port) { ports_.push_back(&port); }
  void remove(MessagePort& port) noexcept;
  /// Has what is pending delivered. Ports that are not referenced do not keep the loop alive for
  /// it, but have theirs delivered as long as something else does.
  void schedule();
  /// Has finish_closing() called in the close phase, unless the environment is gone by then.
  void queue_close(MessagePort& port);

  std::shared_ptr<PortGroup> broadcast_group(const std::string& name);

  /// In the order they were made; null where one has gone.
  const std::vector<MessagePort*>& ports() const noexcept { return ports_; }

 private:
  PortHub(Environment& environment, v8::Local<v8::Object> object);

  void deliver();

  std::vector<MessagePort*> ports_;
  bool posted_ = false;
  Hook idle_;
  bool delivering_ = false;
  std::map<std::string, std::weak_ptr<PortGroup>> groups_;
  // What waits in the loop looks here before it uses us.
  std::shared_ptr<PortHub*> self_ = std::make_shared<PortHub*>(this);
};

}  // namespace rondo
