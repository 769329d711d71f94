// A reference to a JavaScript value, strong while it is counted and weak otherwise; and what is
// called when the value of a weak one is gone. A napi_ref is one. Wraps, externals and instance
// data are references too.
//
// The collector only notes that a value is gone; finalizers run later, in the poll phase. Those of
// addons for the experimental version run at once, in the middle of the collection: they are the
// ones that may call only what is allowed there.
#pragma once

#include <v8.h>

#include <cstdint>

#include "runtime/napi/env.h"

namespace rondo::napi {

enum class Owner : std::uint8_t {
  runtime,  // deleted when the value is gone
  addon,    // deleted by napi_delete_reference()
};

class Reference : public Linked<Reference> {
 public:
  struct Finalizer {
    napi_finalize callback = nullptr;
    void* data = nullptr;
    void* hint = nullptr;
  };

  /// An empty `value` stands for none: only the finalizer counts, at the end of the environment.
  static Reference* make(napi_env env, v8::Local<v8::Value> value, std::uint32_t count, Owner owner,
                         Finalizer finalizer);
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  void* data() const noexcept { return finalizer_.data; }
  std::uint32_t count() const noexcept { return count_; }
  bool is_gone() const noexcept { return value_.IsEmpty(); }
  Owner owner() const noexcept { return owner_; }
  v8::Local<v8::Value> get() const { return value_.Get(env_->isolate()); }

  std::uint32_t ref();
  std::uint32_t unref();
  void forget_finalizer() noexcept;
  /// Calls the finalizer. Deletes the reference if it is the runtime's.
  void finalize();

 private:
  Reference(napi_env env, v8::Local<v8::Value> value, std::uint32_t count, Owner owner,
            Finalizer finalizer);
  void become_weak();
  void collected();

  napi_env env_;
  v8::Global<v8::Value> value_;
  std::uint32_t count_;
  Owner owner_;
  bool can_be_weak_;
  Finalizer finalizer_;
};

/// What a v8::External of an addon holds: the collector's objects of that kind take no type tag.
class ExternalValue : public Linked<ExternalValue> {
 public:
  static v8::Local<v8::Value> make(napi_env env, void* data);
  static ExternalValue* of(v8::Local<v8::Value> external) {
    return static_cast<ExternalValue*>(
        external.As<v8::External>()->Value(v8::kExternalPointerTypeTagDefault));
  }
  ~ExternalValue() { take_out(); }
  ExternalValue(const ExternalValue&) = delete;
  ExternalValue& operator=(const ExternalValue&) = delete;

  void* const data;
  bool is_tagged = false;
  napi_type_tag tag{};

 private:
  ExternalValue(napi_env env, void* its_data) : data(its_data) { move_to(env->externals); }

  v8::Global<v8::Value> value_;
};

/// The wrap of an object; null if it has none.
Reference* find_wrap(napi_env env, v8::Local<v8::Object> object);

}  // namespace rondo::napi
