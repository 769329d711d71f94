// Converters for the many encodings of TextDecoder that are not Unicode.
#include <memory>
#include <string>

#include "runtime/bytes/engine_icu.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

using v8::Local;

constexpr std::uint32_t kFlush = 1;
constexpr std::uint32_t kFatal = 2;

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close_78(converter); }
};
using ConverterPointer = std::unique_ptr<UConverter, CloseConverter>;

ConverterPointer open_converter(v8::Isolate* isolate, Local<v8::Value> name) {
  UErrorCode status = kIcuNoError;
  const v8::String::Utf8Value text(isolate, name);
  ConverterPointer converter(ucnv_open_78(*text, &status));
  return !icu_failed(status) ? std::move(converter) : nullptr;
}

// U+FFFD for what is wrong; ICU's own function writes U+001A in some encodings.
void replace_wrong(const void*, IcuToUnicodeArgs* args, const char*, std::int32_t, int reason,
                   UErrorCode* status) {
  if (reason > kIcuIrregular) return;  // not an error: the converter is reset, or closed
  *status = kIcuNoError;
  constexpr char16_t kReplacement = 0xfffd;
  ucnv_cbToUWriteUChars_78(args, &kReplacement, 1, 0, status);
}

class Converter : public Wrapped {
 public:
  Converter(Environment& environment, Local<v8::Object> object, ConverterPointer converter)
      : Wrapped(environment, object), converter_(std::move(converter)) {}

  UConverter* get() const { return converter_.get(); }

 private:
  ConverterPointer converter_;
};

void construct(const Arguments&) {}

void has_converter(const Arguments& args) {
  args.GetReturnValue().Set(open_converter(args.GetIsolate(), args[0]) != nullptr);
}

// (name, flags); the function's data is the constructor.
void get_converter(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  ConverterPointer converter = open_converter(isolate, args[0]);
  if (converter == nullptr) return;
  const std::uint32_t flags = args[1]->Uint32Value(context).FromMaybe(0);
  UErrorCode status = kIcuNoError;
  ucnv_setToUCallBack_78(converter.get(),
                         (flags & kFatal) != 0 ? UCNV_TO_U_CALLBACK_STOP_78 : replace_wrong,
                         nullptr, nullptr, nullptr, &status);
  Local<v8::Object> object;
  if (!args.Data().As<v8::Function>()->NewInstance(context).ToLocal(&object)) return;
  new Converter(Environment::of(isolate), object, std::move(converter));
  args.GetReturnValue().Set(object);
}

// (converter, bytes, flags, name of the encoding)
void decode(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const Environment& environment = Environment::of(isolate);
  const auto* converter = Wrapped::from<Converter>(args[0]);
  if (converter == nullptr || !is_bytes(args[1])) return;
  const std::span<const std::uint8_t> bytes = bytes_of(args[1]);
  const bool flush =
      (args[2]->Uint32Value(isolate->GetCurrentContext()).FromMaybe(0) & kFlush) != 0;

  const auto* source = reinterpret_cast<const char*>(bytes.data());
  const char* const source_end = source + bytes.size();
  std::u16string text;
  UErrorCode status = kIcuBufferOverflow;
  while (status == kIcuBufferOverflow) {
    constexpr std::size_t kChunk = 4096;
    char16_t chunk[kChunk];
    char16_t* target = chunk;
    status = kIcuNoError;
    ucnv_toUnicode_78(converter->get(), &target, chunk + kChunk, &source, source_end, nullptr,
                      static_cast<std::int8_t>(flush), &status);
    text.append(chunk, target);
  }
  if (icu_failed(status)) {
    ucnv_reset_78(converter->get());
    const v8::String::Utf8Value encoding(isolate, args[3]);
    isolate->ThrowException(environment.type_error(
        "ERR_ENCODING_INVALID_ENCODED_DATA",
        "The encoded data was not valid for encoding " + std::string(*encoding)));
    return;
  }
  if (flush) ucnv_reset_78(converter->get());
  Local<v8::String> result;
  if (text.size() <= static_cast<std::size_t>(v8::String::kMaxLength) &&
      v8::String::NewFromTwoByte(isolate, reinterpret_cast<const std::uint16_t*>(text.data()),
                                 v8::NewStringType::kNormal, static_cast<int>(text.size()))
          .ToLocal(&result)) {
    args.GetReturnValue().Set(result);
  } else {
    isolate->ThrowException(environment.error(
        "ERR_STRING_TOO_LONG", "Cannot create a string longer than 0x1fffffe8 characters"));
  }
}

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const auto shape = make_class(environment, {"Converter", construct});
  const auto function = v8::Function::New(context, guarded(get_converter),
                                          shape->GetFunction(context).ToLocalChecked(), 0,
                                          v8::ConstructorBehavior::kThrow)
                            .ToLocalChecked();
  function->SetName(environment.name("getConverter"));
  set_value(environment, target, "getConverter", function);
}

constexpr Method kMethods[] = {{"hasConverter", has_converter}, {"decode", decode}};
constexpr v8::FunctionCallback kReferences[] = {construct, get_converter};

}  // namespace

extern const Binding binding_icu;
const Binding binding_icu{"icu", kMethods, extend, kReferences};

}  // namespace rondo
