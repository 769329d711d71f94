// Child processes. new Process() has:
//
//   spawn(options)          the pid, or a negative errno; fds of pipes are put into options.pipes
//   onending()              it has ended, and onexit() follows
//   onexit(code, signal)    signal is a name or ''
//   kill(signal)            a status
//   ref(), unref(), hasRef(), close()
//
// spawnSync(options) runs a child to its end and returns [pid, status, signal, outputs, error].
//
// options: { file, args (with argv[0]), envPairs, cwd, uid, gid, detached,
//            stdio: kinds and descriptors alternating ('pipe', -1, 'fd', 2, 'ignore', -1 ...) }
// and of spawnSync: { inputs: [bytes or undefined ...], timeout, maxBuffer, killSignal }
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "rondo/async.h"
#include "rondo/process.h"

#include "core/loop_core.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"
#include "runtime/streams/stream_handle.h"

namespace rondo {
namespace {

using v8::Isolate;
using v8::Local;
using v8::Value;

// ---- Options ------------------------------------------------------------------------------------

class Options {
 public:
  Options(const Environment& environment, Local<v8::Object> object)
      : environment_(environment), object_(object) {}

  Local<Value> get(std::string_view name) const {
    Local<Value> value;
    if (!object_->Get(environment_.context(), environment_.name(name)).ToLocal(&value)) {
      value = v8::Undefined(environment_.isolate());
    }
    return value;
  }

  std::string text(std::string_view name) const { return to_text(get(name)); }

  std::optional<double> number(std::string_view name) const {
    const Local<Value> value = get(name);
    if (!value->IsNumber()) return std::nullopt;
    return value.As<v8::Number>()->Value();
  }

  bool flag(std::string_view name) const { return get(name)->IsTrue(); }

  std::vector<Local<Value>> list(std::string_view name) const {
    std::vector<Local<Value>> values;
    const Local<Value> value = get(name);
    if (!value->IsArray()) return values;
    const auto array = value.As<v8::Array>();
    for (std::uint32_t i = 0; i < array->Length(); ++i) {
      values.push_back(array->Get(environment_.context(), i).ToLocalChecked());
    }
    return values;
  }

  std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> all;
    for (const Local<Value> value : list(name)) all.push_back(to_text(value));
    return all;
  }

 private:
  std::string to_text(Local<Value> value) const {
    if (value->IsNullOrUndefined()) return {};
    const v8::String::Utf8Value text(environment_.isolate(), value);
    return *text == nullptr ? std::string()
                            : std::string(*text, static_cast<std::size_t>(text.length()));
  }

  const Environment& environment_;
  Local<v8::Object> object_;
};

/// A child does not expect its standard streams to be non-blocking, which ours are where we read
/// them.
void make_blocking(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0 && (flags & O_NONBLOCK) != 0) ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

SpawnOptions to_spawn_options(const Environment& environment, const Options& options) {
  SpawnOptions spawn;
  std::vector<std::string> args = options.texts("args");
  spawn.command.push_back(options.text("file"));
  if (!args.empty()) {
    spawn.argv0 = args.front();
    spawn.command.insert(spawn.command.end(), args.begin() + 1, args.end());
  }
  if (options.get("envPairs")->IsArray()) spawn.env = options.texts("envPairs");
  spawn.cwd = options.text("cwd");
  if (const auto uid = options.number("uid")) spawn.uid = static_cast<uid_t>(*uid);
  if (const auto gid = options.number("gid")) spawn.gid = static_cast<gid_t>(*gid);
  spawn.detached = options.flag("detached");
  const std::vector<Local<Value>> stdio = options.list("stdio");
  for (std::size_t i = 0; i + 1 < stdio.size(); i += 2) {
    const v8::String::Utf8Value kind(environment.isolate(), stdio[i]);
    const std::string_view name = *kind == nullptr ? "" : *kind;
    if (name == "pipe") {
      spawn.stdio.push_back(Stdio::duplex());
    } else if (name == "ignore") {
      spawn.stdio.push_back(Stdio::ignore());
    } else {
      const int fd = stdio[i + 1]->Int32Value(environment.context()).FromMaybe(-1);
      if (i / 2 <= STDERR_FILENO) make_blocking(fd);
      spawn.stdio.push_back(Stdio::descriptor(fd));
    }
  }
  return spawn;
}

Local<Value> signal_name(const Environment& environment, int signum) {
  const char* abbreviation = signum == 0 ? nullptr : ::sigabbrev_np(signum);
  if (signum == SIGIO) abbreviation = "IO";  // the C library prefers SIGPOLL, its other name
  return environment.text(abbreviation == nullptr ? "" : std::string("SIG") + abbreviation);
}

// ---- Process ------------------------------------------------------------------------------------

class ProcessHandle final : public Wrapped {
 public:
  using Wrapped::Wrapped;
  ~ProcessHandle() override { link_->handle = nullptr; }

