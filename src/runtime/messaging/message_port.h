// MessagePort: the two ends of a channel, or the many of a broadcast channel.
//
// An end holds the messages, whichever port listens there: it can be transferred in a message to
// another port. A port is the JavaScript object that listens at an end. Messages are delivered in
// the poll phase: the hub asks every port that has some, in the order in which the ports were made.
//
// The ends of a group may be on several threads. The mutex of the group guards the list of its ends
// and what waits at each of them. A port on another thread than the sender is notified by the
// inbox of its hub. A thread that holds the mutex of a group may take that of an inbox, never the
// reverse, and never that of another group. Loops are woken when all mutexes are released:
// a thread that wakes on another core would have to sleep again at once.
#pragma once

#include <v8.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rondo/loop.h"

#include "core/containers/fifo.h"
#include "runtime/glue/wrapped.h"
#include "runtime/messaging/message.h"

namespace rondo {

class PortHub;

/// The ends that are connected.
class PortGroup {
 public:
  /// In a group of two, a channel, the one that stays is notified when the other leaves.
  enum class Kind : unsigned char { channel, broadcast };

  explicit PortGroup(Kind kind) noexcept : kind_(kind) {}

  /// The group of a broadcast channel: the same for all threads.
  static std::shared_ptr<PortGroup> broadcast(const std::string& name);

  void join(PortEnd& end);
  void leave(PortEnd& end);
  /// False if the message carries an end of this very group: there would be no receiver.
  bool send(const PortEnd& from, const std::shared_ptr<Message>& message);

 private:
  friend class PortEnd;

  Kind kind_;
  std::mutex mutex_;
  std::vector<PortEnd*> ends_;
};

/// Where other threads notify a hub which of its ports has a message. It may outlive the hub.
class PortInbox {
 public:
  explicit PortInbox(PortHub& hub);

  bool on_thread() const noexcept { return std::this_thread::get_id() == thread_; }
  /// From another thread: puts the port on the list. True if wake() has to follow.
  [[nodiscard]] bool notify(MessagePort& port);
  /// Has the hub called.
  void wake();
  /// On the hub's thread: those that were notified since.
  std::vector<MessagePort*> take();
  /// The port is going.
  void forget(const MessagePort& port);
  /// The hub is going.
  void close();

 private:
  const std::thread::id thread_ = std::this_thread::get_id();
  std::mutex mutex_;
  PortHub* hub_;
  std::vector<MessagePort*> notified_;
  std::atomic<int> waking_ = 0;  // threads inside wake(): the hub's loop outlives them
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

  std::size_t size() const;
  bool empty() const { return size() == 0; }

  enum class Front : unsigned char { nothing, message, end_of_channel };
  Front front() const;
  /// Null if nothing waits, or nothing but the end of the channel.
  std::shared_ptr<Message> take();

  /// Who is to know when something comes; null while the end is on its way.
  void set_port(MessagePort* port, std::shared_ptr<PortInbox> inbox = nullptr);

 private:
  friend class PortGroup;

  /// With the group's mutex held. Null means the end of the channel: nothing comes after it.
  /// Returns the inbox to wake when it is released, or null.
  [[nodiscard]] std::shared_ptr<PortInbox> add(std::shared_ptr<Message> message);

  std::shared_ptr<PortGroup> group_;
  Fifo<std::shared_ptr<Message>> queue_;
  MessagePort* port_ = nullptr;
  std::shared_ptr<PortInbox> inbox_;  // of the port's hub
};

class MessagePort final : public Wrapped {
 public:
  /// A new object that listens at this end. One of another context than the main one keeps the
  /// loop alive until it is closed or unref() is called.
  static v8::MaybeLocal<v8::Object> make(Environment& environment, v8::Local<v8::Context> context,
                                         std::unique_ptr<PortEnd> end);

  MessagePort(PortHub& hub, v8::Local<v8::Object> object, std::unique_ptr<PortEnd> end);
  ~MessagePort() override;

  /// The one that its object belongs to, and what it receives.
  v8::Local<v8::Context> context() const;
  /// Whether that is a context of node:vm.
  bool is_moved() const noexcept { return is_moved_; }

  /// Whether the port is being closed or its end was transferred.
  bool is_detached() const noexcept { return closing_; }

  /// False if there will never be a receiver again: the message took the other end
  /// with it.
  bool send(const std::shared_ptr<Message>& message);
  /// Messages are delivered from now on; until stop().
  void start();
  void stop() noexcept { started_ = false; }
  /// The other side is notified in the close phase, after what was sent before.
  void close();
  /// Closes the object; the end lives on elsewhere.
  std::unique_ptr<PortEnd> detach();
  /// The next message, before its delivery. Null if there is none.
  std::shared_ptr<Message> take();

  void ref();
  void unref();
  bool has_ref() const noexcept { return has_ref_; }
  /// Whether it is closed and that was reported.
  bool is_closed() const noexcept { return closed_; }

  /// Something came.
  void trigger();
  /// Delivers all that waits, at once, also if the port was never started.
  void drain();

 private:
  friend class PortHub;

  void deliver(bool force = false);
  /// False if something was thrown: by a listener, or in the ticks after it.
  bool deliver(Message& message, v8::Local<v8::Function> emit, v8::Local<v8::String> type);
  void finish_closing();

  PortHub& hub_;
  std::unique_ptr<PortEnd> end_;
  KeepAlive keep_alive_;
  bool is_moved_;
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

  const std::shared_ptr<PortInbox>& inbox() const noexcept { return inbox_; }
  /// What waits in the loop, or is posted by another thread, looks here before it uses the hub.
  const std::shared_ptr<PortHub*>& self() const noexcept { return self_; }
  /// Other threads have notified the inbox.
  void collect();

  /// The class of ports that were moved to another context.
  v8::Local<v8::FunctionTemplate> moved_class();

  /// In the order in which they are served; null where one has gone.
  const std::vector<MessagePort*>& ports() const noexcept { return ports_; }

 private:
  PortHub(Environment& environment, v8::Local<v8::Object> object);

  void deliver();

  std::vector<MessagePort*> ports_;
  std::vector<MessagePort*> waiting_;  // to be served in the current visit
  bool posted_ = false;
  bool delivering_ = false;
  std::shared_ptr<PortHub*> self_ = std::make_shared<PortHub*>(this);
  std::shared_ptr<PortInbox> inbox_ = std::make_shared<PortInbox>(*this);
  v8::Global<v8::FunctionTemplate> moved_class_;
};

/// Of ports that were moved; defined with the methods of MessagePort.
v8::Local<v8::FunctionTemplate> make_moved_port_class(Environment& environment);

}  // namespace rondo
