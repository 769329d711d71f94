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
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
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
            if (*link != nullptr) (*link)->tell();
          });
        }) {
    hold();  // lib/ has one, for good
  }
  ~LockClientWrap() override { *link_ = nullptr; }

  static void construct(const Arguments& args) {
    new LockClientWrap(Environment::of(args.GetIsolate()), args.This());
  }

  static void request(const Arguments& args) {
    const auto mode = args[2]->IsTrue() ? LockClient::Mode::shared : LockClient::Mode::exclusive;
    const auto if_held = static_cast<LockClient::IfHeld>(args[3].As<v8::Uint32>()->Value());
    of(args).request(name(args), number(args), mode, if_held);
  }

  static void release(const Arguments& args) { of(args).release(name(args), number(args)); }

  static void take_event(const Arguments& args) {
    LockClient::Event event;
    if (!of(args).take_event(event)) return;
    v8::Isolate* isolate = args.GetIsolate();
    Local<Value> parts[] = {v8::Integer::New(isolate, static_cast<int>(event.kind)),
                            v8::Integer::NewFromUnsigned(isolate, event.number)};
    args.GetReturnValue().Set(v8::Array::New(isolate, parts, std::size(parts)));
  }

  static void list(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    std::vector<Local<Value>> parts;
    for (const LockClient::Listed& each : of(args).list()) {
      Local<v8::String> text;
      if (!v8::String::NewFromTwoByte(
               isolate, reinterpret_cast<const std::uint16_t*>(each.name.data()),
               v8::NewStringType::kNormal, static_cast<int>(each.name.size()))
               .ToLocal(&text)) {
        return;
      }
      parts.push_back(text);
      parts.push_back(v8::Boolean::New(isolate, each.mode == LockClient::Mode::shared));
      parts.push_back(v8::Boolean::New(isolate, each.is_held));
    }
    args.GetReturnValue().Set(v8::Array::New(isolate, parts.data(), parts.size()));
  }

 private:
  static LockClient& of(const Arguments& args) {
    return Wrapped::from<LockClientWrap>(args.This())->client_;
  }

  static std::u16string name(const Arguments& args) {
    const v8::String::Value text(args.GetIsolate(), args[0]);
    return {reinterpret_cast<const char16_t*>(*text), static_cast<std::size_t>(text.length())};
  }

  static std::uint32_t number(const Arguments& args) { return args[1].As<v8::Uint32>()->Value(); }

  void tell() {
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
    {"request", LockClientWrap::request},
    {"release", LockClientWrap::release},
    {"takeEvent", LockClientWrap::take_event},
    {"list", LockClientWrap::list},
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
