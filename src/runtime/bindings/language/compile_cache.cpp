// The compile cache: compiled code of modules that is kept on disk
// (lib/internal/modules/compile_cache.js).
#include <openssl/evp.h>

#include <array>
#include <string>

#include "runtime/engine/environment.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/glue/typed_method.h"
#include "runtime/modules/code_cache.h"

namespace rondo {

namespace {

/// () -> a number that is another one for another V8, or for other options of V8.
std::uint32_t version_tag() {
  return v8::ScriptCompiler::CachedDataVersionTag();
}

/// (text, or bytes) -> its SHA-256, in hexadecimal
std::optional<std::string> digest(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  std::string bytes;
  if (value->IsArrayBufferView()) {
    const v8::Local<v8::ArrayBufferView> view = value.As<v8::ArrayBufferView>();
    bytes.resize(view->ByteLength());
    view->CopyContents(bytes.data(), bytes.size());
  } else {
    bytes = to_text(isolate, value);
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  std::size_t size = 0;
  if (EVP_Q_digest(nullptr, "SHA256", nullptr, bytes.data(), bytes.size(), hash.data(), &size) != 1)
    return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  for (std::size_t i = 0; i < size; ++i) {
    result += kDigits[hash[i] >> 4U];
    result += kDigits[hash[i] & 15U];
  }
  return result;
}

/// (source, filename, bytes or undefined) -> [function, whether the bytes were those of the source]
std::optional<std::vector<v8::Local<v8::Value>>> compile_commonjs(Environment& environment,
                                                                  v8::Local<v8::String> text,
                                                                  v8::Local<v8::Value> filename,
                                                                  v8::Local<v8::Value> bytes) {
  v8::Isolate* isolate = environment.isolate();
  const v8::ScriptOrigin origin(filename);
  v8::ScriptCompiler::CachedData* data = to_cached_data(bytes);
  v8::ScriptCompiler::Source source(text, origin, data);
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
    throw_compile_error(environment, failure, true);
    return {};
  }
  return {
      {function, v8::Boolean::New(isolate, data != nullptr && !source.GetCachedData()->rejected)}};
}

/// (function) -> bytes, with what of it was compiled meanwhile
v8::Local<v8::Value> code_of(v8::Isolate* isolate, v8::Local<v8::Function> function) {
  return to_bytes(isolate, std::unique_ptr<v8::ScriptCompiler::CachedData>(
                               v8::ScriptCompiler::CreateCodeCacheForFunction(function)));
}

constexpr Method kMethods[] = {
    method<version_tag>("versionTag"),
    method<digest>("digest"),
    method<compile_commonjs>("compileCommonJs"),
    method<code_of>("codeOf"),
};

}  // namespace

extern const Binding binding_compile_cache;
const Binding binding_compile_cache{"compile_cache", kMethods};

}  // namespace rondo
