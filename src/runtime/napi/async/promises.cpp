// Promises: a napi_deferred is what settles one, once.
#include "runtime/napi/env.h"

using namespace rondo::napi;

struct napi_deferred__ {
  v8::Global<v8::Promise::Resolver> resolver;
};

napi_status napi_create_promise(napi_env env, napi_deferred* deferred, napi_value* promise) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (deferred == nullptr || promise == nullptr) return napi_invalid_arg;
    v8::Local<v8::Promise::Resolver> resolver;
    if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return napi_generic_failure;
    *deferred = new napi_deferred__{v8::Global<v8::Promise::Resolver>(env->isolate(), resolver)};
    *promise = to_napi(resolver->GetPromise());
    return napi_ok;
  });
}

namespace {

napi_status settle(napi_env env, napi_deferred deferred, napi_value value, bool resolves) {
  return running(env, [&](v8::Local<v8::Context> context) {
    if (deferred == nullptr || value == nullptr) return napi_invalid_arg;
    const v8::Local<v8::Promise::Resolver> resolver = deferred->resolver.Get(env->isolate());
    delete deferred;
    const v8::Maybe<bool> done = resolves ? resolver->Resolve(context, to_v8(value))
                                          : resolver->Reject(context, to_v8(value));
    return done.FromMaybe(false) ? napi_ok : napi_generic_failure;
  });
}

}  // namespace

napi_status napi_resolve_deferred(napi_env env, napi_deferred deferred, napi_value resolution) {
  return settle(env, deferred, resolution, true);
}

napi_status napi_reject_deferred(napi_env env, napi_deferred deferred, napi_value rejection) {
  return settle(env, deferred, rejection, false);
}
