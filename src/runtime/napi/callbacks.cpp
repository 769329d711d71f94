#include "runtime/napi/callbacks.h"

#include <algorithm>
#include <vector>

namespace rondo::napi {

v8::Local<v8::Value> NativeCallback::make(napi_env env, napi_callback function, void* data) {
  auto* callback = new NativeCallback(env, function, data);
  const v8::Local<v8::Value> value =
      v8::External::New(env->isolate(), callback, v8::kExternalPointerTypeTagDefault);
  callback->value_.Reset(env->isolate(), value);
  callback->value_.SetWeak(
      callback,
      [](const v8::WeakCallbackInfo<NativeCallback>& info) {
        info.GetParameter()->value_.Reset();
        delete info.GetParameter();
      },
      v8::WeakCallbackType::kParameter);
  return value;
}

void NativeCallback::called(const Arguments& args) {
  const auto& callback = *static_cast<NativeCallback*>(
      args.Data().As<v8::External>()->Value(v8::kExternalPointerTypeTagDefault));
  napi_env env = callback.env_;
  CallInfo info{args, callback};
  env->call_into(
      [&] {
        napi_value result = callback.function_(env, reinterpret_cast<napi_callback_info>(&info));
        // What is returned with an exception may be anything.
        if (result != nullptr && env->last_exception.IsEmpty())
          args.GetReturnValue().Set(to_v8(result));
      },
      [&](v8::Local<v8::Value> exception) {
        if (env->can_call_js()) env->isolate()->ThrowException(exception);
      });
  // It has ended the program: so does what called it.
  if (env->addons.environment().ended()) [[unlikely]]
    env->addons.environment().unwind();
}

v8::MaybeLocal<v8::Function> make_function(napi_env env, napi_callback function, void* data) {
  return v8::Function::New(env->context(), guarded(NativeCallback::called),
                           NativeCallback::make(env, function, data));
}

v8::Local<v8::FunctionTemplate> make_template(napi_env env, napi_callback function, void* data,
                                              v8::Local<v8::Signature> signature) {
  return v8::FunctionTemplate::New(env->isolate(), guarded(NativeCallback::called),
                                   NativeCallback::make(env, function, data), signature);
}

napi_status property_name(napi_env env, const napi_property_descriptor& descriptor,
                          v8::Local<v8::Name>& name) {
  if (descriptor.utf8name != nullptr) {
    v8::Local<v8::String> text;
    if (!v8::String::NewFromUtf8(env->isolate(), descriptor.utf8name,
                                 v8::NewStringType::kInternalized)
             .ToLocal(&text)) {
      return napi_generic_failure;
    }
    name = text;
    return napi_ok;
  }
  if (descriptor.name == nullptr || !to_v8(descriptor.name)->IsName()) return napi_name_expected;
  name = to_v8(descriptor.name).As<v8::Name>();
  return napi_ok;
}

namespace {

bool has(const napi_property_descriptor& descriptor, napi_property_attributes attribute) {
  return (descriptor.attributes & attribute) != 0;
}

bool is_accessor(const napi_property_descriptor& descriptor) {
  return descriptor.getter != nullptr || descriptor.setter != nullptr;
}

v8::PropertyAttribute attributes_of(const napi_property_descriptor& descriptor) {
  unsigned attributes = v8::None;
  if (!is_accessor(descriptor) && !has(descriptor, napi_writable)) attributes |= v8::ReadOnly;
  if (!has(descriptor, napi_enumerable)) attributes |= v8::DontEnum;
  if (!has(descriptor, napi_configurable)) attributes |= v8::DontDelete;
  return static_cast<v8::PropertyAttribute>(attributes);
}

napi_status define_property(napi_env env, v8::Local<v8::Object> object,
                            const napi_property_descriptor& descriptor) {
  const v8::Local<v8::Context> context = env->context();
  v8::Local<v8::Name> name;
  if (const napi_status status = property_name(env, descriptor, name); status != napi_ok)
    return status;
  if (is_accessor(descriptor)) {
    v8::Local<v8::Function> getter;
    v8::Local<v8::Function> setter;
    if ((descriptor.getter != nullptr &&
         !make_function(env, descriptor.getter, descriptor.data).ToLocal(&getter)) ||
        (descriptor.setter != nullptr &&
         !make_function(env, descriptor.setter, descriptor.data).ToLocal(&setter))) {
      return napi_generic_failure;
    }
    v8::PropertyDescriptor property(getter, setter);
    property.set_enumerable(has(descriptor, napi_enumerable));
    property.set_configurable(has(descriptor, napi_configurable));
    const v8::Maybe<bool> defined = object->DefineProperty(context, name, property);
    if (defined.IsNothing()) return napi_pending_exception;
    return defined.FromJust() ? napi_ok : napi_invalid_arg;
  }
  v8::Local<v8::Value> value;
  if (descriptor.method != nullptr) {
    v8::Local<v8::Function> method;
    if (!make_function(env, descriptor.method, descriptor.data).ToLocal(&method))
      return napi_generic_failure;
    value = method;
  } else {
    if (descriptor.value == nullptr) return napi_invalid_arg;
    value = to_v8(descriptor.value);
  }
  v8::PropertyDescriptor property(value, has(descriptor, napi_writable));
  property.set_enumerable(has(descriptor, napi_enumerable));
  property.set_configurable(has(descriptor, napi_configurable));
  const v8::Maybe<bool> defined = object->DefineProperty(context, name, property);
  if (defined.IsNothing()) return napi_pending_exception;
  if (defined.FromJust()) return napi_ok;
  return descriptor.method != nullptr ? napi_generic_failure : napi_invalid_arg;
}

}  // namespace

}  // namespace rondo::napi

