// Workers. On the thread that makes one, new WorkerHandle(settings, limits) has:
//
//   messagePort, threadId, threadName
//   start()                    throws if there is no thread to be had
//   stop(), ref(), unref(), hasRef()
//   onexit(code, error, reason)
//   hasEnded()
//   ask(kind, number)          false if it is not running, else onanswer(number, answer) follows
//   limits(), loopStartTime(), loopIdleTime()
//
// settings: { execPath, argv0, execArgv, options, env (a list of names and values, null for those
// of the
//             parent, undefined for the same as the parent's), name, closesDescriptors }
//
// On the Worker's own thread: threadId(), threadName(), limits(), takePort().
#include <sys/resource.h>
#include <v8-profiler.h>

#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/wrapped.h"
#include "runtime/messaging/env_store.h"
#include "runtime/messaging/message_port.h"
#include "runtime/messaging/worker_thread.h"
#include "runtime/observe/heap_figures.h"
#include "runtime/observe/profiles.h"
#include "runtime/observe/text_stream.h"
#include "runtime/process/options.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Object;
using v8::Value;

Environment& environment_of(const Arguments& args) {
  return Environment::of(args.GetIsolate());
}

// ---- Settings -----------------------------------------------------------------------------------

Local<Value> get(const Environment& environment, Local<Object> object, std::string_view name) {
  Local<Value> value;
  if (object->Get(environment.context(), environment.name(name)).ToLocal(&value)) return value;
  return v8::Undefined(environment.isolate());
}

std::string to_text(const Environment& environment, Local<Value> value) {
  const v8::String::Utf8Value text(environment.isolate(), value);
  return *text == nullptr ? std::string()
                          : std::string(*text, static_cast<std::size_t>(text.length()));
}

std::vector<std::string> to_texts(const Environment& environment, Local<Value> value) {
  std::vector<std::string> texts;
  if (!value->IsArray()) return texts;
  const auto list = value.As<v8::Array>();
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    Local<Value> item;
    if (list->Get(environment.context(), i).ToLocal(&item)) {
      texts.push_back(to_text(environment, item));
    }
  }
  return texts;
}

OptionValue to_option(const Environment& environment, Local<Value> value) {
  if (value->IsBoolean()) return value->IsTrue();
  if (value->IsNumber()) return value.As<v8::Number>()->Value();
  if (value->IsArray()) return to_texts(environment, value);
  return to_text(environment, value);
}

std::vector<std::pair<std::string, OptionValue>> to_options(const Environment& environment,
                                                            Local<Value> value) {
  std::vector<std::pair<std::string, OptionValue>> options;
  if (!value->IsObject()) return options;
  const Local<v8::Context> context = environment.context();
  const auto object = value.As<Object>();
  Local<v8::Array> names;
  if (!object->GetOwnPropertyNames(context).ToLocal(&names)) return options;
  for (std::uint32_t i = 0; i < names->Length(); ++i) {
    Local<Value> name;
    Local<Value> option;
    if (names->Get(context, i).ToLocal(&name) && object->Get(context, name).ToLocal(&option) &&
        !option->IsUndefined()) {
      options.emplace_back(to_text(environment, name), to_option(environment, option));
    }
  }
  return options;
}

std::shared_ptr<EnvStore> to_env(const Environment& environment, Local<Value> value) {
  if (value->IsUndefined()) return environment.env_store();
  if (!value->IsArray()) {
    return std::make_shared<EnvStore>(environment.env_store() != nullptr
                                          ? environment.env_store()->copy()
                                          : EnvStore::of_process());
  }
  EnvStore::Variables variables;
  const std::vector<std::string> texts = to_texts(environment, value);
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) variables[texts[i]] = texts[i + 1];
  return std::make_shared<EnvStore>(std::move(variables));
}

WorkerThread::Settings to_settings(Environment& environment, Local<Object> object,
                                   Local<Value> limits) {
  WorkerThread::Settings settings;
  StartInfo& info = settings.info;
  info.exec_path = to_text(environment, get(environment, object, "execPath"));
  info.argv0 = to_text(environment, get(environment, object, "argv0"));
  info.argv = {info.exec_path};
  info.exec_argv = to_texts(environment, get(environment, object, "execArgv"));
  info.options = to_options(environment, get(environment, object, "options"));
  info.main = {{"kind", "worker"}};
  settings.env = to_env(environment, get(environment, object, "env"));
  settings.name = to_text(environment, get(environment, object, "name"));
  settings.closes_descriptors = get(environment, object, "closesDescriptors")->IsTrue();
  settings.limits.fill(-1);
  settings.main_mailbox = environment.worker() != nullptr ? environment.worker()->main_mailbox()
                                                          : environment.mailbox();
  limits.As<v8::Float64Array>()->CopyContents(settings.limits.data(), sizeof settings.limits);
  return settings;
}

