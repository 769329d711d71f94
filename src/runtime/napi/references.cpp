#include "runtime/napi/references.h"

#include <tuple>
#include <utility>

namespace rondo::napi {

namespace {

/// Numbers and strings are equal to others: there is nothing to wait for the end of.
bool has_identity(v8::Local<v8::Value> value) {
  return value->IsObject() || value->IsSymbol();
}

}  // namespace

Reference* Reference::make(napi_env env, v8::Local<v8::Value> value, std::uint32_t count,
                           Owner owner, Finalizer finalizer) {
  return new Reference(env, value, count, owner, finalizer);
}

Reference::Reference(napi_env env, v8::Local<v8::Value> value, std::uint32_t count, Owner owner,
                     Finalizer finalizer)
    : env_(env),
      count_(count),
      owner_(owner),
      can_be_weak_(!value.IsEmpty() && has_identity(value)),
      finalizer_(finalizer) {
  if (!value.IsEmpty()) value_.Reset(env->isolate(), value);
  move_to(finalizer.callback != nullptr ? env->finalizing : env->references);
  if (count == 0) become_weak();
}

Reference::~Reference() {
  take_out();
}

std::uint32_t Reference::ref() {
  if (value_.IsEmpty()) return 0;  // it stays gone
  if (++count_ == 1 && can_be_weak_) value_.ClearWeak();
  return count_;
}

std::uint32_t Reference::unref() {
  if (value_.IsEmpty() || count_ == 0) return 0;
  if (--count_ == 0) become_weak();
  return count_;
}

void Reference::become_weak() {
  if (value_.IsEmpty()) return;
  if (!can_be_weak_) return value_.Reset();
  value_.SetWeak(
      this,
      [](const v8::WeakCallbackInfo<Reference>& info) {
        info.GetParameter()->value_.Reset();
        info.GetParameter()->collected();
      },
      v8::WeakCallbackType::kParameter);
}

void Reference::collected() {
  if (finalizer_.callback == nullptr) {
    if (owner_ == Owner::runtime) delete this;
    return;
  }
  if (!env_->is_experimental()) return env_->finalize_soon(this);
  napi_env env = env_;
  const bool outer = std::exchange(env->in_gc_finalizer, true);
  finalize();
  env->in_gc_finalizer = outer;
}

void Reference::forget_finalizer() noexcept {
  finalizer_ = {};
}

void Reference::finalize() {
  value_.Reset();
  const Finalizer finalizer = std::exchange(finalizer_, {});
  napi_env env = env_;
  // The addon may delete the reference in its finalizer, if it is its own.
  if (owner_ == Owner::runtime) {
    delete this;
  } else {
    move_to(env->finalized);
  }
  if (finalizer.callback != nullptr)
    env->finalize(finalizer.callback, finalizer.data, finalizer.hint);
}

v8::Local<v8::Value> ExternalValue::make(napi_env env, void* data) {
  auto* made = new ExternalValue(env, data);
  const v8::Local<v8::Value> value =
      v8::External::New(env->isolate(), made, v8::kExternalPointerTypeTagDefault);
  made->value_.Reset(env->isolate(), value);
  made->value_.SetWeak(
      made,
      [](const v8::WeakCallbackInfo<ExternalValue>& info) {
        info.GetParameter()->value_.Reset();
        delete info.GetParameter();
      },
      v8::WeakCallbackType::kParameter);
  return value;
}

Reference* find_wrap(napi_env env, v8::Local<v8::Object> object) {
  v8::Local<v8::Value> value;
  if (!object->GetPrivate(env->context(), env->addons.wrap_key()).ToLocal(&value) ||
      !value->IsExternal()) {
    return nullptr;
  }
  return static_cast<Reference*>(
      value.As<v8::External>()->Value(v8::kExternalPointerTypeTagDefault));
}

namespace {

Reference* of(napi_ref ref) {
  return reinterpret_cast<Reference*>(ref);
}

napi_ref to_ref(Reference* reference) {
  return reinterpret_cast<napi_ref>(reference);
}

}  // namespace

}  // namespace rondo::napi

using namespace rondo::napi;

napi_status napi_create_reference(napi_env env, napi_value value, uint32_t initial_refcount,
                                  napi_ref* result) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    const v8::Local<v8::Value> referred = to_v8(value);
    if (env->api_version < 10 && !referred->IsObject() && !referred->IsFunction() &&
        !referred->IsSymbol()) {
      return napi_invalid_arg;
    }
    *result = to_ref(Reference::make(env, referred, initial_refcount, Owner::addon, {}));
    return napi_ok;
  });
}

