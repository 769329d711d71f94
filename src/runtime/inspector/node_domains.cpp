#include "runtime/inspector/node_domains.h"

#include <charconv>
#include <utility>
#include <vector>

#include "lens/json_writer.h"
#include "runtime/inspector/inspector.h"
#include "runtime/inspector/inspector_text.h"
#include "runtime/inspector/worker_targets.h"

namespace rondo {

namespace {

// JSON-RPC's numbers of errors, which the protocol has.
constexpr int kInvalidParams = -32602;

std::string quoted(std::string_view text) {
  std::string json;
  lens::append_json_string(json, text);
  return json;
}

}  // namespace

/// A request that has been parsed. Nothing that a program has added to prototypes is looked at.
struct NodeDomains::Request {
  v8::Local<v8::Context> context;
  int id = 0;
  std::string method;
  v8::Local<v8::Object> params;  // empty if there are none

  static v8::Local<v8::Value> field(v8::Local<v8::Context> context, v8::Local<v8::Object> object,
                                    std::string_view name) {
    v8::Isolate* isolate = v8::Isolate::GetCurrent();
    const auto key = v8::String::NewFromUtf8(isolate, name.data(), v8::NewStringType::kInternalized,
                                             static_cast<int>(name.size()))
                         .ToLocalChecked();
    v8::Local<v8::Value> value;
    if (!object->HasOwnProperty(context, key).FromMaybe(false) ||
        !object->Get(context, key).ToLocal(&value)) {
      return v8::Undefined(isolate);
    }
    return value;
  }