Local<Value> numbers(v8::Isolate* isolate, std::span<const double> values) {
  std::vector<Local<Value>> list;
  for (const double value : values) list.push_back(v8::Number::New(isolate, value));
  return v8::Array::New(isolate, list.data(), list.size());
}

// ---- Questions ----------------------------------------------------------------------------------

WorkerThread::Answer heap_statistics(Environment& environment) {
  v8::HeapStatistics heap;
  environment.isolate()->GetHeapStatistics(&heap);
  std::vector<double> figures;
  for (const auto& figure : kHeapFigures) figures.push_back(figure.read(heap));
  return figures;
}

/// Microseconds in user and in system mode.
WorkerThread::Answer cpu_usage(Environment&) {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto to_us = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return std::vector{to_us(usage.ru_utime), to_us(usage.ru_stime)};
}

WorkerThread::Answer heap_snapshot(Environment& environment, bool with_internals,
                                   bool with_numbers) {
  using Mode = v8::HeapProfiler::HeapSnapshotMode;
  v8::HeapProfiler::HeapSnapshotOptions options;
  options.snapshot_mode = with_internals ? Mode::kExposeInternals : Mode::kRegular;
  options.numerics_mode = with_numbers ? v8::HeapProfiler::NumericsMode::kExposeNumericValues
                                       : v8::HeapProfiler::NumericsMode::kHideNumericValues;
  const v8::HandleScope scope(environment.isolate());
  const v8::HeapSnapshot* snapshot =
      environment.isolate()->GetHeapProfiler()->TakeHeapSnapshot(options);
  TextStream stream;
  snapshot->Serialize(&stream);
  const_cast<v8::HeapSnapshot*>(snapshot)->Delete();
  return std::move(stream.text());
}

/// The id, or nothing if there are too many.
WorkerThread::Answer start_cpu_profile(Environment& environment, double interval, double samples) {
  const v8::HandleScope scope(environment.isolate());
  const auto id = Profiles::of(environment)
                      .start_cpu(static_cast<int>(interval), static_cast<unsigned>(samples));
  return id ? std::vector{static_cast<double>(*id)} : std::vector<double>();
}

/// A number, or nothing if one is in progress.
WorkerThread::Answer start_heap_profile(Environment& environment,
                                        const std::array<double, 3>& options) {
  const v8::HandleScope scope(environment.isolate());
  const bool started = Profiles::of(environment)
                           .start_heap(static_cast<std::uint64_t>(options[0]),
                                       static_cast<int>(options[1]), static_cast<int>(options[2]));
  return started ? std::vector{1.0} : std::vector<double>();
}

/// By the names that lib/internal/worker/worker.js uses.
WorkerThread::Question question_of(std::string_view kind, const std::array<double, 3>& options) {
  if (kind == "heapStatistics") return heap_statistics;
  if (kind == "cpuUsage") return cpu_usage;
  if (kind == "startCpuProfile") {
    return [=](Environment& environment) {
      return start_cpu_profile(environment, options[0], options[1]);
    };
  }
  if (kind == "stopCpuProfile") {
    return [=](Environment& environment) -> WorkerThread::Answer {
      const v8::HandleScope scope(environment.isolate());
      return Profiles::of(environment).stop_cpu(static_cast<v8::ProfilerId>(options[0]));
    };
  }
  if (kind == "startHeapProfile") {
    return [=](Environment& environment) { return start_heap_profile(environment, options); };
  }
  if (kind == "stopHeapProfile") {
    return [](Environment& environment) -> WorkerThread::Answer {
      const v8::HandleScope scope(environment.isolate());
      return Profiles::of(environment).stop_heap();
    };
  }
  return [=](Environment& environment) {
    return heap_snapshot(environment, options[0] != 0, options[1] != 0);
  };
}

// ---- The handle ---------------------------------------------------------------------------------