using namespace rondo::napi;

// ---- Functions ---------------------------------------------------------------------------------

napi_status napi_create_function(napi_env env, const char* utf8name, size_t length,
                                 napi_callback cb, void* data, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr || cb == nullptr) return napi_invalid_arg;
    v8::EscapableHandleScope scope(env->isolate());
    v8::Local<v8::Function> function;
    if (!make_function(env, cb, data).ToLocal(&function)) return napi_generic_failure;
    if (utf8name != nullptr) {
      if (length != NAPI_AUTO_LENGTH && length > INT32_MAX) return napi_invalid_arg;
      v8::Local<v8::String> name;
      if (!v8::String::NewFromUtf8(env->isolate(), utf8name, v8::NewStringType::kInternalized,
                                   length == NAPI_AUTO_LENGTH ? -1 : static_cast<int>(length))
               .ToLocal(&name)) {
        return napi_generic_failure;
      }
      function->SetName(name);
    }
    *result = to_napi(scope.Escape(function));
    return napi_ok;
  });
}

napi_status napi_get_cb_info(napi_env env, napi_callback_info cbinfo, size_t* argc,
                             napi_value* argv, napi_value* this_arg, void** data) {
  return plain(env, [&] {
    if (cbinfo == nullptr) return napi_invalid_arg;
    const auto& info = *reinterpret_cast<const CallInfo*>(cbinfo);
    const auto given = static_cast<std::size_t>(info.args.Length());
    if (argv != nullptr) {
      if (argc == nullptr) return napi_invalid_arg;
      const std::size_t filled = std::min(*argc, given);
      for (std::size_t i = 0; i < filled; ++i) argv[i] = to_napi(info.args[static_cast<int>(i)]);
      if (filled < *argc)
        std::fill(argv + filled, argv + *argc, to_napi(v8::Undefined(env->isolate())));
    }
    if (argc != nullptr) *argc = given;
    if (this_arg != nullptr) *this_arg = to_napi(info.args.This());
    if (data != nullptr) *data = info.callback.data();
    return napi_ok;
  });
}

napi_status napi_get_new_target(napi_env env, napi_callback_info cbinfo, napi_value* result) {
  return plain(env, [&] {
    if (cbinfo == nullptr || result == nullptr) return napi_invalid_arg;
    const auto& info = *reinterpret_cast<const CallInfo*>(cbinfo);
    *result = info.args.IsConstructCall() ? to_napi(info.args.NewTarget()) : nullptr;
    return napi_ok;
  });
}

napi_status napi_call_function(napi_env env, napi_value recv, napi_value func, size_t argc,
                               const napi_value* argv, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (recv == nullptr || func == nullptr || (argc > 0 && argv == nullptr))
      return napi_invalid_arg;
    if (!to_v8(func)->IsFunction()) return napi_invalid_arg;
    v8::Local<v8::Value> returned;
    if (!to_v8(func)
             .As<v8::Function>()
             ->Call(context, to_v8(recv), static_cast<int>(argc),
                    reinterpret_cast<v8::Local<v8::Value>*>(const_cast<napi_value*>(argv)))
             .ToLocal(&returned)) {
      return napi_pending_exception;
    }
    if (result != nullptr) *result = to_napi(returned);
    return napi_ok;
  });
}

napi_status napi_new_instance(napi_env env, napi_value constructor, size_t argc,
                              const napi_value* argv, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (constructor == nullptr || result == nullptr || (argc > 0 && argv == nullptr))
      return napi_invalid_arg;
    if (!to_v8(constructor)->IsFunction()) return napi_invalid_arg;
    v8::Local<v8::Object> made;
    if (!to_v8(constructor)
             .As<v8::Function>()
             ->NewInstance(context, static_cast<int>(argc),
                           reinterpret_cast<v8::Local<v8::Value>*>(const_cast<napi_value*>(argv)))
             .ToLocal(&made)) {
      return napi_pending_exception;
    }
    *result = to_napi(made);
    return napi_ok;
  });
}

