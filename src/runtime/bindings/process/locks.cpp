// navigator.locks. new LockClient(): the locks of this thread, with
//
//   request(name, number, isShared, ifHeld)   ifHeld: kWait, kGiveUp or kSteal
//   release(name, number)
//   takeEvent()      [kind, number] or undefined; kind: kGranted, kUnavailable or kStolen
//   list()           [name, isShared, isHeld, name, ...]
//   onevents()       called when another thread has left events; it does not keep the loop alive
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/loop_core.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/glue/wrapped.h"
#include "runtime/messaging/lock_table.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

class LockClientWrap final : public Wrapped {
 public:
  LockClientWrap(Environment& environment, Local<v8::Object> object)
      : Wrapped(environment, object), client_([link = link_, &loop = environment.loop()] {
          loop.core().post_unreferenced([link] {
            if (*link != nullptr) (*link)->report();
          });
        }) {
    hold();  // lib/ has one, for good
  }
  ~LockClientWrap() override { *link_ = nullptr; }

  static void construct(const Arguments& args) {
    new LockClientWrap(Environment::of(args.GetIsolate()), args.This());
  }

  void request(Local<v8::String> name, std::uint32_t number, bool is_shared,
               std::uint32_t if_held) {
    client_.request(text_of(name), number,
                    is_shared ? LockClient::Mode::shared : LockClient::Mode::exclusive,
                    static_cast<LockClient::IfHeld>(if_held));
  }

  void release(Local<v8::String> name, std::uint32_t number) {
    client_.release(text_of(name), number);
  }

  std::optional<std::vector<Local<Value>>> take_event() {
    LockClient::Event event;
    if (!client_.take_event(event)) return {};
    v8::Isolate* isolate = environment().isolate();
    return {{v8::Integer::New(isolate, static_cast<int>(event.kind)),
             v8::Integer::NewFromUnsigned(isolate, event.number)}};
  }

  std::optional<std::vector<Local<Value>>> list() {
    v8::Isolate* isolate = environment().isolate();
    std::vector<Local<Value>> parts;
    for (const LockClient::Listed& each : client_.list()) {
      Local<v8::String> text;
      if (!v8::String::NewFromTwoByte(
               isolate, reinterpret_cast<const std::uint16_t*>(each.name.data()),
               v8::NewStringType::kNormal, static_cast<int>(each.name.size()))
               .ToLocal(&text)) {
        return {};
      }
      parts.push_back(text);
      parts.push_back(v8::Boolean::New(isolate, each.mode == LockClient::Mode::shared));
      parts.push_back(v8::Boolean::New(isolate, each.is_held));
    }
    return parts;
  }

 private:
  std::u16string text_of(Local<v8::String> name) const {
    const v8::String::Value text(environment().isolate(), name);
    return {reinterpret_cast<const char16_t*>(*text), static_cast<std::size_t>(text.length())};
  }

  void report() {
    const v8::HandleScope scope(environment().isolate());
    const Local<v8::Context> context = environment().context();
    const v8::Context::Scope entered(context);
    Local<Value> callback;
    if (object()->Get(context, environment().name("onevents")).ToLocal(&callback) &&
        callback->IsFunction()) {
      static_cast<void>(environment().call(object(), callback.As<v8::Function>(), {}));
    }
  }

  const std::shared_ptr<LockClientWrap*> link_ = std::make_shared<LockClientWrap*>(this);
  LockClient client_;
};

constexpr Method kClientMethods[] = {
    method<&LockClientWrap::request>("request"),
    method<&LockClientWrap::release>("release"),
    method<&LockClientWrap::take_event>("takeEvent"),
    method<&LockClientWrap::list>("list"),
};

void extend(Environment& environment, Local<v8::Object> target) {
  set_value(environment, target, "kWait", static_cast<int>(LockClient::IfHeld::wait));
  set_value(environment, target, "kGiveUp", static_cast<int>(LockClient::IfHeld::give_up));
  set_value(environment, target, "kSteal", static_cast<int>(LockClient::IfHeld::steal));
  set_value(environment, target, "kGranted", static_cast<int>(LockClient::Event::Kind::granted));
  set_value(environment, target, "kUnavailable",
            static_cast<int>(LockClient::Event::Kind::unavailable));
  set_value(environment, target, "kStolen", static_cast<int>(LockClient::Event::Kind::stolen));
}

constexpr ClassShape kClasses[] = {{"LockClient", LockClientWrap::construct, kClientMethods}};

}  // namespace

extern const Binding binding_locks;
const Binding binding_locks{.name = "locks", .extend = extend, .classes = kClasses};

}  // namespace rondo