  static void make(const Arguments& args) {
    if (args.IsConstructCall()) new ProcessHandle(Environment::of(args.GetIsolate()), args.This());
  }

  static void spawn(const Arguments& args) {
    if (!args[0]->IsObject()) return;
    ProcessHandle* self = of(args);
    const Environment& environment = self->environment();
    const Options options(environment, args[0].As<v8::Object>());
    const SpawnOptions wanted = to_spawn_options(environment, options);
    self->environment().output_follows(-1);  // the child may write
    auto child = Process::spawn(self->environment().loop(), wanted);
    if (!child) {
      args.GetReturnValue().Set(-child.error().value());
      return;
    }
    self->child_.emplace(*std::move(child));
    self->hand_out_pipes(wanted, options);
    self->await_exit();
    args.GetReturnValue().Set(self->child_->pid());
  }

  static void kill(const Arguments& args) {
    ProcessHandle* self = of(args);
    if (!self->child_) {
      args.GetReturnValue().Set(-ESRCH);
      return;
    }
    const auto killed = self->child_->kill(
        args[0]->Int32Value(args.GetIsolate()->GetCurrentContext()).FromMaybe(0));
    args.GetReturnValue().Set(killed ? 0 : -killed.error().value());
  }

  static void ref(const Arguments& args) {
    if (of(args)->child_) of(args)->child_->ref();
  }
  static void unref(const Arguments& args) {
    if (of(args)->child_) of(args)->child_->unref();
  }
  static void has_ref(const Arguments& args) {
    const ProcessHandle* self = of(args);
    args.GetReturnValue().Set(self->child_ && self->child_->running() && self->child_->has_ref());
  }
  static void close(const Arguments& args) { of(args)->child_.reset(); }

 private:
  struct Link {
    ProcessHandle* handle;
  };

  static ProcessHandle* of(const Arguments& args) { return from<ProcessHandle>(args.This()); }

  /// They become handles of their own; see DescriptorHandle.
  void hand_out_pipes(const SpawnOptions& wanted, const Options& options) {
    const Local<Value> out = options.get("pipes");
    if (!out->IsArray()) return;
    for (std::size_t i = 0; i < wanted.stdio.size(); ++i) {
      const bool is_pipe = wanted.stdio[i].kind() == Stdio::Kind::duplex;
      const int fd = is_pipe ? child_->pipe(i).release() : -1;
      out.As<v8::Array>()
          ->Set(environment().context(), static_cast<std::uint32_t>(i),
                v8::Integer::New(environment().isolate(), fd))
          .Check();
    }
  }

  void await_exit() {
    hold();
    child_->on_exit([link = link_](const ExitStatus& status) {
      if (link->handle != nullptr) link->handle->exited(status);
    });
  }

  void exited(const ExitStatus& status) {
    Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment().context());
    // As in Node, which looks for children after everything else in a poll phase: the messages and
    // the end of the channel, which were there before the child's end, come first.
    report("onending", {});
    environment().loop().core().door().drain();
    report("onexit",
           {v8::Integer::New(isolate, status.code), signal_name(environment(), status.signal)});
    let_go();
  }