class WorkerHandle final : public Wrapped, private WorkerThread::Parent {
 public:
  static void construct(const Arguments& args) {
    Environment& environment = environment_of(args);
    const auto group = std::make_shared<PortGroup>(PortGroup::Kind::channel);
    auto own = std::make_unique<PortEnd>(group);
    auto worker = std::make_shared<WorkerThread>(
        to_settings(environment, args[0].As<Object>(), args[1]), std::make_unique<PortEnd>(group));
    const Local<v8::Context> context = environment.context();
    Local<Object> port;
    if (!MessagePort::make(environment, environment.context(), std::move(own)).ToLocal(&port))
      return;
    const auto set = [&](std::string_view name, Local<Value> value) {
      args.This()->CreateDataProperty(context, environment.name(name), value).Check();
    };
    set("messagePort", port);
    set("threadId", v8::Integer::NewFromUnsigned(args.GetIsolate(), worker->id()));
    set("threadName", environment.text(worker->name()));
    new WorkerHandle(environment, args.This(), std::move(worker));
  }

  ~WorkerHandle() override {
    thread_->leave_parent();
    thread_->stop();
    thread_->join();
  }

  static void start(const Arguments& args) {
    WorkerHandle& self = of(args);
    Environment& environment = self.environment();
    const int error = self.thread_->start(environment.loop(), self);
    if (error != 0) {
      const char* name = ::strerrorname_np(error);
      environment.throw_(
          environment.error("ERR_WORKER_INIT_FAILED", name != nullptr ? name : "UNKNOWN"));
      return;
    }
    self.hold();
    self.running_ = true;
    if (self.has_ref_) self.keep_alive_ = environment.loop().keep_alive();
  }

  static void stop(const Arguments& args) { of(args).thread_->stop(); }

  static void ref(const Arguments& args) {
    WorkerHandle& self = of(args);
    if (self.has_ref_) return;
    self.has_ref_ = true;
    if (self.running_) self.keep_alive_ = self.environment().loop().keep_alive();
  }

  static void unref(const Arguments& args) {
    of(args).has_ref_ = false;
    of(args).keep_alive_.release();
  }

  /// Undefined once it has ended and that was reported.
  static void has_ref(const Arguments& args) {
    if (!of(args).gone_) args.GetReturnValue().Set(of(args).has_ref_);
  }

  static void has_ended(const Arguments& args) {
    args.GetReturnValue().Set(of(args).thread_->has_ended());
  }

  /// (kind, number, option, option)
  static void ask(const Arguments& args) {
    WorkerHandle& self = of(args);
    const std::string kind = to_text(self.environment(), args[0]);
    std::array<double, 3> options{};
    const Local<v8::Context> context = self.environment().context();
    for (std::size_t i = 0; i < options.size(); ++i) {
      options[i] = args[static_cast<int>(i) + 2]->NumberValue(context).FromMaybe(0);
    }
    args.GetReturnValue().Set(
        self.thread_->ask(args[1].As<v8::Uint32>()->Value(), question_of(kind, options)));
  }

  static void limits(const Arguments& args) {
    args.GetReturnValue().Set(numbers(args.GetIsolate(), of(args).thread_->limits()));
  }
  static void loop_start_time(const Arguments& args) {
    args.GetReturnValue().Set(of(args).thread_->loop_start_ms());
  }
  static void loop_idle_time(const Arguments& args) {
    args.GetReturnValue().Set(of(args).thread_->loop_idle_ms());
  }

 private:
  WorkerHandle(Environment& environment, Local<Object> object, std::shared_ptr<WorkerThread> thread)
      : Wrapped(environment, object), thread_(std::move(thread)) {}

  static WorkerHandle& of(const Arguments& args) { return *from<WorkerHandle>(args.This()); }

  void call(std::string_view name, std::initializer_list<Local<Value>> arguments) {
    const v8::Context::Scope entered(environment().context());
    const Local<Value> function = get(environment(), object(), name);
    if (function->IsFunction()) {
      environment().call(object(), function.As<v8::Function>(), arguments);
    }
  }

  void ended(const WorkerThread::End& end) override {
    thread_->join();
    running_ = false;
    keep_alive_.release();
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const Local<Value> undefined = v8::Undefined(isolate);
    const bool failed = !end.error.empty();
    call("onexit", {v8::Integer::New(isolate, end.exit_code),
                    failed ? environment().text(end.error).As<Value>() : undefined,
                    failed ? environment().text(end.reason).As<Value>() : undefined});
    gone_ = true;
    let_go();
  }

