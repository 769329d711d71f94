// Objects and arrays: making them, their properties, names of properties.
#include <vector>

#include "runtime/napi/env.h"

using namespace rondo::napi;

napi_status napi_create_object(napi_env env, napi_value* result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = to_napi(v8::Object::New(env->isolate()));
    return napi_ok;
  });
}

napi_status node_api_create_object_with_properties(napi_env env, napi_value prototype_or_null,
                                                   const napi_value* property_names,
                                                   const napi_value* property_values,
                                                   size_t property_count, napi_value* result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    if (property_count > 0 && (property_names == nullptr || property_values == nullptr))
      return napi_invalid_arg;
    v8::Isolate* isolate = env->isolate();
    v8::Local<v8::Value> prototype = v8::Null(isolate);
    if (prototype_or_null != nullptr) {
      prototype = to_v8(prototype_or_null);
      if (!prototype->IsObject() && !prototype->IsNull()) return napi_object_expected;
    }
    std::vector<v8::Local<v8::Name>> names;
    std::vector<v8::Local<v8::Value>> values;
    for (std::size_t i = 0; i < property_count; ++i) {
      if (property_names[i] == nullptr || property_values[i] == nullptr) return napi_invalid_arg;
      if (!to_v8(property_names[i])->IsName()) return napi_name_expected;
      names.push_back(to_v8(property_names[i]).As<v8::Name>());
      values.push_back(to_v8(property_values[i]));
    }
    *result =
        to_napi(v8::Object::New(isolate, prototype, names.data(), values.data(), property_count));
    return napi_ok;
  });
}

napi_status napi_create_array(napi_env env, napi_value* result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = to_napi(v8::Array::New(env->isolate()));
    return napi_ok;
  });
}

napi_status napi_create_array_with_length(napi_env env, size_t length, napi_value* result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = to_napi(v8::Array::New(env->isolate(), static_cast<int>(length)));
    return napi_ok;
  });
}

napi_status napi_get_array_length(napi_env env, napi_value value, uint32_t* result) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsArray()) return napi_array_expected;
    *result = to_v8(value).As<v8::Array>()->Length();
    return napi_ok;
  });
}

napi_status napi_get_prototype(napi_env env, napi_value object, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (object == nullptr || result == nullptr) return napi_invalid_arg;
    v8::Local<v8::Object> target;
    if (!to_object(context, object).ToLocal(&target)) return napi_object_expected;
    *result = to_napi(target->GetPrototypeV2());
    return napi_ok;
  });
}

napi_status node_api_set_prototype(napi_env env, napi_value object, napi_value value) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (object == nullptr || value == nullptr) return napi_invalid_arg;
    v8::Local<v8::Object> target;
    if (!to_object(context, object).ToLocal(&target)) return napi_object_expected;
    return target->SetPrototypeV2(context, to_v8(value)).FromMaybe(false) ? napi_ok
                                                                          : napi_generic_failure;
  });
}

// ---- Properties --------------------------------------------------------------------------------

namespace {

/// A function that works on an object, which other values are converted to.
template <class Body>
napi_status on_object(napi_env env, napi_value object, bool arguments_given, Body&& body) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (!arguments_given || object == nullptr) return napi_invalid_arg;
    v8::Local<v8::Object> target;
    if (!to_object(context, object).ToLocal(&target)) return napi_object_expected;
    return body(context, target);
  });
}

template <class Body>
napi_status on_named(napi_env env, napi_value object, const char* name, bool arguments_given,
                     Body&& body) {
  return on_object(
      env, object, arguments_given,
      [&](v8::Local<v8::Context> context, v8::Local<v8::Object> target) {
        if (name == nullptr) return napi_invalid_arg;
        v8::Local<v8::String> key;
        if (!v8::String::NewFromUtf8(env->isolate(), name, v8::NewStringType::kInternalized)
                 .ToLocal(&key)) {
          return napi_generic_failure;
        }
        return body(context, target, key);
      });
}

/// The answer of V8's; without one, there is an exception.
template <class T>
napi_status answer(v8::Maybe<T> given, T* result) {
  if (given.IsNothing()) return napi_pending_exception;
  if (result != nullptr) *result = given.FromJust();
  return napi_ok;
}

napi_status answer(v8::MaybeLocal<v8::Value> given, napi_value* result) {
  v8::Local<v8::Value> value;
  if (!given.ToLocal(&value)) return napi_pending_exception;
  *result = to_napi(value);
  return napi_ok;
}

napi_status succeeded(v8::Maybe<bool> given) {
  if (given.IsNothing()) return napi_pending_exception;
  return given.FromMaybe(false) ? napi_ok : napi_invalid_arg;
}

napi_status sealed(v8::Maybe<bool> given) {
  if (given.IsNothing()) return napi_pending_exception;
  return given.FromJust() ? napi_ok : napi_generic_failure;
}

using Context = v8::Local<v8::Context>;
using Object = v8::Local<v8::Object>;
using String = v8::Local<v8::String>;

}  // namespace

napi_status napi_set_property(napi_env env, napi_value object, napi_value key, napi_value value) {
  return on_object(env, object, key != nullptr && value != nullptr,
                   [&](Context context, Object target) {
                     return succeeded(target->Set(context, to_v8(key), to_v8(value)));
                   });
}

napi_status napi_has_property(napi_env env, napi_value object, napi_value key, bool* result) {
  return on_object(env, object, key != nullptr && result != nullptr,
                   [&](Context context, Object target) {
                     return answer(target->Has(context, to_v8(key)), result);
                   });
}