napi_status napi_delete_reference(node_api_basic_env env, napi_ref ref) {
  return basic(env, [&] {
    if (ref == nullptr) return napi_invalid_arg;
    delete of(ref);
    return napi_ok;
  });
}

napi_status napi_reference_ref(napi_env env, napi_ref ref, uint32_t* result) {
  return plain(env, [&] {
    if (ref == nullptr) return napi_invalid_arg;
    const std::uint32_t count = of(ref)->ref();
    if (result != nullptr) *result = count;
    return napi_ok;
  });
}

napi_status napi_reference_unref(napi_env env, napi_ref ref, uint32_t* result) {
  return plain(env, [&] {
    if (ref == nullptr) return napi_invalid_arg;
    if (of(ref)->count() == 0) return napi_generic_failure;
    const std::uint32_t count = of(ref)->unref();
    if (result != nullptr) *result = count;
    return napi_ok;
  });
}

napi_status napi_get_reference_value(napi_env env, napi_ref ref, napi_value* result) {
  return plain(env, [&] {
    if (ref == nullptr || result == nullptr) return napi_invalid_arg;
    *result = of(ref)->is_gone() ? nullptr : to_napi(of(ref)->get());
    return napi_ok;
  });
}

napi_status napi_add_finalizer(napi_env env, napi_value js_object, void* finalize_data,
                               node_api_basic_finalize finalize_cb, void* finalize_hint,
                               napi_ref* result) {
  return plain(env, [&] {
    if (js_object == nullptr || finalize_cb == nullptr) return napi_invalid_arg;
    if (!to_v8(js_object)->IsObject()) return napi_invalid_arg;
    Reference* reference =
        Reference::make(env, to_v8(js_object), 0, result == nullptr ? Owner::runtime : Owner::addon,
                        {finalize_cb, finalize_data, finalize_hint});
    if (result != nullptr) *result = to_ref(reference);
    return napi_ok;
  });
}

napi_status node_api_post_finalizer(node_api_basic_env env, napi_finalize finalize_cb,
                                    void* finalize_data, void* finalize_hint) {
  return basic(env, [&] {
    if (finalize_cb == nullptr) return napi_invalid_arg;
    env->finalize_soon(
        Reference::make(env, {}, 0, Owner::runtime, {finalize_cb, finalize_data, finalize_hint}));
    return napi_ok;
  });
}

// ---- Wraps -------------------------------------------------------------------------------------

napi_status napi_wrap(napi_env env, napi_value js_object, void* native_object,
                      node_api_basic_finalize finalize_cb, void* finalize_hint, napi_ref* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (js_object == nullptr) return napi_invalid_arg;
    if (!to_v8(js_object)->IsObject()) return napi_invalid_arg;
    const v8::Local<v8::Object> object = to_v8(js_object).As<v8::Object>();
    if (object->HasPrivate(context, env->addons.wrap_key()).FromMaybe(true))
      return napi_invalid_arg;
    // A reference that the addon gets is deleted by it, which takes a finalizer.
    if (result != nullptr && finalize_cb == nullptr) return napi_invalid_arg;
    Reference* reference =
        Reference::make(env, object, 0, result == nullptr ? Owner::runtime : Owner::addon,
                        {finalize_cb, native_object, finalize_hint});
    if (!object
             ->SetPrivate(
                 context, env->addons.wrap_key(),
                 v8::External::New(env->isolate(), reference, v8::kExternalPointerTypeTagDefault))
             .FromMaybe(false)) {
      delete reference;
      return napi_generic_failure;
    }
    if (result != nullptr) *result = to_ref(reference);
    return napi_ok;
  });
}

napi_status napi_unwrap(napi_env env, napi_value js_object, void** result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (js_object == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(js_object)->IsObject()) return napi_invalid_arg;
    const Reference* reference = find_wrap(env, to_v8(js_object).As<v8::Object>());
    if (reference == nullptr) return napi_invalid_arg;
    *result = reference->data();
    return napi_ok;
  });
}

napi_status napi_remove_wrap(napi_env env, napi_value js_object, void** result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (js_object == nullptr) return napi_invalid_arg;
    if (!to_v8(js_object)->IsObject()) return napi_invalid_arg;
    const v8::Local<v8::Object> object = to_v8(js_object).As<v8::Object>();
    Reference* reference = find_wrap(env, object);
    if (reference == nullptr) return napi_invalid_arg;
    if (result != nullptr) *result = reference->data();
    if (!object->DeletePrivate(context, env->addons.wrap_key()).FromMaybe(false))
      return napi_generic_failure;
    if (reference->owner() == Owner::runtime) {
      delete reference;
    } else {
      reference->forget_finalizer();
    }
    return napi_ok;
  });
}

