// What an object is inside, whatever its prototype says: util.types.
#include "runtime/glue/typed_method.h"

namespace rondo {
namespace {

using v8::Value;

template <bool (Value::*kCheck)() const>
bool check(v8::Local<Value> value) {
  return ((*value)->*kCheck)();
}

bool is_any_array_buffer(v8::Local<Value> value) {
  return value->IsArrayBuffer() || value->IsSharedArrayBuffer();
}

bool is_boxed_primitive(v8::Local<Value> value) {
  return value->IsNumberObject() || value->IsStringObject() || value->IsBooleanObject() ||
         value->IsBigIntObject() || value->IsSymbolObject();
}

constexpr Method kMethods[] = {
    method<check<&Value::IsExternal>>("isExternal"),
    method<check<&Value::IsDate>>("isDate"),
    method<check<&Value::IsArgumentsObject>>("isArgumentsObject"),
    method<check<&Value::IsBigIntObject>>("isBigIntObject"),
    method<check<&Value::IsBooleanObject>>("isBooleanObject"),
    method<check<&Value::IsNumberObject>>("isNumberObject"),
    method<check<&Value::IsStringObject>>("isStringObject"),
    method<check<&Value::IsSymbolObject>>("isSymbolObject"),
    method<check<&Value::IsNativeError>>("isNativeError"),
    method<check<&Value::IsRegExp>>("isRegExp"),
    method<check<&Value::IsAsyncFunction>>("isAsyncFunction"),
    method<check<&Value::IsGeneratorFunction>>("isGeneratorFunction"),
    method<check<&Value::IsGeneratorObject>>("isGeneratorObject"),
    method<check<&Value::IsPromise>>("isPromise"),
    method<check<&Value::IsMap>>("isMap"),
    method<check<&Value::IsSet>>("isSet"),
    method<check<&Value::IsMapIterator>>("isMapIterator"),
    method<check<&Value::IsSetIterator>>("isSetIterator"),
    method<check<&Value::IsWeakMap>>("isWeakMap"),
    method<check<&Value::IsWeakSet>>("isWeakSet"),
    method<check<&Value::IsArrayBuffer>>("isArrayBuffer"),
    method<check<&Value::IsDataView>>("isDataView"),
    method<check<&Value::IsSharedArrayBuffer>>("isSharedArrayBuffer"),
    method<check<&Value::IsProxy>>("isProxy"),
    method<check<&Value::IsModuleNamespaceObject>>("isModuleNamespaceObject"),
    method<is_any_array_buffer>("isAnyArrayBuffer"),
    method<is_boxed_primitive>("isBoxedPrimitive"),
};

}  // namespace

extern const Binding binding_types;
const Binding binding_types{"types", kMethods};

}  // namespace rondo
