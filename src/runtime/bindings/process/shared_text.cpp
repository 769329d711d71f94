// A text that several JavaScript objects have in common, also on different threads:
//
//   new SharedText(text)
//   version()                 a number that changes with the text
//   read()                    [version, text]
//   replace(version, text)    false, and nothing changes, if it is another version already
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/cloneable.h"

namespace rondo {
namespace {

using v8::Local;

struct Shared {
  std::mutex mutex;  // guards the rest
  std::uint32_t version = 0;
  std::string text;
};

class SharedTextClone final : public CloneData {
 public:
  explicit SharedTextClone(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  v8::MaybeLocal<v8::Object> make(Environment& environment,
                                  Local<v8::Value> /*extra*/) const override {
    return make_native(environment, "shared_text", "SharedText",
                       const_cast<std::shared_ptr<Shared>*>(&shared_));
  }

 private:
  std::shared_ptr<Shared> shared_;
};

std::string text_at(const Arguments& args, int index) {
  const v8::String::Utf8Value text(args.GetIsolate(), args[index]);
  return *text != nullptr ? std::string(*text, static_cast<std::size_t>(text.length()))
                          : std::string();
}

class SharedText final : public Cloneable {
 public:
  SharedText(Environment& environment, Local<v8::Object> object, std::shared_ptr<Shared> shared)
      : Cloneable(environment, object), shared_(std::move(shared)) {}

  static void construct(const Arguments& args) {
    Environment& environment = Environment::of(args.GetIsolate());
    if (const auto* shared = native_data<std::shared_ptr<Shared>>(args[0])) {
      new SharedText(environment, args.This(), *shared);
      return;
    }
    auto shared = std::make_shared<Shared>();
    shared->text = text_at(args, 0);
    new SharedText(environment, args.This(), std::move(shared));
  }

  std::shared_ptr<const CloneData> share() const override {
    return std::make_shared<SharedTextClone>(shared_);
  }

  static void version(const Arguments& args) {
    Shared& shared = of(args);
    const std::lock_guard lock(shared.mutex);
    args.GetReturnValue().Set(shared.version);
  }

  static void read(const Arguments& args) {
    v8::Isolate* isolate = args.GetIsolate();
    Shared& shared = of(args);
    const std::lock_guard lock(shared.mutex);
    Local<v8::Value> result[] = {v8::Integer::NewFromUnsigned(isolate, shared.version),
                                 Environment::of(isolate).text(shared.text)};
    args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
  }

  static void replace(const Arguments& args) {
    std::string text = text_at(args, 1);
    Shared& shared = of(args);
    const std::lock_guard lock(shared.mutex);
    const bool is_same = shared.version == args[0].As<v8::Uint32>()->Value();
    if (is_same) {
      shared.text = std::move(text);
      ++shared.version;
    }
    args.GetReturnValue().Set(is_same);
  }

 private:
  static Shared& of(const Arguments& args) {
    return *Wrapped::from<SharedText>(args.This())->shared_;
  }

  std::shared_ptr<Shared> shared_;
};

constexpr Method kMethods[] = {
    {"version", SharedText::version}, {"read", SharedText::read}, {"replace", SharedText::replace}};
constexpr ClassShape kClasses[] = {{"SharedText", SharedText::construct, kMethods}};

}  // namespace

extern const Binding binding_shared_text;
const Binding binding_shared_text{.name = "shared_text", .classes = kClasses};

}  // namespace rondo