// ---- Externals ---------------------------------------------------------------------------------

napi_status napi_create_external(napi_env env, void* data, node_api_basic_finalize finalize_cb,
                                 void* finalize_hint, napi_value* result) {
  return running(env, [&](v8::Local<v8::Context> /*context*/) {
    if (result == nullptr) return napi_invalid_arg;
    const v8::Local<v8::Value> external = ExternalValue::make(env, data);
    if (finalize_cb != nullptr) {
      std::ignore =
          Reference::make(env, external, 0, Owner::runtime, {finalize_cb, data, finalize_hint});
    }
    *result = to_napi(external);
    return napi_ok;
  });
}

napi_status napi_get_value_external(napi_env env, napi_value value, void** result) {
  return plain(env, [&] {
    if (value == nullptr || result == nullptr) return napi_invalid_arg;
    if (!to_v8(value)->IsExternal()) return napi_invalid_arg;
    *result = ExternalValue::of(to_v8(value))->data;
    return napi_ok;
  });
}

// ---- Type tags ---------------------------------------------------------------------------------

namespace {

constexpr int kTagWords = 2;

}  // namespace

napi_status napi_type_tag_object(napi_env env, napi_value value, const napi_type_tag* type_tag) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (value == nullptr) return napi_invalid_arg;
    v8::Local<v8::Object> object;
    if (!to_object(context, value).ToLocal(&object)) return napi_pending_exception;
    if (type_tag == nullptr) return napi_invalid_arg;
    if (object->IsExternal()) {
      ExternalValue* external = ExternalValue::of(object);
      if (std::exchange(external->is_tagged, true)) return napi_invalid_arg;
      external->tag = *type_tag;
      return napi_ok;
    }
    const v8::Maybe<bool> tagged = object->HasPrivate(context, env->addons.tag_key());
    if (tagged.IsNothing()) return napi_generic_failure;
    if (tagged.FromJust()) return napi_invalid_arg;
    const std::uint64_t words[] = {type_tag->lower, type_tag->upper};
    v8::Local<v8::BigInt> tag;
    if (!v8::BigInt::NewFromWords(context, 0, kTagWords, words).ToLocal(&tag) ||
        !object->SetPrivate(context, env->addons.tag_key(), tag).FromMaybe(false)) {
      return napi_generic_failure;
    }
    return napi_ok;
  });
}

napi_status napi_check_object_type_tag(napi_env env, napi_value value,
                                       const napi_type_tag* type_tag, bool* result) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (value == nullptr) return napi_invalid_arg;
    v8::Local<v8::Object> object;
    if (!to_object(context, value).ToLocal(&object)) return napi_pending_exception;
    if (type_tag == nullptr || result == nullptr) return napi_invalid_arg;
    if (object->IsExternal()) {
      const ExternalValue* external = ExternalValue::of(object);
      *result = external->is_tagged && external->tag.lower == type_tag->lower &&
                external->tag.upper == type_tag->upper;
      return napi_ok;
    }
    v8::Local<v8::Value> tag;
    if (!object->GetPrivate(context, env->addons.tag_key()).ToLocal(&tag))
      return napi_generic_failure;
    *result = false;
    if (tag->IsBigInt()) {
      std::uint64_t words[kTagWords] = {};
      int count = kTagWords;
      int sign = 0;
      tag.As<v8::BigInt>()->ToWordsArray(&sign, &count, words);
      *result = sign == 0 && words[0] == type_tag->lower && words[1] == type_tag->upper;
    }
    return napi_ok;
  });
}

// ---- Instance data -----------------------------------------------------------------------------

napi_status napi_set_instance_data(node_api_basic_env env, void* data, napi_finalize finalize_cb,
                                   void* finalize_hint) {
  return basic(env, [&] {
    // The old data's finalizer is not called.
    delete env->instance_data;
    env->instance_data =
        Reference::make(env, {}, 0, Owner::addon, {finalize_cb, data, finalize_hint});
    return napi_ok;
  });
}

napi_status napi_get_instance_data(node_api_basic_env env, void** data) {
  return basic(env, [&] {
    if (data == nullptr) return napi_invalid_arg;
    *data = env->instance_data == nullptr ? nullptr : env->instance_data->data();
    return napi_ok;
  });
}