  v8::Local<v8::Value> param(std::string_view name) const {
    if (params.IsEmpty()) return v8::Undefined(v8::Isolate::GetCurrent());
    return field(context, params, name);
  }
  std::string text_param(std::string_view name) const {
    const v8::Local<v8::Value> value = param(name);
    if (!value->IsString()) return {};
    const v8::String::Utf8Value text(v8::Isolate::GetCurrent(), value);
    return {*text, static_cast<std::size_t>(text.length())};
  }
};

NodeDomains::NodeDomains(Inspector& inspector, Send send)
    : inspector_(inspector), number_(next_session_number()), send_(std::move(send)) {}

NodeDomains::~NodeDomains() {
  if (watches_workers_) WorkerTargets::instance().unwatch(number_);
  while (!worker_sessions_.empty()) detach(worker_sessions_.begin()->first);
}

bool NodeDomains::dispatch(v8::Local<v8::String> message) {
  v8::Isolate* isolate = inspector_.environment().isolate();
  const v8::HandleScope scope(isolate);
  const v8::Local<v8::Context> context = inspector_.environment().context();
  const v8::Context::Scope inside(context);
  const v8::TryCatch caught(isolate);
  v8::Local<v8::Value> parsed;
  // What is not right at all, V8 answers.
  if (!v8::JSON::Parse(context, message).ToLocal(&parsed) || !parsed->IsObject()) return false;
  const auto object = parsed.As<v8::Object>();
  const v8::Local<v8::Value> id = Request::field(context, object, "id");
  const v8::Local<v8::Value> method = Request::field(context, object, "method");
  if (!id->IsInt32() || !method->IsString()) return false;
  Request request{
      context, id.As<v8::Int32>()->Value(), *v8::String::Utf8Value(isolate, method), {}};
  const v8::Local<v8::Value> params = Request::field(context, object, "params");
  if (params->IsObject()) request.params = params.As<v8::Object>();
  return runtime(request) || worker(request);
}

void NodeDomains::succeed(const Request& request) {
  send_(R"({"id":)" + std::to_string(request.id) + R"(,"result":{}})");
}

void NodeDomains::fail(const Request& request, int code, std::string_view message) {
  send_(R"({"id":)" + std::to_string(request.id) + R"(,"error":{"code":)" + std::to_string(code) +
        R"(,"message":)" + quoted(message) + "}}");
}

void NodeDomains::notify(std::string_view method, std::string_view params) {
  send_(R"({"method":")" + std::string(method) + R"(","params":)" + std::string(params) + '}');
}

// ---- NodeRuntime --------------------------------------------------------------------------------

bool NodeDomains::runtime(const Request& request) {
  if (request.method == "NodeRuntime.enable") {
    runtime_enabled_ = true;
    if (is_waiting_) notify("NodeRuntime.waitingForDebugger");
  } else if (request.method == "NodeRuntime.disable") {
    runtime_enabled_ = false;
  } else if (request.method == "NodeRuntime.notifyWhenWaitingForDisconnect") {
    if (!request.param("enabled")->IsBoolean()) {
      fail(request, kInvalidParams, "Invalid parameters");
      return true;
    }
    wants_end_ = request.param("enabled")->IsTrue();
  } else {
    return false;
  }
  succeed(request);
  return true;
}

void NodeDomains::set_waiting(bool waits) {
  is_waiting_ = waits;
  if (waits && runtime_enabled_) notify("NodeRuntime.waitingForDebugger");
}

bool NodeDomains::tell_end() {
  keeps_context_ = wants_end_;
  if (keeps_context_) notify("NodeRuntime.waitingForDisconnect");
  return keeps_context_;
}

// ---- NodeWorker ---------------------------------------------------------------------------------

bool NodeDomains::worker(const Request& request) {
  Environment& environment = inspector_.environment();
  if (environment.worker() != nullptr) return false;  // all Workers are the main thread's
  const auto session = [&] {
    const std::string text = request.text_param("sessionId");
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  };
  if (request.method == "NodeWorker.enable") {
    if (!request.param("waitForDebuggerOnStart")->IsBoolean()) {
      fail(request, kInvalidParams, "Invalid parameters");
      return true;
    }
    watches_workers_ = true;
    WorkerTargets::instance().watch(number_, environment.mailbox(),
                                    request.param("waitForDebuggerOnStart")->IsTrue());
  } else if (request.method == "NodeWorker.disable") {
    watches_workers_ = false;
    WorkerTargets::instance().unwatch(number_);
  } else if (request.method == "NodeWorker.detach") {
    detach(session());
  } else if (request.method == "NodeWorker.sendMessageToWorker") {
    const auto found = worker_sessions_.find(session());
    if (found != worker_sessions_.end()) {
      found->second.mailbox->post([number = found->second.number,
                                   message = request.text_param("message")](Inspector& inspector) {
        inspector.dispatch_to(number, message);
      });
    }
  } else {
    return false;
  }
  succeed(request);
  return true;
}

void NodeDomains::worker_began(const WorkerTarget& target, bool waits) {
  const std::uint32_t session = ++last_worker_session_;
  const std::uint32_t number = next_session_number();
  const auto receive = [mailbox = inspector_.environment().mailbox(), domains = number_,
                        session](v8_inspector::StringView message) {
    mailbox->post([domains, session,
                   text = to_utf8(v8::Isolate::GetCurrent(), message)](Inspector& inspector) {
      if (NodeDomains* found = inspector.domains(domains)) found->worker_said(session, text);
    });
  };
  const bool is_there = target.mailbox->post(
      [number, receive](Inspector& inspector) { inspector.begin_session(number, receive); });
  if (!is_there) return;
  worker_sessions_[session] = {target.id, number, target.mailbox};
  notify("NodeWorker.attachedToWorker",
         R"({"sessionId":")" + std::to_string(session) + R"(","workerInfo":{"workerId":")" +
             std::to_string(session) + R"(","type":"worker","title":)" + quoted(target.title) +
             R"(,"url":)" + quoted(target.url) + R"(},"waitingForDebugger":)" +
             (waits ? "true}" : "false}"));
}

void NodeDomains::worker_ended(std::uint32_t id) {
  std::vector<std::uint32_t> ended;
  for (const auto& [session, worker] : worker_sessions_) {
    if (worker.worker == id) ended.push_back(session);
  }
  for (const std::uint32_t session : ended) {
    detach(session);
  }
}

void NodeDomains::worker_said(std::uint32_t session, std::string_view message) {
  if (!worker_sessions_.contains(session)) return;
  notify("NodeWorker.receivedMessageFromWorker",
         R"({"sessionId":")" + std::to_string(session) + R"(","message":)" + quoted(message) + '}');
}

void NodeDomains::detach(std::uint32_t session) {
  const auto found = worker_sessions_.find(session);
  if (found == worker_sessions_.end()) return;
  const WorkerSession worker = std::move(found->second);
  worker_sessions_.erase(found);
  worker.mailbox->post(
      [number = worker.number](Inspector& inspector) { inspector.end_session(number); });
  notify("NodeWorker.detachedFromWorker", R"({"sessionId":")" + std::to_string(session) + "\"}");
}

}  // namespace rondo
