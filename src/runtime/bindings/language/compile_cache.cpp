// The compile cache: compiled code of modules that is kept on disk
// (lib/internal/modules/compile_cache.js).
#include <openssl/evp.h>

#include <array>
#include <string>

#include "runtime/engine/environment.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/glue/binding.h"
#include "runtime/modules/code_cache.h"

namespace rondo {

namespace {

/// () -> a number that is another one for another V8, or for other options of V8.
void version_tag(const Arguments& args) {
  args.GetReturnValue().Set(v8::ScriptCompiler::CachedDataVersionTag());
}

/// (text, or bytes) -> its SHA-256, in hexadecimal
void digest(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  std::size_t size = 0;
  int done = 0;
  if (args[0]->IsArrayBufferView()) {
    const v8::Local<v8::ArrayBufferView> view = args[0].As<v8::ArrayBufferView>();
    std::string bytes(view->ByteLength(), '\0');
    view->CopyContents(bytes.data(), bytes.size());
    done = EVP_Q_digest(nullptr, "SHA256", nullptr, bytes.data(), bytes.size(), hash.data(), &size);
  } else {
    const v8::String::Utf8Value text(isolate, args[0]);
    done = EVP_Q_digest(nullptr, "SHA256", nullptr, *text, static_cast<std::size_t>(text.length()),
                        hash.data(), &size);
  }
  if (done != 1) return;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (std::size_t i = 0; i < size; ++i) {
    result += kDigits[hash[i] >> 4U];
    result += kDigits[hash[i] & 15U];
  }
  args.GetReturnValue().Set(Environment::of(isolate).text(result));
}

/// (source, filename, bytes or undefined) -> [function, whether the bytes were those of the source]
void compile_commonjs(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  const v8::ScriptOrigin origin(args[1]);
  v8::ScriptCompiler::CachedData* data = to_cached_data(args[2]);
  v8::ScriptCompiler::Source source(args[0].As<v8::String>(), origin, data);
  v8::Local<v8::String> parameters[] = {environment.name("exports"), environment.name("require"),
                                        environment.name("module"), environment.name("__filename"),
                                        environment.name("__dirname")};
  CompileCatch failure(isolate);
  v8::Local<v8::Function> function;
  if (!v8::ScriptCompiler::CompileFunction(environment.context(), &source, std::size(parameters),
                                           parameters, 0, nullptr,
                                           data != nullptr ? v8::ScriptCompiler::kConsumeCodeCache
                                                           : v8::ScriptCompiler::kNoCompileOptions)
           .ToLocal(&function)) {
    return throw_compile_error(environment, failure, true);
  }
  v8::Local<v8::Value> result[] = {
      function, v8::Boolean::New(isolate, data != nullptr && !source.GetCachedData()->rejected)};
  args.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

/// (function) -> bytes, with what of it was compiled meanwhile
void code_of(const Arguments& args) {
  args.GetReturnValue().Set(
      to_bytes(args.GetIsolate(),
               std::unique_ptr<v8::ScriptCompiler::CachedData>(
                   v8::ScriptCompiler::CreateCodeCacheForFunction(args[0].As<v8::Function>()))));
}

constexpr Method kMethods[] = {
    {"versionTag", version_tag},
    {"digest", digest},
    {"compileCommonJs", compile_commonjs},
    {"codeOf", code_of},
};

}  // namespace

extern const Binding binding_compile_cache;
const Binding binding_compile_cache{"compile_cache", kMethods};

}  // namespace rondo
