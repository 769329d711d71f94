// For node:inspector: sessions with V8's inspector, the console that reports to them, and the
// server for debuggers of other processes.
#include "runtime/inspector/inspector.h"

#include <v8.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"
#include "runtime/inspector/inspector_text.h"
#include "runtime/inspector/worker_targets.h"
#include "runtime/messaging/worker_thread.h"
#include "runtime/modules/sandbox.h"

namespace rondo {
namespace {

/// Calls the function in an internal field of the object.
void call_listener(const Wrapped& wrapped, int field, v8::Local<v8::String> message) {
  Environment& environment = wrapped.environment();
  const v8::Local<v8::Context> context = environment.context();
  const v8::Context::Scope inside(context);
  v8::Local<v8::Value> argument = message;
  const auto listener =
      wrapped.object()->GetInternalField(field).As<v8::Value>().As<v8::Function>();
  std::ignore = listener->Call(context, v8::Undefined(environment.isolate()), 1, &argument);
}

/// The function that gets the messages is in the object, not here: the two may be collected
/// together.
class Connection final : public Wrapped {
 public:
  static constexpr int kFields = 2;
  static constexpr int kOnMessage = 1;

  Connection(Environment& environment, v8::Local<v8::Object> object)
      : Wrapped(environment, object) {
    session_.emplace(
        environment.need_inspector(),
        [this](v8_inspector::StringView message) { receive(message); },
        InspectorSession::Kind::program);
  }
  // The session ends next, and must not report any more.
  ~Connection() override { ends_ = true; }

  /// new Connection(on message, whether it lives until disconnect())
  static void make(const Arguments& args) {
    args.This()->SetInternalField(kOnMessage, args[0]);
    auto* self = new Connection(Environment::of(args.GetIsolate()), args.This());
    self->is_kept_ = args[1]->IsTrue();
    if (self->is_kept_) self->hold();
  }

  /// dispatch(message in JSON)
  void dispatch(v8::Local<v8::String> message) {
    if (session_.has_value()) session_->dispatch(message);
  }

  /// object(id) -> the object that the protocol knows by it, or undefined
  v8::MaybeLocal<v8::Value> find_object(const std::string& id) {
    if (!session_.has_value()) return {};
    return session_->object(id.c_str());
  }

  /// releaseGroup(name)
  void release_group(const std::string& name) {
    if (session_.has_value()) session_->release_group(name.c_str());
  }

  void disconnect() {
    if (!session_.has_value()) return;
    session_.reset();
    if (is_kept_) let_go();
  }

 private:
  /// lib/ reports what its function throws, so that nothing is thrown through the frames of the
  /// engine.
  void receive(v8_inspector::StringView message) {
    if (ends_ || environment().ended()) return;
    const v8::HandleScope scope(environment().isolate());
    call_listener(*this, kOnMessage, to_string(environment().isolate(), message));
  }

  bool is_kept_ = false;
  bool ends_ = false;
  std::optional<InspectorSession> session_;
};

/// A session of a Worker with the inspector of the main thread. What comes from there is passed on
/// in the middle of the Worker's JavaScript or on its loop.
class MainThreadConnection final : public Wrapped {
 public:
  static constexpr int kFields = 2;
  static constexpr int kOnMessage = 1;

  MainThreadConnection(Environment& environment, v8::Local<v8::Object> object)
      : Wrapped(environment, object), link_(std::make_shared<Link>(this)) {
    const auto receive = [link = link_,
                          own = environment.mailbox()](v8_inspector::StringView message) {
      own->post([link, text = to_utf8(v8::Isolate::GetCurrent(), message)](Inspector& inspector) {
        if (link->connection == nullptr) return;
        const v8::TryCatch caught(inspector.environment().isolate());
        call_listener(*link->connection, kOnMessage, inspector.environment().text(text));
      });
    };
    main().post([number = number_, receive](Inspector& inspector) {
      inspector.begin_session(number, receive);
    });
    hold();
  }
  ~MainThreadConnection() override { end(); }

  /// new MainThreadConnection(on message)
  static void make(const Arguments& args) {
    args.This()->SetInternalField(kOnMessage, args[0]);
    new MainThreadConnection(Environment::of(args.GetIsolate()), args.This());
  }

  /// dispatch(message in JSON)
  void dispatch(const std::string& message) {
    main().post([number = number_, message](Inspector& inspector) {
      inspector.dispatch_to(number, message);
    });
  }

