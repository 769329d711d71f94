#include "runtime/crypto/job.h"

#include <openssl/err.h>

#include <new>
#include <utility>

#include "rondo/work.h"

#include "runtime/crypto/parts.h"
#include "runtime/crypto/state.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/wrapped.h"

namespace rondo::crypto {
namespace {

using v8::Local;

/// What the loop's thread and a thread of the pool share. The object of JavaScript holds one
/// reference, work under way another.
struct Shared {
  std::unique_ptr<JobTask> task;
  Failure failure;
  bool succeeded = false;

  void run() {
    const ErrorScope scope;
    try {
      succeeded = task->work(failure);
    } catch (const std::bad_alloc&) {
      succeeded = false;
      ERR_raise(ERR_LIB_CRYPTO, ERR_R_MALLOC_FAILURE);
    }
    if (succeeded) return;
    if (failure.empty()) failure.capture();
    if (failure.empty()) failure.set(task->failure_message(), task->failure_code());
  }
};

/// The C++ side of a job.
class Job final : public Wrapped {
 public:
  /// Cleared when the job goes: its environment may not wait for the work.
  struct Link {
    Job* job;
  };

  Job(Environment& environment, Local<v8::Object> object, JobMode mode, const char* provider,
      std::unique_ptr<JobTask> task)
      : Wrapped(environment, object),
        mode_(mode),
        provider_(provider),
        shared_(std::make_shared<Shared>()),
        link_(std::make_shared<Link>(this)) {
    shared_->task = std::move(task);
  }
  ~Job() override { link_->job = nullptr; }

  static void run(const Arguments& args) {
    Job* job = Wrapped::from<Job>(args.This());
    if (job == nullptr) return;  // its constructor has thrown
    if (job->mode_ == JobMode::sync) return job->run_now(args);
    job->begin(args);
  }

 private:
  void run_now(const Arguments& args) {
    shared_->run();
    Local<v8::Value> pair[] = {v8::Undefined(args.GetIsolate()), v8::Undefined(args.GetIsolate())};
    if (!shared_->succeeded) {
      pair[0] = shared_->failure.to_error(environment());
    } else if (!shared_->task->result_of(environment(), object()).ToLocal(&pair[1])) {
      return;
    }
    args.GetReturnValue().Set(v8::Array::New(args.GetIsolate(), pair, std::size(pair)));
  }

  void begin(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    const Local<v8::Context> context = environment().context();
    if (mode_ == JobMode::web_crypto) {
      Local<v8::Promise::Resolver> resolver;
      if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return;
      resolver_.Reset(isolate, resolver);
      args.GetReturnValue().Set(resolver->GetPromise());
    }
    State& state = State::of(environment());
    Local<v8::Value> arguments[] = {object(), environment().name(provider_)};
    if (state.begin_job.Get(isolate)
            ->Call(context, v8::Undefined(isolate), 2, arguments)
            .IsEmpty()) {
      return;
    }
    hold();
    work(
        environment().loop(), [shared = shared_] { shared->run(); },
        [link = link_](const Expected<void>& done) {
          if (link->job != nullptr) link->job->end(done);
        });
  }

  void end(const Expected<void>& done) {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment().context());
    Local<v8::Value> error = v8::Undefined(isolate);
    Local<v8::Value> result = v8::Undefined(isolate);
    if (!done) {
      error = environment().system_error(done.error().value(), "crypto");
    } else if (!shared_->succeeded) {
      error = shared_->failure.to_error(environment());
    } else {
      const v8::TryCatch caught(isolate);
      if (!shared_->task->result_of(environment(), object()).ToLocal(&result)) {
        error = caught.Exception();
        result = v8::Undefined(isolate);
      }
    }
    Local<v8::Value> settle = v8::Undefined(isolate);
    if (mode_ == JobMode::web_crypto) {
      settle = v8::Function::New(environment().context(), guarded(settle_promise), object())
                   .ToLocalChecked();
    }
    const Local<v8::Function> end_job = State::of(environment()).end_job.Get(isolate);
    let_go();
    environment().call(v8::Undefined(isolate), end_job, {object(), settle, error, result});
  }

