// For lib/internal/async_hooks.js: the hooks of promises, the microtask queue, the frames of
// AsyncLocalStorage, and the ends of resources, which are reported to hooks.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

/// setPromiseHooks(init, before, after, resolve): each a function or undefined.
void set_promise_hooks(Environment& environment, v8::Local<v8::Value> init,
                       v8::Local<v8::Value> before, v8::Local<v8::Value> after,
                       v8::Local<v8::Value> resolve) {
  v8::Isolate* isolate = environment.isolate();
  PromiseHooks::Functions hooks;
  std::size_t i = 0;
  for (const v8::Local<v8::Value> hook : {init, before, after, resolve}) {
    if (hook->IsFunction()) hooks[i] = hook.As<v8::Function>();
    ++i;
  }
  isolate->GetCurrentContext()->SetPromiseHooks(hooks[0], hooks[1], hooks[2], hooks[3]);
  environment.promise_hooks().set(isolate, hooks);
}

/// enqueueMicrotask(function): one of lib/, so its queue is that of the main context.
void enqueue_microtask(Environment& environment, v8::Local<v8::Function> function) {
  environment.microtasks().EnqueueMicrotask(environment.isolate(), function);
}

/// currentFrame(), setFrame(frame): what V8 carries along for microtasks. Functions of V8's own,
/// which its compilers turn into one load or store.
void add_frame_functions(Environment& environment, v8::Local<v8::Object> target) {
  const v8::Local<v8::Context> context = environment.isolate()->GetCurrentContext();
  const v8::Local<v8::Object> extras = context->GetExtrasBindingObject();
  const auto add = [&](std::string_view name, std::string_view name_in_extras) {
    set_value(environment, target, name,
              extras->Get(context, environment.name(name_in_extras)).ToLocalChecked());
  };
  add("currentFrame", "getContinuationPreservedEmbedderData");
  add("setFrame", "setContinuationPreservedEmbedderData");
}

/// The ids of resources that have ended, until the check phase reports them to the hooks. Some end
/// when the garbage collector finds them, and then no JavaScript can run: that is why it is done
/// later.
class DestroyQueue final : public Wrapped {
 public:
  /// new DestroyQueue(flush): flush() is called from the check phase after schedule().
  static void make(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    new DestroyQueue(environment, args.This(), args[0].As<v8::Function>());
  }

  void schedule() {
    if (scheduled_) return;
    scheduled_ = true;
    // Before the immediates, as in Node.
    check_ = environment().loop().on_check([this] {
      check_.clear();
      scheduled_ = false;
      v8::HandleScope scope(environment().isolate());
      environment().call(object(), flush_.Get(environment().isolate()), {});
    });
    check_.unref();
  }

  /// watch(resource, id): when the resource is collected, its id joins the queue.
  void watch(v8::Local<v8::Object> resource, double id) {
    Watch& watch = watches_[id];
    watch.queue = this;
    watch.id = id;
    watch.resource.Reset(environment().isolate(), resource);
    watch.resource.SetWeak(&watch, collected, v8::WeakCallbackType::kParameter);
  }

  /// unwatch(id): it has ended otherwise.
  void unwatch(double id) { watches_.erase(id); }

  /// take() -> the ids of what was collected, and forgets them; undefined if there are none.
  std::optional<std::vector<v8::Local<v8::Value>>> take() {
    if (collected_.empty()) return {};
    std::vector<v8::Local<v8::Value>> ids;
    ids.reserve(collected_.size());
    for (const double id : std::exchange(collected_, {})) {
      ids.push_back(v8::Number::New(environment().isolate(), id));
    }
    return ids;
  }

 private:
  static constexpr std::size_t kTellAtOnce = 16384;

  struct Watch {
    DestroyQueue* queue = nullptr;
    double id = 0;
    v8::Global<v8::Object> resource;
  };

  DestroyQueue(Environment& environment, v8::Local<v8::Object> object,
               v8::Local<v8::Function> flush)
      : Wrapped(environment, object), flush_(environment.isolate(), flush) {}

  ~DestroyQueue() override { check_.clear(); }

  static void collected(const v8::WeakCallbackInfo<Watch>& info) {
    DestroyQueue* queue = info.GetParameter()->queue;
    const double id = info.GetParameter()->id;
    queue->watches_.erase(id);
    queue->collected_.push_back(id);
    queue->schedule();
    // Many are reported sooner: a program that only awaits never reaches the check phase. The
    // microtask that does it cannot be made during a collection.
    if (queue->collected_.size() == kTellAtOnce) {
      queue->environment().isolate()->RequestInterrupt(report_soon, queue);
    }
  }

  static void report_soon(v8::Isolate* isolate, void* data) {
    const v8::HandleScope scope(isolate);
    isolate->EnqueueMicrotask(static_cast<DestroyQueue*>(data)->flush_.Get(isolate));
  }

  v8::Global<v8::Function> flush_;
  std::unordered_map<double, Watch> watches_;
  std::vector<double> collected_;
  rondo::Hook check_;
  bool scheduled_ = false;
};

constexpr Method kQueueMethods[] = {
    method<&DestroyQueue::schedule>("schedule"), method<&DestroyQueue::watch>("watch"),
    method<&DestroyQueue::unwatch>("unwatch"), method<&DestroyQueue::take>("take")};
constexpr ClassShape kClasses[] = {{"DestroyQueue", DestroyQueue::make, kQueueMethods}};

constexpr Method kMethods[] = {method<set_promise_hooks>("setPromiseHooks"),
                               method<enqueue_microtask>("enqueueMicrotask")};

}  // namespace

extern const Binding binding_async_wrap;
const Binding binding_async_wrap{
    .name = "async_wrap", .methods = kMethods, .extend = add_frame_functions, .classes = kClasses};

}  // namespace rondo