  void disconnect() {
    if (link_->connection == nullptr) return;
    end();
    let_go();
  }

 private:
  /// Of the Worker's thread alone.
  struct Link {
    MainThreadConnection* connection;
  };

  Mailbox& main() const { return *environment().worker()->main_mailbox(); }

  void end() {
    if (std::exchange(link_->connection, nullptr) == nullptr) return;
    main().post([number = number_](Inspector& inspector) { inspector.end_session(number); });
  }

  const std::uint32_t number_ = next_session_number();
  std::shared_ptr<Link> link_;
};

/// A function of the console that calls two: [that of V8, ours].
void call_both(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> functions = args.Data().As<v8::Array>();
  v8::LocalVector<v8::Value> arguments(isolate);
  for (int i = 0; i < args.Length(); ++i) arguments.push_back(args[i]);
  const auto call = [&](std::uint32_t index) {
    v8::Local<v8::Value> function;
    if (!functions->Get(context, index).ToLocal(&function)) return v8::MaybeLocal<v8::Value>();
    return function.As<v8::Function>()->Call(context, args.This(), args.Length(), arguments.data());
  };
  Inspector& inspector = Environment::of(isolate).need_inspector();
  if (!inspector.in_console_call) {
    inspector.in_console_call = true;
    const bool threw = call(0).IsEmpty();
    inspector.in_console_call = false;
    if (threw) return;
  }
  v8::Local<v8::Value> result;
  if (call(1).ToLocal(&result)) args.GetReturnValue().Set(result);
}

/// both(name, function of the engine, ours) -> a function that calls both. It has no frame of
/// JavaScript, so that the engine finds the caller at the top of the stack.
v8::MaybeLocal<v8::Function> both(v8::Isolate* isolate, v8::Local<v8::String> name,
                                  v8::Local<v8::Value> of_engine, v8::Local<v8::Value> ours) {
  v8::Local<v8::Value> functions[] = {of_engine, ours};
  v8::Local<v8::Function> made;
  if (!v8::Function::New(isolate->GetCurrentContext(), guarded(call_both),
                         v8::Array::New(isolate, functions, std::size(functions)), 0,
                         v8::ConstructorBehavior::kThrow)
           .ToLocal(&made)) {
    return {};
  }
  made->SetName(name);
  return made;
}

/// idOf(object of node:vm's context, or undefined for the main one) -> its number in the protocol,
/// or undefined
std::optional<int> id_of(Environment& environment, v8::Local<v8::Value> object) {
  v8::Local<v8::Context> context = environment.context();
  if (!object->IsUndefined() && !sandbox_context(environment, object).ToLocal(&context)) return {};
  return environment.need_inspector().id_of(context);
}

// ---- Debuggers of other processes --------------------------------------------------------------

/// parseAddress(text of --inspect-port) -> [host, port], either may be undefined
std::vector<v8::Local<v8::Value>> parse_address(Environment& environment, const std::string& text) {
  const std::optional<DebugAddress> address = parse_debug_address(text);
  v8::Isolate* isolate = environment.isolate();
  std::vector<v8::Local<v8::Value>> parts(2, v8::Undefined(isolate));
  if (!address) return parts;
  if (!address->host.empty()) parts[0] = environment.text(address->host);
  if (address->port) parts[1] = v8::Integer::New(isolate, *address->port);
  return parts;
}

/// open(host, port, title, URL of the script, whether to write the URL, whether to serve lists)
/// -> whether it listens
bool open(Environment& environment, const std::string& host, std::uint32_t port,
          const std::string& title, const std::string& url, bool writes_url, bool serves_lists) {
  return environment.need_inspector().open({.host = host,
                                            .port = static_cast<std::uint16_t>(port),
                                            .target = {.id = {}, .title = title, .url = url},
                                            .writes_url = writes_url,
                                            .serves_lists = serves_lists});
}

void close(Environment& environment) {
  if (environment.inspector() != nullptr) environment.need_inspector().close();
}

/// url() -> undefined if it does not listen
std::optional<std::string> url(Environment& environment) {
  Inspector* inspector = environment.inspector();
  if (inspector == nullptr || !inspector->is_listening()) return std::nullopt;
  return inspector->url();
}

std::optional<std::uint32_t> port(Environment& environment) {
  Inspector* inspector = environment.inspector();
  if (inspector == nullptr || !inspector->is_listening()) return std::nullopt;
  return inspector->port();
}

/// waitForDebugger() -> false if there can be none
bool wait_for_debugger(Environment& environment) {
  Inspector* inspector = environment.inspector();
  if (inspector == nullptr || !inspector->is_active()) return false;
  inspector->wait_for_debugger();
  return true;
}

/// startWorker(URL, must wait): reports this Worker to debuggers. Returns whether it has waited
/// for one.
bool start_worker(Environment& environment, const std::string& url, bool must_wait) {
  const WorkerThread& worker = *environment.worker();
  std::string title = "[worker " + std::to_string(worker.id()) + ']';
  if (!worker.name().empty()) title.append(" ").append(worker.name());
  const bool is_awaited =
      WorkerTargets::instance().add({worker.id(), title, url, environment.mailbox()});
  if (!is_awaited && !must_wait) return false;
  environment.need_inspector().wait_for_debugger();
  return true;
}

/// callAndPauseOnStart(function, this, ...arguments): the debugger pauses it in its first
/// statement.
void call_and_pause_on_start(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  v8::LocalVector<v8::Value> arguments(isolate);
  for (int i = 2; i < args.Length(); ++i) arguments.push_back(args[i]);
  environment.need_inspector().pause_on_next_statement("Break on start");
  v8::Local<v8::Value> result;
  if (args[0]
          .As<v8::Function>()
          ->Call(isolate->GetCurrentContext(), args[1], static_cast<int>(arguments.size()),
                 arguments.data())
          .ToLocal(&result)) {
    args.GetReturnValue().Set(result);
  }
}

/// setFunctions(extends the console of a debugger, enables or disables the hook of tasks)
void set_functions(Environment& environment, v8::Local<v8::Function> extension,
                   v8::Local<v8::Function> set_async_hook) {
  environment.need_inspector().set_functions(extension, set_async_hook);
}

/// V8 knows a task by a pointer; it uses the odd ones itself.
void* task_of(std::int64_t id) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(id) << 1U);
}

