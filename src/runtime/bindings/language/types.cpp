// What an object is inside, whatever its prototype says: util.types.
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

using v8::Value;

template <bool (Value::*kCheck)() const>
void check(const Arguments& args) {
  args.GetReturnValue().Set(((*args[0])->*kCheck)());
}

void is_any_array_buffer(const Arguments& args) {
  args.GetReturnValue().Set(args[0]->IsArrayBuffer() || args[0]->IsSharedArrayBuffer());
}

void is_boxed_primitive(const Arguments& args) {
  const v8::Local<Value> value = args[0];
  args.GetReturnValue().Set(value->IsNumberObject() || value->IsStringObject() ||
                            value->IsBooleanObject() || value->IsBigIntObject() ||
                            value->IsSymbolObject());
}

constexpr Method kMethods[] = {
    {"isExternal", check<&Value::IsExternal>},
    {"isDate", check<&Value::IsDate>},
    {"isArgumentsObject", check<&Value::IsArgumentsObject>},
    {"isBigIntObject", check<&Value::IsBigIntObject>},
    {"isBooleanObject", check<&Value::IsBooleanObject>},
    {"isNumberObject", check<&Value::IsNumberObject>},
    {"isStringObject", check<&Value::IsStringObject>},
    {"isSymbolObject", check<&Value::IsSymbolObject>},
    {"isNativeError", check<&Value::IsNativeError>},
    {"isRegExp", check<&Value::IsRegExp>},
    {"isAsyncFunction", check<&Value::IsAsyncFunction>},
    {"isGeneratorFunction", check<&Value::IsGeneratorFunction>},
    {"isGeneratorObject", check<&Value::IsGeneratorObject>},
    {"isPromise", check<&Value::IsPromise>},
    {"isMap", check<&Value::IsMap>},
    {"isSet", check<&Value::IsSet>},
    {"isMapIterator", check<&Value::IsMapIterator>},
    {"isSetIterator", check<&Value::IsSetIterator>},
    {"isWeakMap", check<&Value::IsWeakMap>},
    {"isWeakSet", check<&Value::IsWeakSet>},
    {"isArrayBuffer", check<&Value::IsArrayBuffer>},
    {"isDataView", check<&Value::IsDataView>},
    {"isSharedArrayBuffer", check<&Value::IsSharedArrayBuffer>},
    {"isProxy", check<&Value::IsProxy>},
    {"isModuleNamespaceObject", check<&Value::IsModuleNamespaceObject>},
    {"isAnyArrayBuffer", is_any_array_buffer},
    {"isBoxedPrimitive", is_boxed_primitive},
};

}  // namespace

extern const Binding binding_types;
const Binding binding_types{"types", kMethods};

}  // namespace rondo