  /// (error, result), in the context of the job.
  static void settle_promise(const Arguments& args) {
    Job* job = Wrapped::from<Job>(args.Data());
    if (job == nullptr) return;
    const Local<v8::Promise::Resolver> resolver = job->resolver_.Get(args.GetIsolate());
    job->resolver_.Reset();
    if (args[0]->IsUndefined()) {
      job->resolve(resolver, args[1]);
    } else {
      job->reject(resolver, args[0]);
    }
  }

  /// Not as a thenable, whatever a program has given Object.prototype: then() is looked for when a
  /// promise is resolved with an object.
  void resolve(Local<v8::Promise::Resolver> resolver, Local<v8::Value> value) {
    v8::Isolate* isolate = environment().isolate();
    const Local<v8::Context> context = environment().context();
    if (value->IsArrayBufferView()) value = value.As<v8::ArrayBufferView>()->Buffer();
    const Local<v8::String> then = environment().name("then");
    bool is_hidden = false;
    if (value->IsObject() &&
        !value.As<v8::Object>()->HasOwnProperty(context, then).FromMaybe(true)) {
      is_hidden = value.As<v8::Object>()
                      ->DefineOwnProperty(context, then, v8::Undefined(isolate), v8::DontEnum)
                      .FromMaybe(false);
    }
    resolver->Resolve(context, value).FromMaybe(false);
    if (is_hidden) value.As<v8::Object>()->Delete(context, then).FromMaybe(false);
  }

  void reject(Local<v8::Promise::Resolver> resolver, Local<v8::Value> cause) {
    v8::Isolate* isolate = environment().isolate();
    const Local<v8::Context> context = environment().context();
    const Local<v8::Object> options = v8::Object::New(isolate);
    options
        ->CreateDataProperty(context, environment().name("name"),
                             environment().name("OperationError"))
        .Check();
    options->CreateDataProperty(context, environment().name("cause"), cause).Check();
    Local<v8::Value> arguments[] = {
        environment().text("The operation failed for an operation-specific reason"), options};
    Local<v8::Object> exception;
    Local<v8::Value> reason = cause;
    if (State::of(environment())
            .dom_exception.Get(isolate)
            ->NewInstance(context, 2, arguments)
            .ToLocal(&exception)) {
      reason = exception;
    }
    resolver->Reject(context, reason).FromMaybe(false);
  }

  JobMode mode_;
  const char* provider_;
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Link> link_;
  v8::Global<v8::Promise::Resolver> resolver_;
};

void set_job_hooks(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  State& state = State::of(Environment::of(isolate));
  state.begin_job.Reset(isolate, args[0].As<v8::Function>());
  state.end_job.Reset(isolate, args[1].As<v8::Function>());
  state.dom_exception.Reset(isolate, args[2].As<v8::Function>());
  state.check_store.Reset(isolate, args[3].As<v8::Function>());
}

}  // namespace

void construct_job(const Arguments& args, MakeTask make, const char* provider) {
  Environment& environment = Environment::of(args.GetIsolate());
  const auto mode = static_cast<JobMode>(args[0].As<v8::Uint32>()->Value());
  const ErrorScope scope;
  if (std::unique_ptr<JobTask> task = make(args, mode)) {
    new Job(environment, args.This(), mode, provider, std::move(task));
  }
}

void set_job_class(Environment& environment, Local<v8::Object> target, std::string_view name,
                   v8::FunctionCallback construct) {
  static constexpr Method kMethods[] = {{"run", Job::run}};
  set_class(environment, target, {name, construct, kMethods, kJobKeeps + 1});
}

v8::Isolate* isolate_of(const Environment& environment) {
  return environment.isolate();
}

v8::MaybeLocal<v8::Value> BytesTask::result(Environment& environment) {
  Local<v8::ArrayBuffer> buffer;
  if (!make_array_buffer(environment, std::move(out_)).ToLocal(&buffer)) return {};
  return buffer;
}

void add_jobs(Environment& environment, Local<v8::Object> target) {
  set_method(environment, target, {"setJobHooks", set_job_hooks});
  set_value(environment, target, "kCryptoJobAsync", static_cast<double>(JobMode::async));
  set_value(environment, target, "kCryptoJobSync", static_cast<double>(JobMode::sync));
  set_value(environment, target, "kCryptoJobWebCrypto", static_cast<double>(JobMode::web_crypto));
}

}  // namespace rondo::crypto
