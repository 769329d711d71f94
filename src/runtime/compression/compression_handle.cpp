#include "runtime/compression/compression_handle.h"

#include <string>
#include <utility>

#include "rondo/async.h"
#include "rondo/work.h"

#include "core/loop_core.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/views.h"

namespace rondo {
namespace {

using v8::Local;

constexpr int kCallbackField = 1;
constexpr int kResultField = 2;

// Up to here a step is done on the spot: a thread would need as long to wake up.
constexpr std::size_t kSmallInput = 4 * 1024;
constexpr std::size_t kSmallOutput = 64 * 1024;

/// Something that is done already; reported in the poll phase like every result.
class DoneOp : public Operable<DoneOp, void> {
 public:
  DoneOp() = default;
  DoneOp(DoneOp&& /*other*/) noexcept {}  // only before it begins
  DoneOp& operator=(DoneOp&&) = delete;
  ~DoneOp() = default;

  void begin(const detail::AsyncContext& context, detail::Waiter waiter) {
    LoopCore& core = context.loop->core();
    delivery_.core = &core;
    delivery_.waiter = waiter;
    core.begin_request();
    core.complete_soon(delivery_, 0);
  }
  void cancel() noexcept {}
  Expected<void> take_result() { return {}; }

 private:
  struct Delivery final : Operation {
    void complete(std::int32_t /*result*/, std::uint32_t /*flags*/) override {
      core->end_request();
      core->door().run({TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)},
                       [waiter = waiter] { waiter(); });
    }
    LoopCore* core = nullptr;
    detail::Waiter waiter;
  };

  Delivery delivery_;
};

std::shared_ptr<v8::BackingStore> memory_of(Local<v8::Value> view) {
  return view.As<v8::ArrayBufferView>()->Buffer()->GetBackingStore();
}

}  // namespace

struct CompressionHandle::Job {
  std::unique_ptr<Compressor> compressor;
  CompressionStep step;
  // Keep the memory of the step where it is, even if JavaScript gives it away meanwhile.
  std::shared_ptr<v8::BackingStore> in;
  std::shared_ptr<v8::BackingStore> out;
  CompressionHandle* owner = nullptr;  // null when it is gone
};

CompressionHandle::CompressionHandle(Environment& environment, Local<v8::Object> object,
                                     CompressionMode mode)
    : Wrapped(environment, object), mode_(mode), job_(std::make_shared<Job>()) {
  job_->owner = this;
}

CompressionHandle::~CompressionHandle() {
  job_->owner = nullptr;
  if (!writing_) job_->compressor.reset();
  if (memory_reported_ != 0) {
    environment().isolate()->AdjustAmountOfExternalAllocatedMemory(-memory_reported_);
  }
}

Compressor* CompressionHandle::compressor() const noexcept {
  return job_->compressor.get();
}

void CompressionHandle::set_up(std::unique_ptr<Compressor> compressor,
                               Local<v8::Uint32Array> result, Local<v8::Function> callback) {
  job_->compressor = std::move(compressor);
  object()->SetInternalField(kCallbackField, callback);
  object()->SetInternalField(kResultField, result);
  report_memory();
}

void CompressionHandle::report_memory() {
  const std::int64_t now = job_->compressor == nullptr ? 0 : job_->compressor->memory();
  if (now == memory_reported_) return;
  environment().isolate()->AdjustAmountOfExternalAllocatedMemory(now - memory_reported_);
  memory_reported_ = now;
}

void CompressionHandle::refuse(Local<v8::Value> error) const {
  environment().throw_(error);
  throw PendingException();
}

/// Takes the arguments of write().
void CompressionHandle::begin_step(std::uint32_t flush, Local<v8::Value> in,
                                   std::uint32_t in_offset, std::uint32_t in_size,
                                   Local<v8::Value> out, std::uint32_t out_offset,
                                   std::uint32_t out_size) {
  const bool has_input = in->IsArrayBufferView();
  if (!out->IsArrayBufferView() || (!has_input && !in->IsNullOrUndefined())) {
    refuse(
        environment().error("ERR_INVALID_ARG_TYPE", "The buffers must be views of ArrayBuffers"));
  }
  if (job_->compressor == nullptr) {
    refuse(environment().error("ERR_INVALID_STATE", "The zlib handle is closed"));
  }
  if (writing_ || closes_later_) {
    refuse(environment().error("ERR_INVALID_STATE", "A write of the zlib handle is in progress"));
  }
  const auto part_of = [](std::span<std::uint8_t> bytes, std::size_t offset, std::size_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  };
  CompressionStep& step = job_->step;
  step = {};
  step.flush = static_cast<int>(flush);
  if (has_input) {
    const std::span<std::uint8_t> input = bytes_of(in);
    if (!part_of(input, in_offset, in_size)) {
      refuse(environment().range_error("ERR_OUT_OF_RANGE", "input buffer is out of bounds"));
    }
    step.in = input.data() + in_offset;
    step.in_left = in_size;
  }
  const std::span<std::uint8_t> output = bytes_of(out);
  if (!part_of(output, out_offset, out_size)) {
    refuse(environment().range_error("ERR_OUT_OF_RANGE", "output buffer is out of bounds"));
  }
  step.out = output.data() + out_offset;
  step.out_left = out_size;
}