napi_status napi_instanceof(napi_env env, napi_value object, napi_value constructor, bool* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (object == nullptr || result == nullptr) return napi_invalid_arg;
    *result = false;
    v8::Local<v8::Object> type;
    if (constructor == nullptr) return napi_invalid_arg;
    if (!to_object(context, constructor).ToLocal(&type)) return napi_object_expected;
    if (!type->IsFunction()) {
      env->last_exception.Reset(
          env->isolate(), env->addons.environment().type_error("ERR_NAPI_CONS_FUNCTION",
                                                               "Constructor must be a function"));
      return napi_function_expected;
    }
    const v8::Maybe<bool> is_instance = to_v8(object)->InstanceOf(context, type);
    if (is_instance.IsNothing()) return napi_generic_failure;
    *result = is_instance.FromJust();
    return napi_ok;
  });
}

// ---- Properties and classes --------------------------------------------------------------------

napi_status napi_define_properties(napi_env env, napi_value object, size_t property_count,
                                   const napi_property_descriptor* properties) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (object == nullptr || (property_count > 0 && properties == nullptr)) return napi_invalid_arg;
    v8::Local<v8::Object> target;
    if (!to_object(context, object).ToLocal(&target)) return napi_object_expected;
    for (std::size_t i = 0; i < property_count; ++i) {
      if (const napi_status status = define_property(env, target, properties[i]); status != napi_ok)
        return status;
    }
    return napi_ok;
  });
}

napi_status napi_define_class(napi_env env, const char* utf8name, size_t length,
                              napi_callback constructor, void* data, size_t property_count,
                              const napi_property_descriptor* properties, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (result == nullptr || constructor == nullptr ||
        (property_count > 0 && properties == nullptr)) {
      return napi_invalid_arg;
    }
    v8::Isolate* isolate = env->isolate();
    v8::EscapableHandleScope scope(isolate);
    if (utf8name == nullptr || (length != NAPI_AUTO_LENGTH && length > INT32_MAX))
      return napi_invalid_arg;
    v8::Local<v8::String> name;
    if (!v8::String::NewFromUtf8(isolate, utf8name, v8::NewStringType::kInternalized,
                                 length == NAPI_AUTO_LENGTH ? -1 : static_cast<int>(length))
             .ToLocal(&name)) {
      return napi_generic_failure;
    }
    const v8::Local<v8::FunctionTemplate> type = make_template(env, constructor, data);
    type->SetClassName(name);
    const v8::Local<v8::Signature> own = v8::Signature::New(isolate, type);
    const v8::Local<v8::ObjectTemplate> prototype = type->PrototypeTemplate();
    std::vector<const napi_property_descriptor*> later;  // a template holds no objects
    for (std::size_t i = 0; i < property_count; ++i) {
      const napi_property_descriptor& property = properties[i];
      if (has(property, napi_static)) continue;
      v8::Local<v8::Name> key;
      if (const napi_status status = property_name(env, property, key); status != napi_ok)
        return status;
      const v8::PropertyAttribute attributes = attributes_of(property);
      if (is_accessor(property)) {
        v8::Local<v8::FunctionTemplate> getter;
        v8::Local<v8::FunctionTemplate> setter;
        if (property.getter != nullptr) getter = make_template(env, property.getter, property.data);
        if (property.setter != nullptr) setter = make_template(env, property.setter, property.data);
        prototype->SetAccessorProperty(key, getter, setter, attributes);
      } else if (property.method != nullptr) {
        prototype->Set(key, make_template(env, property.method, property.data, own), attributes);
      } else if (property.value == nullptr) {
        return napi_invalid_arg;
      } else if (to_v8(property.value)->IsObject()) {
        later.push_back(&property);
      } else {
        prototype->Set(key, to_v8(property.value), attributes);
      }
    }
    v8::Local<v8::Function> made;
    if (!type->GetFunction(context).ToLocal(&made)) return napi_generic_failure;
    if (!later.empty()) {
      v8::Local<v8::Value> object;
      if (!made->Get(context, env->addons.environment().name("prototype")).ToLocal(&object)) {
        return napi_generic_failure;
      }
      for (const napi_property_descriptor* property : later) {
        const napi_status status = define_property(env, object.As<v8::Object>(), *property);
        if (status != napi_ok) return status;
      }
    }
    for (std::size_t i = 0; i < property_count; ++i) {
      if (!has(properties[i], napi_static)) continue;
      if (const napi_status status = define_property(env, made, properties[i]); status != napi_ok)
        return status;
    }
    *result = to_napi(scope.Escape(made));
    return napi_ok;
  });
}