  void report(std::string_view name, std::initializer_list<Local<Value>> arguments) {
    Local<Value> callback;
    if (object()->Get(environment().context(), environment().name(name)).ToLocal(&callback) &&
        callback->IsFunction()) {
      environment().call(object(), callback.As<v8::Function>(), arguments);
    }
  }

  std::optional<Process> child_;
  std::shared_ptr<Link> link_ = std::make_shared<Link>(this);
};

// ---- To its end ---------------------------------------------------------------------------------

/// A child that is waited for by a loop of its own, while ours stands still.
class SyncRun {
 public:
  struct Limits {
    std::optional<std::chrono::milliseconds> timeout;
    std::size_t max_buffer;
    int kill_signal;
  };

  SyncRun(Process child, Loop& loop, Limits limits, std::size_t count)
      : child_(std::move(child)), loop_(loop), limits_(limits), outputs_(count) {}

  void write(std::size_t fd, std::string bytes) {
    spawn(loop_, [this, fd, bytes = std::move(bytes)]() -> Async<> {
      // Without input nothing is written: to a child that has ended already, that would be EPIPE.
      if (!bytes.empty()) {
        const auto written = co_await child_.pipe(fd).write(bytes);
        // EPIPE of a child that did not read all of it. The child continues.
        if (!written && pipe_error_ == 0) pipe_error_ = written.error().value();
      }
      child_.pipe(fd).close_write();
      co_return;
    });
  }

  void read(std::size_t fd) {
    outputs_[fd].emplace();
    spawn(loop_, [this, fd]() -> Async<> {
      std::string piece(64U << 10, '\0');
      for (;;) {
        const auto count = co_await child_.pipe(fd).read(std::as_writable_bytes(std::span(piece)));
        if (!count || *count == 0) co_return;
        std::string& output = *outputs_[fd];
        output.append(piece, 0, *count);
        if (output.size() > limits_.max_buffer) {
          stop(ENOBUFS);
          co_return;
        }
      }
    });
  }

  void run() {
    if (limits_.timeout) wait_for_timeout(*limits_.timeout);
    spawn(loop_, [this]() -> Async<> {
      if (const auto status = co_await child_.wait()) status_ = *status;
    });
    loop_.run();
  }

  const ExitStatus& status() const noexcept { return status_; }
  /// That of a limit rather than what came of it.
  int error() const noexcept { return error_ != 0 ? error_ : pipe_error_; }
  const std::vector<std::optional<std::string>>& outputs() const noexcept { return outputs_; }
  pid_t pid() const { return child_.pid(); }

 private:
  /// In steps: one timer waits for 24 days at most.
  void wait_for_timeout(std::chrono::milliseconds left) {
    constexpr std::chrono::milliseconds kLongest{std::numeric_limits<std::int32_t>::max()};
    const auto step = std::min(left, kLongest);
    timer_ = loop_.set_timeout(step, [this, left, step] {
      if (left == step) return stop(ETIMEDOUT);
      wait_for_timeout(left - step);
    });
    timer_.unref();
  }

  void stop(int error) {
    if (error_ != 0) return;
    error_ = error;
    static_cast<void>(child_.kill(limits_.kill_signal));
    for (std::size_t fd = 0; fd < outputs_.size(); ++fd) {
      if (outputs_[fd]) child_.pipe(fd).close();
    }
  }

  Process child_;
  Loop& loop_;
  Limits limits_;
  Timer timer_;
  std::vector<std::optional<std::string>> outputs_;  // by descriptor of the child
  ExitStatus status_;
  int error_ = 0;       // of a limit
  int pipe_error_ = 0;  // the first one
};

