// Handle scopes. They are objects of the heap here, because the addon says when they begin and end.
#include "runtime/napi/env.h"

using namespace rondo::napi;

struct napi_handle_scope__ {
  explicit napi_handle_scope__(v8::Isolate* isolate) : scope(isolate) {}
  v8::HandleScope scope;
};

struct napi_escapable_handle_scope__ {
  explicit napi_escapable_handle_scope__(v8::Isolate* isolate) : scope(isolate) {}
  v8::EscapableHandleScope scope;
  bool escaped = false;
};

namespace {

template <class Scope>
napi_status open_scope(napi_env env, Scope** result) {
  return plain(env, [&] {
    if (result == nullptr) return napi_invalid_arg;
    *result = new Scope(env->isolate());
    ++env->open_scopes;
    return napi_ok;
  });
}

template <class Scope>
napi_status close_scope(napi_env env, Scope* scope) {
  return plain(env, [&] {
    if (scope == nullptr) return napi_invalid_arg;
    if (env->open_scopes == 0) return napi_handle_scope_mismatch;
    --env->open_scopes;
    delete scope;
    return napi_ok;
  });
}

}  // namespace

napi_status napi_open_handle_scope(napi_env env, napi_handle_scope* result) {
  return open_scope(env, result);
}

napi_status napi_close_handle_scope(napi_env env, napi_handle_scope scope) {
  return close_scope(env, scope);
}

napi_status napi_open_escapable_handle_scope(napi_env env, napi_escapable_handle_scope* result) {
  return open_scope(env, result);
}

napi_status napi_close_escapable_handle_scope(napi_env env, napi_escapable_handle_scope scope) {
  return close_scope(env, scope);
}

napi_status napi_escape_handle(napi_env env, napi_escapable_handle_scope scope, napi_value escapee,
                               napi_value* result) {
  return plain(env, [&] {
    if (scope == nullptr || escapee == nullptr || result == nullptr) return napi_invalid_arg;
    if (scope->escaped) return napi_escape_called_twice;
    scope->escaped = true;
    *result = to_napi(scope->scope.Escape(to_v8(escapee)));
    return napi_ok;
  });
}
