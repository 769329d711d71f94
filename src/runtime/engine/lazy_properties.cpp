#include "runtime/engine/lazy_properties.h"

#include "runtime/engine/environment.h"

namespace rondo {
namespace {

// The embedder data index of the function that loads values. For the others see
// messaging_hooks.cpp.
constexpr int kLoaderSlot = 6;

// V8 replaces the property by the result. If it throws, the next access tries
// again.
void load_property(v8::Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = Environment::of(isolate).context();
  v8::Local<v8::Value> arguments[] = {info.Data(), name};
  v8::Local<v8::Value> value;
  if (context->GetEmbedderData(kLoaderSlot)
          .As<v8::Function>()
          ->Call(context, v8::Undefined(isolate), 2, arguments)
          .ToLocal(&value)) {
    info.GetReturnValue().Set(value);
  }
}

}  // namespace

void define_lazy_properties(const Arguments& args) {
  const v8::Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
  const auto target = args[0].As<v8::Object>();
  const auto names = args[1].As<v8::Array>();
  const auto attributes =
      static_cast<v8::PropertyAttribute>((args[3]->IsTrue() ? v8::None : v8::DontEnum) |
                                         (args[4]->IsTrue() ? v8::ReadOnly : v8::None));
  for (std::uint32_t i = 0; i < names->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!names->Get(context, i).ToLocal(&name) ||
        target
            ->SetLazyDataProperty(context, name.As<v8::Name>(), load_property, args[2], attributes,
                                  v8::SideEffectType::kHasNoSideEffect)
            .IsNothing()) {
      return;
    }
  }
}

void set_lazy_loader(const Arguments& args) {
  Environment::of(args.GetIsolate()).context()->SetEmbedderData(kLoaderSlot, args[0]);
}

std::intptr_t lazy_property_reference() noexcept {
  return reinterpret_cast<std::intptr_t>(&load_property);
}

}  // namespace rondo