  void answered(std::uint32_t number, const WorkerThread::Answer& answer) override {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope entered(environment().context());
    const Local<Value> value = std::visit(
        [&](const auto& held) -> Local<Value> {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>) {
            return environment().text(held);
          } else {
            return numbers(isolate, held);
          }
        },
        answer);
    call("onanswer", {v8::Integer::NewFromUnsigned(isolate, number), value});
  }

  std::shared_ptr<WorkerThread> thread_;
  KeepAlive keep_alive_;
  bool has_ref_ = true;
  bool running_ = false;
  bool gone_ = false;
};

// ---- Functions ----------------------------------------------------------------------------------

/// (): 0 on the main thread
void thread_id(const Arguments& args) {
  const WorkerThread* worker = environment_of(args).worker();
  args.GetReturnValue().Set(worker == nullptr ? 0 : worker->id());
}

void thread_name(const Arguments& args) {
  const WorkerThread* worker = environment_of(args).worker();
  args.GetReturnValue().Set(
      environment_of(args).text(worker == nullptr ? std::string_view() : worker->name()));
}

void own_limits(const Arguments& args) {
  if (const WorkerThread* worker = environment_of(args).worker()) {
    args.GetReturnValue().Set(numbers(args.GetIsolate(), worker->limits()));
  }
}

void take_port(const Arguments& args) {
  Environment& environment = environment_of(args);
  if (environment.worker() == nullptr) return;
  Local<Object> port;
  if (MessagePort::make(environment, environment.context(), environment.worker()->take_port())
          .ToLocal(&port)) {
    args.GetReturnValue().Set(port);
  }
}

/// (list of options, NODE_OPTIONS or undefined, names of variables that are 1): [values, options
/// that a Worker cannot have, what is wrong with NODE_OPTIONS, options in it that are not ours, the
/// words of the list that are options]
void parse_options(const Arguments& args) {
  Environment& environment = environment_of(args);
  v8::Isolate* isolate = args.GetIsolate();
  const std::vector<std::string> list = to_texts(environment, args[0]);
  std::vector<Local<Value>> invalid;
  Local<Value> invalid_environment = v8::Undefined(isolate);
  OptionParser parser;
  for (const std::string& variable : to_texts(environment, args[2])) parser.read_variable(variable);
  try {
    if (args[1]->IsString()) parser.read_text(to_text(environment, args[1]));
  } catch (const BadOption& bad) {
    invalid_environment = environment.text(bad.message);
  }
  std::vector<Local<Value>> for_v8;
  for (const std::string& word : parser.for_v8()) for_v8.push_back(environment.text(word));
  const std::size_t of_environment = parser.for_v8().size();
  try {
    parser.read(list);  // what is not an option is skipped, as in Node
    for (std::size_t i = of_environment; i < parser.for_v8().size(); ++i) {
      invalid.push_back(environment.text(parser.for_v8()[i]));
    }
    for (const std::string& argument : list) {
      if (is_of_process(argument)) invalid.push_back(environment.text(argument));
    }
  } catch (const BadOption& bad) {
    invalid.push_back(environment.text(bad.message));
  }
  const Local<Object> values = to_object(environment, parser.values());
  std::vector<Local<Value>> given;
  for (const std::string& word : parser.given()) given.push_back(environment.text(word));
  Local<Value> parts[] = {values, v8::Array::New(isolate, invalid.data(), invalid.size()),
                          invalid_environment,
                          v8::Array::New(isolate, for_v8.data(), for_v8.size()),
                          v8::Array::New(isolate, given.data(), given.size())};
  args.GetReturnValue().Set(v8::Array::New(isolate, parts, std::size(parts)));
}

constexpr Method kHandleMethods[] = {
    {"start", WorkerHandle::start},
    {"stop", WorkerHandle::stop},
    {"ref", WorkerHandle::ref},
    {"unref", WorkerHandle::unref},
    {"hasRef", WorkerHandle::has_ref},
    {"hasEnded", WorkerHandle::has_ended},
    {"ask", WorkerHandle::ask},
    {"limits", WorkerHandle::limits},
    {"loopStartTime", WorkerHandle::loop_start_time},
    {"loopIdleTime", WorkerHandle::loop_idle_time},
};

constexpr ClassShape kClasses[] = {{"WorkerHandle", WorkerHandle::construct, kHandleMethods}};

constexpr Method kMethods[] = {
    {"threadId", thread_id}, {"threadName", thread_name},     {"limits", own_limits},
    {"takePort", take_port}, {"parseOptions", parse_options},
};

}  // namespace

extern const Binding binding_worker;
const Binding binding_worker{.name = "worker", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