std::string bytes_of(Local<Value> value) {
  if (!value->IsArrayBufferView()) return {};
  const auto view = value.As<v8::ArrayBufferView>();
  std::string bytes(view->ByteLength(), '\0');
  view->CopyContents(bytes.data(), bytes.size());
  return bytes;
}

Local<Value> to_bytes(Isolate* isolate, const std::string& bytes) {
  auto store = v8::ArrayBuffer::NewBackingStore(isolate, bytes.size());
  std::ranges::copy(bytes, static_cast<char*>(store->Data()));
  return v8::Uint8Array::New(v8::ArrayBuffer::New(isolate, std::move(store)), 0, bytes.size());
}

void spawn_sync(const Arguments& args) {
  if (!args[0]->IsObject()) return;
  Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const Options options(environment, args[0].As<v8::Object>());
  const SpawnOptions wanted = to_spawn_options(environment, options);

  const auto fail = [&](int error) {
    Local<Value> parts[] = {v8::Integer::New(isolate, 0), v8::Null(isolate), v8::Null(isolate),
                            v8::Null(isolate), v8::Integer::New(isolate, -error)};
    args.GetReturnValue().Set(v8::Array::New(isolate, parts, std::size(parts)));
  };
  std::optional<Loop> own;
  try {
    own.emplace();
  } catch (const std::system_error& error) {  // no descriptor or no memory left for it
    return fail(error.code().value());
  }
  Loop& loop = *own;
  environment.output_follows(-1);  // the child may write
  auto child = Process::spawn(loop, wanted);
  if (!child) return fail(child.error().value());
  SyncRun::Limits limits{
      .timeout = {},
      .max_buffer = static_cast<std::size_t>(-1),
      .kill_signal = static_cast<int>(options.number("killSignal").value_or(15))};
  if (const auto timeout = options.number("timeout"); timeout && *timeout > 0) {
    limits.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(*timeout));
  }
  if (const auto most = options.number("maxBuffer"); most && *most < 1e15) {
    limits.max_buffer = static_cast<std::size_t>(*most);
  }
  const std::size_t count = wanted.stdio.size();
  SyncRun run(*std::move(child), loop, limits, count);
  const std::vector<Local<Value>> inputs = options.list("inputs");
  for (std::size_t fd = 0; fd < count; ++fd) {
    if (wanted.stdio[fd].kind() != Stdio::Kind::duplex) continue;
    const bool has_input = fd < inputs.size() && inputs[fd]->IsArrayBufferView();
    run.write(fd, has_input ? bytes_of(inputs[fd]) : std::string());
    if (fd != 0) run.read(fd);
  }
  run.run();

  std::vector<Local<Value>> outputs;
  for (const auto& output : run.outputs()) {
    outputs.push_back(output ? to_bytes(isolate, *output) : v8::Null(isolate).As<Value>());
  }
  const ExitStatus& status = run.status();
  Local<Value> parts[] = {
      v8::Integer::New(isolate, run.pid()),
      status.signal != 0 ? v8::Null(isolate).As<Value>()
                         : v8::Integer::New(isolate, status.code).As<Value>(),
      status.signal != 0 ? signal_name(environment, status.signal) : v8::Null(isolate).As<Value>(),
      v8::Array::New(isolate, outputs.data(), outputs.size()),
      v8::Integer::New(isolate, -run.error()),
  };
  args.GetReturnValue().Set(v8::Array::New(isolate, parts, std::size(parts)));
}

constexpr Method kMethods[] = {{"spawnSync", spawn_sync}};

constexpr Method kProcessMethods[] = {
    {"spawn", ProcessHandle::spawn},    {"kill", ProcessHandle::kill},
    {"ref", ProcessHandle::ref},        {"unref", ProcessHandle::unref},
    {"hasRef", ProcessHandle::has_ref}, {"close", ProcessHandle::close}};

constexpr ClassShape kClasses[] = {{"Process", ProcessHandle::make, kProcessMethods}};

}  // namespace

extern const Binding binding_child_process;
const Binding binding_child_process{
    .name = "child_process", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
