#include "runtime/messaging/message_port.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/loop_core.h"
#include "runtime/messaging/context_messaging.h"
#include "runtime/messaging/messaging_hooks.h"

namespace rondo {
namespace {

using v8::Local;
using v8::MaybeLocal;

// The embedder data index of the hub's object. Others have other indices.
constexpr int kHubSlot = 4;

/// Inboxes that are woken at the end of the scope: declared before the guard of a mutex, when that
/// is released.
class Woken {
 public:
  Woken() = default;
  Woken(const Woken&) = delete;
  Woken& operator=(const Woken&) = delete;
  ~Woken() {
    for (const std::shared_ptr<PortInbox>& inbox : inboxes_) inbox->wake();
  }
  void add(std::shared_ptr<PortInbox> inbox) {
    if (inbox != nullptr) inboxes_.push_back(std::move(inbox));
  }

 private:
  std::vector<std::shared_ptr<PortInbox>> inboxes_;
};

// So many messages of one port at least are delivered before the next port is served.
constexpr std::size_t kBatch = 1000;

}  // namespace

// ---- Groups and ends ----------------------------------------------------------------------------

void PortGroup::join(PortEnd& end) {
  const std::lock_guard guard(mutex_);
  ends_.push_back(&end);
}

void PortGroup::leave(PortEnd& end) {
  Woken woken;
  const std::lock_guard guard(mutex_);
  std::erase(ends_, &end);
  if (kind_ == Kind::broadcast) return;
  for (PortEnd* other : ends_) woken.add(other->add(nullptr));
}

bool PortGroup::send(const PortEnd& from, const std::shared_ptr<Message>& message) {
  Woken woken;
  const std::lock_guard guard(mutex_);
  const bool lost =
      std::ranges::any_of(ends_, [&](const PortEnd* end) { return message->carries(*end); });
  if (lost) return false;
  for (PortEnd* end : ends_) {
    if (end != &from) woken.add(end->add(message));
  }
  return true;
}

std::shared_ptr<PortGroup> PortGroup::broadcast(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<PortGroup>> groups;
  const std::lock_guard guard(mutex);
  std::erase_if(groups, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<PortGroup>& kept = groups[name];
  std::shared_ptr<PortGroup> group = kept.lock();
  if (group == nullptr) {
    group = std::make_shared<PortGroup>(Kind::broadcast);
    kept = group;
  }
  return group;
}

PortInbox::PortInbox(PortHub& hub) : hub_(&hub) {}

bool PortInbox::notify(MessagePort& port) {
  const std::lock_guard guard(mutex_);
  if (hub_ == nullptr || std::ranges::find(notified_, &port) != notified_.end()) return false;
  notified_.push_back(&port);
  return notified_.size() == 1;  // else the hub is on its way
}

void PortInbox::wake() {
  LoopCore* core = nullptr;
  std::shared_ptr<PortHub*> hub;
  {
    const std::lock_guard guard(mutex_);
    if (hub_ == nullptr) return;
    core = &hub_->environment().loop().core();
    hub = hub_->self();
    waking_.fetch_add(1, std::memory_order_relaxed);
  }
  // A port that keeps the loop alive does so itself.
  core->post_unreferenced([hub = std::move(hub)] {
    if (*hub != nullptr) (*hub)->collect();
  });
  waking_.fetch_sub(1, std::memory_order_release);
}

std::vector<MessagePort*> PortInbox::take() {
  const std::lock_guard guard(mutex_);
  return std::exchange(notified_, {});
}

void PortInbox::forget(const MessagePort& port) {
  const std::lock_guard guard(mutex_);
  // Not erased: that something is there means that the hub was called.
  std::ranges::replace(notified_, const_cast<MessagePort*>(&port), nullptr);
}

void PortInbox::close() {
  {
    const std::lock_guard guard(mutex_);
    hub_ = nullptr;
    notified_.clear();
  }
  while (waking_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
}

std::shared_ptr<PortInbox> PortEnd::add(std::shared_ptr<Message> message) {
  queue_.push_back(std::move(message));
  if (port_ == nullptr) return nullptr;
  if (inbox_->on_thread()) {
    port_->trigger();
  } else if (inbox_->notify(*port_)) {
    return inbox_;
  }
  return nullptr;
}

std::size_t PortEnd::size() const {
  const std::lock_guard guard(group_->mutex_);
  return queue_.size();
}

PortEnd::Front PortEnd::front() const {
  const std::lock_guard guard(group_->mutex_);
  if (queue_.empty()) return Front::nothing;
  return queue_.front() == nullptr ? Front::end_of_channel : Front::message;
}

std::shared_ptr<Message> PortEnd::take() {
  const std::lock_guard guard(group_->mutex_);
  if (queue_.empty() || queue_.front() == nullptr) return nullptr;
  std::shared_ptr<Message> message = std::move(queue_.front());
  queue_.pop_front();
  return message;
}

void PortEnd::set_port(MessagePort* port, std::shared_ptr<PortInbox> inbox) {
  std::shared_ptr<PortInbox> before;
  {
    const std::lock_guard guard(group_->mutex_);
    before = std::exchange(inbox_, std::move(inbox));
    if (port == nullptr && port_ != nullptr && before != nullptr) before->forget(*port_);
    port_ = port;
  }
}

// ---- Ports --------------------------------------------------------------------------------------

MaybeLocal<v8::Object> MessagePort::make(Environment& environment, Local<v8::Context> context,
                                         std::unique_ptr<PortEnd> end) {
  // An External is what no program can make: it opens the constructor.
  Local<v8::Value> argument = v8::External::New(environment.isolate(), &end);
  if (context == environment.context()) {
    return messaging_hook(environment, "MessagePort")->NewInstance(context, 1, &argument);
  }
  Local<v8::Function> constructor;
  if (context_messaging(environment, context).IsEmpty() ||
      !moved_port_class(environment, context).ToLocal(&constructor)) {
    return {};
  }
  return constructor->NewInstance(context, 1, &argument);
}

MessagePort::MessagePort(PortHub& hub, Local<v8::Object> object, std::unique_ptr<PortEnd> end)
    : Wrapped(hub.environment(), object),
      hub_(hub),
      end_(std::move(end)),
      is_moved_(object->GetCreationContextChecked(environment().isolate()) !=
                environment().context()) {
  set_host_kind(environment(), object, HostKind::port);
  end_->set_port(this, hub.inbox());
  hub_.add(*this);
  // An open port can be heard from at any time.
  hold();
  if (is_moved_) ref();
  if (!end_->empty()) trigger();
}

Local<v8::Context> MessagePort::context() const {
  return is_moved_ ? object()->GetCreationContextChecked(environment().isolate())
                   : environment().context();
}

MessagePort::~MessagePort() {
  // Not close(): the environment is being destroyed, nothing is reported.
  if (end_ == nullptr) return;
  end_->set_port(nullptr);
  hub_.remove(*this);
}

bool MessagePort::send(const std::shared_ptr<Message>& message) {
  if (is_detached()) return true;
  if (end_->group().send(*end_, message)) return true;
  close();
  return false;
}

void MessagePort::start() {
  if (is_detached()) return;
  started_ = true;
  if (!end_->empty()) trigger();
}

void MessagePort::close() {
  if (closing_) return;
  closing_ = true;
  hub_.queue_close(*this);
}

std::unique_ptr<PortEnd> MessagePort::detach() {
  unref();  // its end does not keep the loop alive; closing it does
  close();
  hub_.remove(*this);
  end_->set_port(nullptr);
  return std::move(end_);
}

void MessagePort::finish_closing() {
  unref();
  if (end_ != nullptr) {
    hub_.remove(*this);
    end_->set_port(nullptr);
    end_.reset();
  }
  const v8::HandleScope scope(environment().isolate());
  environment().call(object(), messaging_hook(environment(), "emitClose"), {});
  closed_ = true;
  let_go();
}

std::shared_ptr<Message> MessagePort::take() {
  return end_ == nullptr ? nullptr : end_->take();
}

void MessagePort::ref() {
  if (is_detached() || has_ref_) return;
  has_ref_ = true;
  keep_alive_ = environment().loop().keep_alive();
  if (pending_) hub_.schedule();
}

void MessagePort::unref() {
  has_ref_ = false;
  keep_alive_.release();
}

void MessagePort::trigger() {
  pending_ = true;
  hub_.schedule();
}

void MessagePort::drain() {
  if (end_ != nullptr) deliver(true);
}

void MessagePort::deliver(bool force) {
  const v8::HandleScope scope(environment().isolate());
  const Local<v8::Function> emit = messaging_hook(environment(), "emitMessage");
  const Local<v8::String> type = environment().name("message");
  std::size_t left = std::max(end_->size(), kBatch);
  // What has come is delivered even if a listener closes the port on the way.
  while (end_ != nullptr && !environment().ended()) {
    const PortEnd::Front front = end_->front();
    if (front == PortEnd::Front::nothing) return;
    // The end of the channel is reported to a port that was never started, too.
    if (front == PortEnd::Front::end_of_channel) return close();
    if (!started_ && !force) return;
    if (left-- == 0 && !force) return trigger();
    if (!deliver(*end_->take(), emit, type) && !force) {
      // The others are served first.
      if (end_ != nullptr) trigger();
      return;
    }
  }
}

bool MessagePort::deliver(Message& message, Local<v8::Function> emit, Local<v8::String> type) {
  v8::Isolate* isolate = environment().isolate();
  const v8::HandleScope scope(isolate);
  const Local<v8::Context> context = this->context();
  const v8::Context::Scope context_scope(context);
  Local<v8::Value> value;
  Local<v8::Value> ports = v8::Undefined(isolate);
  {
    v8::TryCatch caught(isolate);
    if (!message.read(environment(), context, &ports).ToLocal(&value)) {
      if (!caught.HasCaught() || caught.HasTerminated()) return true;
      value = caught.Exception();
      type = environment().name("messageerror");
    }
  }
  const std::uint64_t uncaught = environment().uncaught_count();
  if (message.origin() == 0) {
    environment().call(object(), emit, {value, ports, type});
  } else {
    environment().call(object(), emit,
                       {value, ports, type, v8::Number::New(isolate, message.origin())});
  }
  // Every message is an operation of its own. The ticks of one that threw run after the next one.
  if (environment().uncaught_count() != uncaught) return false;
  environment().loop().core().door().drain();
  return environment().uncaught_count() == uncaught;
}

// ---- The hub ------------------------------------------------------------------------------------

PortHub& PortHub::of(Environment& environment) {
  const Local<v8::Context> context = environment.context();
  const Local<v8::Value> kept = context->GetEmbedderData(kHubSlot);
  if (auto* hub = Wrapped::from<PortHub>(kept)) return *hub;
  const Local<v8::Object> object = environment.new_holder().ToLocalChecked();
  context->SetEmbedderData(kHubSlot, object);
  return *new PortHub(environment, object);
}

PortHub::PortHub(Environment& environment, Local<v8::Object> object)
    : Wrapped(environment, object) {
  hold();
}

Local<v8::FunctionTemplate> PortHub::moved_class() {
  v8::Isolate* isolate = environment().isolate();
  if (moved_class_.IsEmpty()) moved_class_.Reset(isolate, make_moved_port_class(environment()));
  return moved_class_.Get(isolate);
}

PortHub::~PortHub() {
  inbox_->close();
  *self_ = nullptr;
}

void PortHub::remove(MessagePort& port) noexcept {
  std::ranges::replace(ports_, &port, nullptr);
  std::ranges::replace(waiting_, &port, nullptr);
  if (!delivering_) std::erase(ports_, nullptr);
}

void PortHub::schedule() {
  if (posted_ || delivering_) return;
  const auto is_pending = [](const MessagePort* port) { return port != nullptr && port->pending_; };
  if (!std::ranges::any_of(ports_, is_pending)) return;
  posted_ = true;
  // Whether the loop stays alive for it is the affair of the ports, which may be referenced or not.
  environment().loop().core().post_unreferenced([self = self_] {
    if (*self == nullptr) return;
    (*self)->posted_ = false;
    (*self)->deliver();
  });
}

void PortHub::collect() {
  for (MessagePort* port : inbox_->take()) {
    if (port != nullptr) port->pending_ = true;
  }
  if (delivering_) return;
  deliver();
}

void PortHub::deliver() {
  delivering_ = true;
  // As libuv visits its async handles: each goes to the end of the list when it is served. What a
  // listener sends to a port that is yet to be served arrives in this visit, and a port that it
  // creates is served in the next one, right after its own.
  waiting_.swap(ports_);
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    MessagePort* port = waiting_[i];
    if (port == nullptr) continue;
    ports_.push_back(port);
    // One that is being closed has its messages no more.
    if (std::exchange(port->pending_, false) && !port->closing_) port->deliver();
  }
  waiting_.clear();
  environment().end_of_several();
  delivering_ = false;
  std::erase(ports_, nullptr);
  schedule();
}

void PortHub::queue_close(MessagePort& port) {
  environment().loop().queue_close([self = self_, &port] {
    if (*self != nullptr) port.finish_closing();
  });
}

}  // namespace rondo