/// taskScheduled(name, id)
void task_scheduled(Environment& environment, v8::Local<v8::String> name, std::int64_t id) {
  const InspectorText text(environment.isolate(), name);
  // Whether a task runs more than once is not known: each is cancelled at its end.
  environment.need_inspector().engine().asyncTaskScheduled(text.view(), task_of(id), true);
}
void task_started(Environment& environment, std::int64_t id) {
  environment.need_inspector().engine().asyncTaskStarted(task_of(id));
}
void task_finished(Environment& environment, std::int64_t id) {
  environment.need_inspector().engine().asyncTaskFinished(task_of(id));
}
void task_cancelled(Environment& environment, std::int64_t id) {
  environment.need_inspector().engine().asyncTaskCanceled(task_of(id));
}

constexpr Method kConnectionMethods[] = {
    method<&Connection::dispatch>("dispatch"),
    method<&Connection::find_object>("object"),
    method<&Connection::release_group>("releaseGroup"),
    method<&Connection::disconnect>("disconnect"),
};
constexpr Method kMainThreadMethods[] = {
    method<&MainThreadConnection::dispatch>("dispatch"),
    method<&MainThreadConnection::disconnect>("disconnect"),
};
constexpr ClassShape kClasses[] = {{.name = "Connection",
                                    .construct = Connection::make,
                                    .methods = kConnectionMethods,
                                    .fields = Connection::kFields},
                                   {.name = "MainThreadConnection",
                                    .construct = MainThreadConnection::make,
                                    .methods = kMainThreadMethods,
                                    .fields = MainThreadConnection::kFields}};

constexpr Method kMethods[] = {
    method<both>("both"),
    method<id_of>("idOf"),
    method<parse_address>("parseAddress"),
    method<open>("open"),
    method<close>("close"),
    method<url>("url"),
    method<port>("port"),
    method<wait_for_debugger>("waitForDebugger"),
    method<start_worker>("startWorker"),
    {"callAndPauseOnStart", call_and_pause_on_start},
    method<set_functions>("setFunctions"),
    method<task_scheduled>("taskScheduled"),
    method<task_started>("taskStarted"),
    method<task_finished>("taskFinished"),
    method<task_cancelled>("taskCancelled"),
};
constexpr v8::FunctionCallback kReferences[] = {call_both};

}  // namespace

extern const Binding binding_inspector;
const Binding binding_inspector{
    .name = "inspector", .methods = kMethods, .references = kReferences, .classes = kClasses};

}  // namespace rondo
