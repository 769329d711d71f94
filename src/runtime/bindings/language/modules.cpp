// What loading modules asks of the system, in as few calls as will do, and without exceptions:
// most of what it asks for is not there.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "io/fs/system.h"
#include "runtime/engine/environment.h"
#include "runtime/errors/compile_errors.h"
#include "runtime/glue/typed_method.h"

namespace rondo {

namespace {

using Path = v8::String::Utf8Value;

/// 0: a file. 1: a folder. 2, 3: a symbolic link to one. Negative: there is nothing.
enum Entry : int { kFile, kFolder, kLinkToFile, kLinkToFolder };

int look_up(const char* path) noexcept {
  struct stat status{};
  if (lstat(path, &status) != 0) return -errno;
  if (!S_ISLNK(status.st_mode)) return S_ISDIR(status.st_mode) ? kFolder : kFile;
  if (stat(path, &status) != 0) return -errno;
  return S_ISDIR(status.st_mode) ? kLinkToFolder : kLinkToFile;
}

void stat_path(const Arguments& args) {
  const Path path(args.GetIsolate(), args[0]);
  args.GetReturnValue().Set(look_up(*path));
}

bool is_ascii(std::string_view text) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= text.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, sizeof word);
    if ((word & kHighBits) != 0) return false;
  }
  return std::ranges::all_of(text.substr(i),
                             [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; });
}

/// The whole of a file, at the beginning of `buffer`; or an error number, negative.
ssize_t read_whole(const char* path, std::vector<char>& buffer) {
  const int file = detail::open_blocking(path, O_RDONLY, 0);
  if (file < 0) return file;
  std::size_t size = 0;
  ssize_t result = 0;
  for (;;) {
    if (size == buffer.size()) buffer.resize(buffer.size() * 2);
    result = read(file, buffer.data() + size, buffer.size() - size);
    if (result < 0 && errno == EINTR) {
      detail::interrupted();
      continue;
    }
    if (result <= 0) break;
    size += static_cast<std::size_t>(result);
  }
  if (result < 0) result = -errno;
  close(file);
  return result < 0 ? result : static_cast<ssize_t>(size);
}

/// (path) -> the text of a file, or a negative error number.
void read_text(const Arguments& args) {
  constexpr std::size_t kUsual = std::size_t{64} * 1024;
  v8::Isolate* isolate = args.GetIsolate();
  const Path path(isolate, args[0]);
  // Kept, because most files are small, and clearing it would cost more than reading them.
  thread_local std::vector<char> buffer(kUsual);
  const ssize_t size = read_whole(*path, buffer);
  if (size < 0) return args.GetReturnValue().Set(static_cast<std::int32_t>(size));
  if (size > v8::String::kMaxLength) return args.GetReturnValue().Set(-EFBIG);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(size));
  const auto length = static_cast<int>(size);
  v8::Local<v8::String> result;
  const bool made =
      is_ascii(text)
          ? v8::String::NewFromOneByte(isolate, reinterpret_cast<const std::uint8_t*>(text.data()),
                                       v8::NewStringType::kNormal, length)
                .ToLocal(&result)
          : v8::String::NewFromUtf8(isolate, text.data(), v8::NewStringType::kNormal, length)
                .ToLocal(&result);
  if (made) args.GetReturnValue().Set(result);
}

/// (path) -> the path without symbolic links, or a negative error number.
v8::Local<v8::Value> real_path(Environment& environment, const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return v8::Integer::New(environment.isolate(), -errno);
  const v8::Local<v8::String> text = environment.text(resolved);
  std::free(resolved);
  return text;
}

/// (source, filename) -> the function that a CommonJS module is.
v8::MaybeLocal<v8::Function> compile_commonjs(Environment& environment, v8::Local<v8::String> text,
                                              v8::Local<v8::Value> filename) {
  const v8::ScriptOrigin origin(filename);
  v8::ScriptCompiler::Source source(text, origin);
  v8::Local<v8::String> parameters[] = {environment.name("exports"), environment.name("require"),
                                        environment.name("module"), environment.name("__filename"),
                                        environment.name("__dirname")};
  CompileCatch failure(environment.isolate());
  v8::Local<v8::Function> function;
  if (v8::ScriptCompiler::CompileFunction(environment.context(), &source, std::size(parameters),
                                          parameters)
          .ToLocal(&function)) {
    return function;
  }
  throw_compile_error(environment, failure, true);
  return {};
}

/// (function) -> [sourceMappingURL, sourceURL] of its script, each a string or undefined.
std::vector<v8::Local<v8::Value>> source_map_of(v8::Local<v8::Function> function) {
  const v8::ScriptOrigin origin = function->GetScriptOrigin();
  return {origin.SourceMapUrl(), origin.ResourceName()};
}

/// (whether source maps are enabled)
void set_source_maps(Environment& environment, bool enabled) {
  environment.set_source_maps(enabled);
}

void decorate(Environment& environment, v8::Local<v8::Value> error) {
  decorate_stack(environment, error, false);
}

/// (error): keeps the source line where it was made, for an error that is thrown again.
void keep_line(Environment& environment, v8::Local<v8::Value> error) {
  if (!error->IsNativeError()) return;
  keep_source_line(environment, error.As<v8::Object>(),
                   v8::Exception::CreateMessage(environment.isolate(), error));
}

/// (error) -> the source line that was kept with it, or undefined.
v8::MaybeLocal<v8::String> get_source_line(Environment& environment, v8::Local<v8::Value> error) {
  return kept_source_line(environment, error);
}

void set_decorated(Environment& environment, v8::Local<v8::Object> error) {
  mark_decorated(environment, error);
}

bool get_decorated(Environment& environment, v8::Local<v8::Value> error) {
  return is_decorated(environment, error);
}

constexpr Method kMethods[] = {
    {"stat", stat_path},
    {"readText", read_text},
    method<real_path>("realPath"),
    method<compile_commonjs>("compileCommonJs"),
    method<decorate>("decorateStack"),
    method<keep_line>("keepSourceLine"),
    method<get_decorated>("isDecorated"),
    method<set_decorated>("markDecorated"),
    method<get_source_line>("sourceLine"),
    method<source_map_of>("sourceMapOf"),
    method<set_source_maps>("setSourceMaps"),
};

}  // namespace

extern const Binding binding_modules;
const Binding binding_modules{"modules", kMethods};

}  // namespace rondo