napi_status napi_get_property(napi_env env, napi_value object, napi_value key, napi_value* result) {
  return on_object(env, object, key != nullptr && result != nullptr,
                   [&](Context context, Object target) {
                     return answer(target->Get(context, to_v8(key)), result);
                   });
}

napi_status napi_delete_property(napi_env env, napi_value object, napi_value key, bool* result) {
  return on_object(env, object, key != nullptr, [&](Context context, Object target) {
    return answer(target->Delete(context, to_v8(key)), result);
  });
}

napi_status napi_has_own_property(napi_env env, napi_value object, napi_value key, bool* result) {
  return on_object(
      env, object, key != nullptr && result != nullptr, [&](Context context, Object target) {
        if (!to_v8(key)->IsName()) return napi_name_expected;
        return answer(target->HasOwnProperty(context, to_v8(key).As<v8::Name>()), result);
      });
}

napi_status napi_set_named_property(napi_env env, napi_value object, const char* utf8name,
                                    napi_value value) {
  return on_named(env, object, utf8name, value != nullptr,
                  [&](Context context, Object target, String key) {
                    return succeeded(target->Set(context, key, to_v8(value)));
                  });
}

napi_status napi_has_named_property(napi_env env, napi_value object, const char* utf8name,
                                    bool* result) {
  return on_named(env, object, utf8name, result != nullptr,
                  [&](Context context, Object target, String key) {
                    return answer(target->Has(context, key), result);
                  });
}

napi_status napi_get_named_property(napi_env env, napi_value object, const char* utf8name,
                                    napi_value* result) {
  return on_named(env, object, utf8name, result != nullptr,
                  [&](Context context, Object target, String key) {
                    return answer(target->Get(context, key), result);
                  });
}

napi_status napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value) {
  return on_object(env, object, value != nullptr, [&](Context context, Object target) {
    return succeeded(target->Set(context, index, to_v8(value)));
  });
}

napi_status napi_has_element(napi_env env, napi_value object, uint32_t index, bool* result) {
  return on_object(env, object, result != nullptr, [&](Context context, Object target) {
    return answer(target->Has(context, index), result);
  });
}

napi_status napi_get_element(napi_env env, napi_value object, uint32_t index, napi_value* result) {
  return on_object(env, object, result != nullptr, [&](Context context, Object target) {
    return answer(target->Get(context, index), result);
  });
}

napi_status napi_delete_element(napi_env env, napi_value object, uint32_t index, bool* result) {
  return on_object(env, object, true, [&](Context context, Object target) {
    return answer(target->Delete(context, index), result);
  });
}

napi_status napi_object_freeze(napi_env env, napi_value object) {
  return on_object(env, object, true, [&](Context context, Object target) {
    return sealed(target->SetIntegrityLevel(context, v8::IntegrityLevel::kFrozen));
  });
}

napi_status napi_object_seal(napi_env env, napi_value object) {
  return on_object(env, object, true, [&](Context context, Object target) {
    return sealed(target->SetIntegrityLevel(context, v8::IntegrityLevel::kSealed));
  });
}

// ---- Names of properties -----------------------------------------------------------------------

napi_status napi_get_all_property_names(napi_env env, napi_value object,
                                        napi_key_collection_mode key_mode,
                                        napi_key_filter key_filter,
                                        napi_key_conversion key_conversion, napi_value* result) {
  return on_object(env, object, result != nullptr, [&](Context context, Object target) {
    if (number_of(key_mode) > napi_key_own_only) return napi_invalid_arg;
    if (number_of(key_conversion) > napi_key_numbers_to_strings) return napi_invalid_arg;
    constexpr std::pair<napi_key_filter, v8::PropertyFilter> kFilters[] = {
        {napi_key_writable, v8::ONLY_WRITABLE},         {napi_key_enumerable, v8::ONLY_ENUMERABLE},
        {napi_key_configurable, v8::ONLY_CONFIGURABLE}, {napi_key_skip_strings, v8::SKIP_STRINGS},
        {napi_key_skip_symbols, v8::SKIP_SYMBOLS},
    };
    unsigned filter = v8::ALL_PROPERTIES;
    for (const auto& [asked, wanted] : kFilters) {
      if ((number_of(key_filter) & number_of(asked)) != 0) filter |= static_cast<unsigned>(wanted);
    }
    v8::Local<v8::Array> names;
    if (!target
             ->GetPropertyNames(
                 context,
                 key_mode == napi_key_own_only ? v8::KeyCollectionMode::kOwnOnly
                                               : v8::KeyCollectionMode::kIncludePrototypes,
                 static_cast<v8::PropertyFilter>(filter), v8::IndexFilter::kIncludeIndices,
                 key_conversion == napi_key_keep_numbers ? v8::KeyConversionMode::kKeepNumbers
                                                         : v8::KeyConversionMode::kConvertToString)
             .ToLocal(&names)) {
      return napi_pending_exception;
    }
    *result = to_napi(names);
    return napi_ok;
  });
}

napi_status napi_get_property_names(napi_env env, napi_value object, napi_value* result) {
  return napi_get_all_property_names(
      env, object, napi_key_include_prototypes,
      static_cast<napi_key_filter>(napi_key_enumerable | napi_key_skip_symbols),
      napi_key_numbers_to_strings, result);
}