void CompressionHandle::write_result() {
  const std::span<std::uint32_t> result =
      elements_of<std::uint32_t>(object()->GetInternalField(kResultField).As<v8::Value>());
  if (result.size() < 2) return;
  result[0] = static_cast<std::uint32_t>(job_->step.out_left);
  result[1] = static_cast<std::uint32_t>(job_->step.in_left);
}

void CompressionHandle::write_sync(std::uint32_t flush, Local<v8::Value> in,
                                   std::uint32_t in_offset, std::uint32_t in_size,
                                   Local<v8::Value> out, std::uint32_t out_offset,
                                   std::uint32_t out_size) {
  begin_step(flush, in, in_offset, in_size, out, out_offset, out_size);
  job_->compressor->run(job_->step);
  report_memory();
  if (const auto error = job_->compressor->error(job_->step)) {
    report(*error);
  } else {
    write_result();
  }
}

void CompressionHandle::write(std::uint32_t flush, Local<v8::Value> in, std::uint32_t in_offset,
                              std::uint32_t in_size, Local<v8::Value> out, std::uint32_t out_offset,
                              std::uint32_t out_size) {
  begin_step(flush, in, in_offset, in_size, out, out_offset, out_size);
  const std::shared_ptr<Job>& job = job_;
  writing_ = true;
  hold();
  const auto done = [job](Expected<void> result) {
    // No thread, or too many jobs wait for one.
    if (!result && job->owner != nullptr) job->compressor->run(job->step);
    job->in.reset();
    job->out.reset();
    if (job->owner != nullptr) job->owner->finish_in_background();
  };
  Loop& loop = environment().loop();
  if (job->step.in_left <= kSmallInput && job->step.out_left <= kSmallOutput &&
      job->compressor->is_quick()) {
    job->compressor->run(job->step);
    DoneOp().then(loop, done);
    return;
  }
  if (job->step.in_left > 0) job->in = memory_of(in);
  job->out = memory_of(out);
  work(loop, [job] { job->compressor->run(job->step); }).then(loop, done);
}

void CompressionHandle::finish_in_background() {
  const v8::HandleScope scope(environment().isolate());
  const Local<v8::Context> context = environment().context();
  const v8::Context::Scope entered(context);
  writing_ = false;
  report_memory();
  const auto error = job_->compressor->error(job_->step);
  for (const auto& change : std::exchange(changes_, {})) change();
  if (error) {
    report_from_loop(*error);
  } else {
    write_result();
    const auto callback = object()->GetInternalField(kCallbackField).As<v8::Value>();
    static_cast<void>(environment().call(object(), callback.As<v8::Function>(), {}));
  }
  if (closes_later_ && !writing_) close();
  let_go();
}

namespace {

struct ErrorArguments {
  Local<v8::Value> function;
  Local<v8::Value> values[3];
};

ErrorArguments arguments_for(const CompressionHandle& handle, const CompressionError& error) {
  const Environment& environment = handle.environment();
  v8::Isolate* isolate = environment.isolate();
  ErrorArguments arguments;
  arguments.values[0] = environment.text(error.message);
  arguments.values[1] = v8::Integer::New(isolate, error.number);
  arguments.values[2] = environment.text(error.code);
  if (!handle.object()
           ->Get(isolate->GetCurrentContext(), environment.name("onerror"))
           .ToLocal(&arguments.function)) {
    arguments.function = v8::Undefined(isolate);
  }
  return arguments;
}

}  // namespace

void CompressionHandle::report(const CompressionError& error) {
  ErrorArguments arguments = arguments_for(*this, error);
  if (!arguments.function->IsFunction()) return;  // not there yet while it is set up
  // What it throws reaches our caller.
  const auto result = arguments.function.As<v8::Function>()->Call(
      environment().isolate(), environment().context(), object(), 3, arguments.values);
  static_cast<void>(result);
}

void CompressionHandle::report_from_loop(const CompressionError& error) {
  ErrorArguments arguments = arguments_for(*this, error);
  if (!arguments.function->IsFunction()) return;
  static_cast<void>(
      environment().call(object(), arguments.function.As<v8::Function>(),
                         {arguments.values[0], arguments.values[1], arguments.values[2]}));
}

void CompressionHandle::between_steps(std::function<void()> change) {
  if (writing_) {
    changes_.push_back(std::move(change));
  } else {
    change();
  }
}

void CompressionHandle::close() {
  closes_later_ = writing_;
  if (writing_) return;
  job_->compressor.reset();
  report_memory();
}

void CompressionHandle::reset() {
  if (writing_) {
    refuse(v8::Exception::Error(
        environment().text("Cannot reset zlib stream while a write is in progress")));
  }
  if (job_->compressor == nullptr) return;
  const auto error = job_->compressor->reset();
  report_memory();
  if (error) report(*error);
}

}  // namespace rondo
