// Jobs: what may take long and runs on the thread pool, or at once for the synchronous forms.
//
//     class Pbkdf2Task final : public JobTask {
//      public:
//       static constexpr const char* kProvider = "PBKDF2REQUEST";
//       static std::unique_ptr<JobTask> make(const Arguments& args, JobMode mode);
//       bool work(Failure& failure) override;
//       v8::MaybeLocal<v8::Value> result(Environment& environment) override;
//     };
//     add_job<Pbkdf2Task>(environment, target, "PBKDF2Job");
//
// For JavaScript a job is `new PBKDF2Job(mode, ...)` with a method run(), which
// - for kCryptoJobSync returns [error, result],
// - for kCryptoJobAsync calls job.ondone(error, result) later,
// - for kCryptoJobWebCrypto returns a promise, rejected with an OperationError whose cause is the
// error.
#pragma once

#include <v8.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/errors.h"
#include "runtime/glue/binding.h"

namespace rondo::crypto {

/// The numbers are Node's: kCryptoJobAsync and so on.
enum class JobMode : std::uint8_t { async, sync, web_crypto };

/// How a job of this mode may read its arguments.
inline ByteSource::Lifetime lifetime_for(JobMode mode) {
  return mode == JobMode::sync ? ByteSource::Lifetime::borrow : ByteSource::Lifetime::copy;
}

/// The internal field of a job's object in which a task can keep a value of JavaScript.
constexpr int kJobKeeps = 1;

v8::Isolate* isolate_of(const Environment& environment);

/// What is computed. It may outlive its environment, so it holds nothing of V8 that is not safe on
/// any thread (a shared_ptr to a BackingStore is).
class JobTask {
 public:
  virtual ~JobTask() = default;

  /// On any thread. False if it failed: then OpenSSL's queue or `failure` says why.
  virtual bool work(Failure& failure) = 0;
  /// On the loop's thread, after work() has succeeded. Empty with an exception under way.
  virtual v8::MaybeLocal<v8::Value> result(Environment& environment) {
    return v8::Undefined(isolate_of(environment));
  }
  /// The same for a task that keeps something of JavaScript in its job's object (kJobKeeps).
  virtual v8::MaybeLocal<v8::Value> result_of(Environment& environment,
                                              v8::Local<v8::Object> /*job*/) {
    return result(environment);
  }
  /// The message if neither says why.
  virtual std::string_view failure_message() const { return "Deriving bits failed"; }
  virtual std::string_view failure_code() const { return "ERR_CRYPTO_OPERATION_FAILED"; }
};

/// A task whose result is bytes: an ArrayBuffer.
class BytesTask : public JobTask {
 public:
  v8::MaybeLocal<v8::Value> result(Environment& environment) override;

 protected:
  SecretBytes out_;
};

using MakeTask = std::unique_ptr<JobTask> (*)(const Arguments& args, JobMode mode);

/// For add_job(): makes the C++ side of args.This().
void construct_job(const Arguments& args, MakeTask make, const char* provider);
void set_job_class(Environment& environment, v8::Local<v8::Object> target, std::string_view name,
                   v8::FunctionCallback construct);

/// The class of a kind of jobs. `Task::make` gets all arguments (the first is the mode) and
/// returns null with an exception under way if they are wrong.
template <class Task>
void add_job(Environment& environment, v8::Local<v8::Object> target, std::string_view name) {
  set_job_class(environment, target, name,
                [](const Arguments& args) { construct_job(args, Task::make, Task::kProvider); });
}

/// setJobHooks(begin, end, DOMException) of the binding, and the constants of the modes.
void add_jobs(Environment& environment, v8::Local<v8::Object> target);

}  // namespace rondo::crypto
