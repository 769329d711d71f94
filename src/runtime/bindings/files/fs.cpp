// Files and folders. Every method is called in two ways:
//
//     open(requests, number, path, flags, mode)     begins; the result comes to the request
//     open(undefined, undefined, path, flags, mode) does it now; the result is returned, or thrown
//
// lib/ has checked the arguments: numbers are numbers, paths are strings or bytes.
#include "rondo/fs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/error.h"
#include "rondo/work.h"

#include "io/fs/system.h"
#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/requests.h"
#include "runtime/glue/stat_numbers.h"
#include "runtime/messaging/messaging_hooks.h"
#include "runtime/process/descriptors.h"

namespace rondo {
namespace {

using v8::Isolate;
using v8::Local;
using v8::Value;

// ---- Arguments ----------------------------------------------------------------------------------

constexpr int kFirst = 2;  // before it: table and number of the request

std::string to_text(Isolate* isolate, Local<Value> value) {
  if (value->IsArrayBufferView()) {
    const auto view = value.As<v8::ArrayBufferView>();
    std::string bytes(view->ByteLength(), '\0');
    view->CopyContents(bytes.data(), bytes.size());
    return bytes;
  }
  const v8::String::Utf8Value text(isolate, value);
  return *text == nullptr ? std::string()
                          : std::string(*text, static_cast<std::size_t>(text.length()));
}

std::string text_at(const Arguments& args, int index) {
  return to_text(args.GetIsolate(), args[kFirst + index]);
}

double number_at(const Arguments& args, int index) {
  const Local<Value> value = args[kFirst + index];
  if (value->IsBigInt()) return static_cast<double>(value.As<v8::BigInt>()->Int64Value());
  return value->IsNumber() ? value.As<v8::Number>()->Value() : 0;
}

std::int32_t int_at(const Arguments& args, int index) {
  const Local<Value> value = args[kFirst + index];
  // What does not fit, of owners and modes, keeps its lowest bits.
  return value->IsInt32()
             ? value.As<v8::Int32>()->Value()
             : static_cast<std::int32_t>(static_cast<std::int64_t>(number_at(args, index)));
}

std::uint32_t unsigned_at(const Arguments& args, int index) {
  return static_cast<std::uint32_t>(int_at(args, index));
}

bool flag_at(const Arguments& args, int index) {
  return args[kFirst + index]->IsTrue();
}

/// A position in a file: a number that JavaScript has exactly, or a bigint; anything else, or less
/// than 0, is the descriptor's own.
fs::Offset offset_at(const Arguments& args, int index) {
  const Local<Value> value = args[kFirst + index];
  std::int64_t offset = -1;
  if (value->IsBigInt()) {
    offset = value.As<v8::BigInt>()->Int64Value();
  } else if (value->IsNumber()) {
    constexpr double kMostSafe = 9007199254740991;
    const double number = value.As<v8::Number>()->Value();
    if (number >= 0 && number <= kMostSafe && number == std::trunc(number)) {
      offset = static_cast<std::int64_t>(number);
    }
  }
  if (offset < 0) return std::nullopt;
  return static_cast<std::uint64_t>(offset);
}

/// Seconds with a fraction, of any year that the kernel knows. A date that is none leaves the time
/// as it is.
timespec time_at(const Arguments& args, int index) {
  constexpr double kFar = 9e18;  // more would not fit; the kernel has its own limits
  const double number = number_at(args, index);
  if (std::isnan(number)) return {0, UTIME_OMIT};
  if (std::isinf(number)) return {0, UTIME_NOW};
  const double time = std::clamp(number, -kFar, kFar);
  const double seconds = std::floor(time);
  return {static_cast<time_t>(seconds), static_cast<long>((time - seconds) * 1e9)};
}

/// Part of a JavaScript buffer. Its memory stays while this does.
struct Bytes {
  std::shared_ptr<v8::BackingStore> store;
  std::span<std::byte> span;
};

Bytes bytes_of(Local<Value> value) {
  const auto view = value.As<v8::ArrayBufferView>();
  auto store = view->Buffer()->GetBackingStore();
  auto* const data = static_cast<std::byte*>(store->Data()) + view->ByteOffset();
  return {std::move(store), {data, view->ByteLength()}};
}

Bytes bytes_of(Local<Value> value, std::size_t from, std::size_t count) {
  Bytes bytes = bytes_of(value);
  from = std::min(from, bytes.span.size());
  bytes.span = bytes.span.subspan(from, std::min(count, bytes.span.size() - from));
  return bytes;
}

struct ManyBytes {
  std::vector<std::shared_ptr<v8::BackingStore>> stores;
  std::vector<std::span<std::byte>> spans;
};

ManyBytes many_bytes_at(const Arguments& args, int index) {
  const Local<v8::Context> context = args.GetIsolate()->GetCurrentContext();
  const auto list = args[kFirst + index].As<v8::Array>();
  ManyBytes many;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    Local<Value> value;
    if (!list->Get(context, i).ToLocal(&value) || !value->IsArrayBufferView()) continue;
    Bytes bytes = bytes_of(value);
    many.stores.push_back(std::move(bytes.store));
    many.spans.push_back(bytes.span);
  }
  return many;
}

// ---- Results ------------------------------------------------------------------------------------

/// What the error of a failure contains.
struct Names {
  const char* syscall;
  std::optional<std::string> path = {};
  std::optional<std::string> dest = {};
  /// If that has a call, it and its path, if any, are reported instead.
  std::shared_ptr<fs::Failure> failure = {};
};

std::string_view or_none(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view();
}

Local<Value> to_error(const Environment& environment, const std::error_code& error,
                      const Names& names) {
  if (names.failure != nullptr && names.failure->call != nullptr) {
    const std::string& path = names.failure->path;
    return environment.system_error(error.value(), names.failure->call,
                                    path.empty() ? std::string_view() : path);
  }
  return environment.system_error(error.value(), names.syscall, or_none(names.path),
                                  or_none(names.dest));
}

/// Text in a path, as a string or, if it was asked for, as bytes: file names need not be UTF-8.
Local<Value> to_name(const Environment& environment, const std::string& name, bool as_bytes) {
  if (!as_bytes) return environment.text(name);
  Isolate* isolate = environment.isolate();
  auto store = v8::ArrayBuffer::NewBackingStore(isolate, name.size());
  std::ranges::copy(name, static_cast<char*>(store->Data()));
  return v8::Uint8Array::New(v8::ArrayBuffer::New(isolate, std::move(store)), 0, name.size());
}

struct ToNothing {
  Local<Value> operator()(const Environment& environment) const {
    return v8::Undefined(environment.isolate());
  }
};

struct ToCount {
  Local<Value> operator()(const Environment& environment, std::size_t count) const {
    return v8::Number::New(environment.isolate(), static_cast<double>(count));
  }
};

/// In Workers, whose end closes what is left open: it may be a file that other code has opened
/// since.
void warn_of_descriptor(Environment& environment, int fd, std::string_view what) {
  if (environment.worker() == nullptr) return;
  const v8::HandleScope scope(environment.isolate());
  const std::string text = "File descriptor " + std::to_string(fd) + " " + std::string(what);
  Local<Value> argument = environment.text(text);
  const v8::MaybeLocal<Value> result =
      messaging_hook(environment, "emitWarning")
          ->Call(environment.context(), v8::Undefined(environment.isolate()), 1, &argument);
  static_cast<void>(result);
}

void note_open(Environment& environment, int fd) {
  if (environment.descriptors() == nullptr || environment.descriptors()->add(fd)) return;
  warn_of_descriptor(environment, fd, "opened in unmanaged mode twice");
}

void note_closed(Environment& environment, int fd) {
  if (environment.descriptors() == nullptr || environment.descriptors()->remove(fd)) return;
  warn_of_descriptor(environment, fd, "closed but not opened in unmanaged mode");
}

struct ToDescriptor {
  Local<Value> operator()(const Environment& environment, fs::File&& file) const {
    const int fd = file.release();
    note_open(Environment::of(environment.isolate()), fd);
    return v8::Integer::New(environment.isolate(), fd);
  }
};

/// The bytes stay where they were read to.
struct ToBuffer {
  Local<Value> operator()(const Environment& environment, std::string&& content) const {
    Isolate* isolate = environment.isolate();
    auto kept = std::make_unique<std::string>(std::move(content));
    const std::size_t size = kept->size();
    note_adopted_memory(isolate, size);
    void* const data = kept->data();
    auto store = v8::ArrayBuffer::NewBackingStore(
        data, size,
        [](void*, std::size_t, void* string) { delete static_cast<std::string*>(string); },
        kept.release());
    Local<v8::Object> buffer;
    const auto memory = v8::ArrayBuffer::New(isolate, std::move(store));
    if (!make_buffer(Environment::of(isolate), memory, 0, size).ToLocal(&buffer)) return {};
    return buffer;
  }
};

struct ToPath {
  bool as_bytes = false;
  Local<Value> operator()(const Environment& environment, const std::string& path) const {
    return to_name(environment, path, as_bytes);
  }
};

/// The first folder that was made, if any was.
struct ToFirstMade {
  bool recursive;
  Local<Value> operator()(const Environment& environment, const std::string& path) const {
    if (!recursive || path.empty()) return v8::Undefined(environment.isolate());
    return environment.text(path);
  }
};

struct ToStat {
  bool as_bigints = false;

  Local<Value> operator()(const Environment& environment, const fs::Stat& stat) const {
    Isolate* isolate = environment.isolate();
    if (as_bigints) {
      const auto buffer = v8::ArrayBuffer::New(isolate, kStatNumbers * 8);
      write_stat_numbers(stat, static_cast<std::int64_t*>(buffer->GetBackingStore()->Data()));
      return v8::BigInt64Array::New(buffer, 0, kStatNumbers);
    }
    // An array: memory of its own, which the collector has to follow, costs more than the numbers.
    std::array<double, kStatNumbers> numbers;
    write_stat_numbers(stat, numbers.data());
    std::array<Local<Value>, kStatNumbers> values;
    std::ranges::transform(numbers, values.begin(),
                           [&](double number) { return v8::Number::New(isolate, number); });
    return v8::Array::New(isolate, values.data(), values.size());
  }
};

/// Names, sorted as Node sorts them; with types, [names, types], the types as UV_DIRENT_* has them.
struct ToEntries {
  bool with_types;
  bool as_bytes;

  static int to_number(fs::FileType type) {
    switch (type) {
      case fs::FileType::regular:
        return 1;
      case fs::FileType::folder:
        return 2;
      case fs::FileType::symlink:
        return 3;
      case fs::FileType::fifo:
        return 4;
      case fs::FileType::socket:
        return 5;
      case fs::FileType::char_device:
        return 6;
      case fs::FileType::block_device:
        return 7;
      case fs::FileType::unknown:
        break;
    }
    return 0;
  }

  Local<Value> operator()(const Environment& environment,
                          std::vector<fs::DirEntry>&& entries) const {
    Isolate* isolate = environment.isolate();
    std::ranges::sort(entries, {}, &fs::DirEntry::name);
    std::vector<Local<Value>> names;
    std::vector<Local<Value>> types;
    for (const fs::DirEntry& entry : entries) {
      names.push_back(to_name(environment, entry.name, as_bytes));
      if (with_types) types.push_back(v8::Integer::New(isolate, to_number(entry.type)));
    }
    const auto all_names = v8::Array::New(isolate, names.data(), names.size());
    if (!with_types) return all_names;
    Local<Value> parts[] = {all_names, v8::Array::New(isolate, types.data(), types.size())};
    return v8::Array::New(isolate, parts, 2);
  }
};

template <class T, class Convert>
Local<Value> convert(const Environment& environment, Expected<T>& result, const Convert& to_value) {
  if constexpr (std::is_void_v<T>) {
    return to_value(environment);
  } else {
    return to_value(environment, *std::move(result));
  }
}

/// Nothing to keep while an operation is in progress.
struct NoBuffer {};

/// What was done now: returned or thrown.
template <class T, class Convert>
void give(const Arguments& args, const Environment& environment, Expected<T> result,
          const Names& names, const Convert& to_value) {
  if (result) {
    args.GetReturnValue().Set(convert(environment, result, to_value));
  } else {
    environment.throw_(to_error(environment, result.error(), names));
  }
}

/// The callback of what has begun. `kept` stays until it is done.
template <class T, class Convert, class Kept>
auto answer(const Arguments& args, Names names, Convert to_value, Kept kept) {
  return [request = Request(args[0], args[1]), names = std::move(names), to_value,
          kept = std::move(kept)](Expected<T> result) {
    if (request.gone()) return;
    const Environment& there = request.environment();
    const v8::HandleScope scope(there.isolate());
    const v8::Context::Scope inside(there.context());
    if (result) {
      request.succeed(convert(there, result, to_value));
    } else {
      request.fail(to_error(there, result.error(), names));
    }
  };
}

/// Does or begins what was asked for.
template <class T, class Convert, class Kept = NoBuffer>
void carry_out(const Arguments& args, fs::Op<T> op, Names names, Convert to_value, Kept kept = {}) {
  Environment& environment = Environment::of(args.GetIsolate());
  if (args[0]->IsUndefined()) {
    give(args, environment, op.run_now(), names, to_value);
  } else {
    std::move(op).then(environment.loop(),
                       answer<T>(args, std::move(names), to_value, std::move(kept)));
  }
}

/// The same for what the library has no operation for: `call` gives an Expected.
template <class Call, class Convert>
void carry_out_call(const Arguments& args, Call call, Names names, Convert to_value) {
  using T = typename std::invoke_result_t<Call>::value_type;
  Environment& environment = Environment::of(args.GetIsolate());
  if (args[0]->IsUndefined()) {
    give(args, environment, call(), names, to_value);
  } else {
    work(std::move(call))
        .then(environment.loop(), answer<T>(args, std::move(names), to_value, NoBuffer()));
  }
}

Expected<void> checked(int result) {
  if (result != 0) return std::unexpected(errno_code(errno));
  return {};
}

// ---- Open files ---------------------------------------------------------------------------------

/// At once: one system call, which may wait for a FIFO's other end as long as it likes.
void open_now(const Arguments& args, const std::string& path) {
  const int fd = detail::open_blocking(path.c_str(), int_at(args, 1), unsigned_at(args, 2));
  Environment& environment = Environment::of(args.GetIsolate());
  if (fd >= 0) {
    note_open(environment, fd);
    args.GetReturnValue().Set(fd);
    return;
  }
  environment.throw_(environment.system_error(-fd, "open", path));
}

void open(const Arguments& args) {
  std::string path = text_at(args, 0);
  if (args[0]->IsUndefined()) {
    open_now(args, path);
    return;
  }
  auto op = fs::open(path, int_at(args, 1), unsigned_at(args, 2));
  carry_out(args, std::move(op), {"open", std::move(path)}, ToDescriptor());
}

void close(const Arguments& args) {
  const int fd = int_at(args, 0);
  note_closed(Environment::of(args.GetIsolate()), fd);
  carry_out(args, fs::close(fd), {"close"}, ToNothing());
}

// (fd, view, from, count, position)
void read(const Arguments& args) {
  Bytes bytes = bytes_of(args[kFirst + 1], static_cast<std::size_t>(number_at(args, 2)),
                         static_cast<std::size_t>(number_at(args, 3)));
  auto op = fs::read(int_at(args, 0), bytes.span, offset_at(args, 4));
  carry_out(args, std::move(op), {"read"}, ToCount(), std::move(bytes.store));
}

void write_buffer(const Arguments& args) {
  Bytes bytes = bytes_of(args[kFirst + 1], static_cast<std::size_t>(number_at(args, 2)),
                         static_cast<std::size_t>(number_at(args, 3)));
  Environment::of(args.GetIsolate()).output_follows(int_at(args, 0));
  auto op = fs::write(int_at(args, 0), std::span<const std::byte>(bytes.span), offset_at(args, 4));
  carry_out(args, std::move(op), {"write"}, ToCount(), std::move(bytes.store));
}

// (fd, views, position)
void read_buffers(const Arguments& args) {
  ManyBytes many = many_bytes_at(args, 1);
  auto op = fs::read(int_at(args, 0), fs::Buffers(many.spans), offset_at(args, 2));
  carry_out(args, std::move(op), {"read"}, ToCount(), std::move(many));
}

void write_buffers(const Arguments& args) {
  ManyBytes many = many_bytes_at(args, 1);
  const std::vector<std::span<const std::byte>> spans(many.spans.begin(), many.spans.end());
  Environment::of(args.GetIsolate()).output_follows(int_at(args, 0));
  auto op = fs::write(int_at(args, 0), fs::ConstBuffers(spans), offset_at(args, 2));
  carry_out(args, std::move(op), {"write"}, ToCount(), std::move(many));
}

// (path): the whole content, as a Buffer; one step for all that it takes
void read_file(const Arguments& args) {
  std::string path = text_at(args, 0);
  const auto failure = std::make_shared<fs::Failure>();
  auto op = fs::read_file(path, {.failure = failure.get()});
  carry_out(args, std::move(op), {"open", std::move(path), {}, failure}, ToBuffer());
}

// (path, view, mode, whether to sync): replaces the content, in one job of a thread. Node takes
// three steps for it (open, write, close), so immediates always come first: the callback waits for
// the next iteration.
void write_file(const Arguments& args) {
  std::string path = text_at(args, 0);
  Bytes bytes = bytes_of(args[kFirst + 1]);
  const auto failure = std::make_shared<fs::Failure>();
  auto op = fs::write_file(
      path, std::span<const std::byte>(bytes.span),
      {.sync = flag_at(args, 3), .mode = unsigned_at(args, 2), .failure = failure.get()});
  Loop& loop = Environment::of(args.GetIsolate()).loop();
  auto finish = answer<void>(args, {"open", std::move(path), {}, failure}, ToNothing(),
                             std::move(bytes.store));
  std::move(op).then(
      loop, [&loop, failure, finish = std::move(finish)](Expected<void> result) mutable {
        const bool was_opened = result || failure->call != nullptr;
        if (was_opened) {
          loop.defer([finish = std::move(finish), result = std::move(result)]() mutable {
            finish(std::move(result));
          });
        } else {
          finish(std::move(result));
        }
      });
}

void fstat(const Arguments& args) {
  carry_out(args, fs::fstat(int_at(args, 0)), {"fstat"}, ToStat{flag_at(args, 1)});
}

void ftruncate(const Arguments& args) {
  const auto size = static_cast<std::uint64_t>(std::max(0.0, number_at(args, 1)));
  carry_out(args, fs::ftruncate(int_at(args, 0), size), {"ftruncate"}, ToNothing());
}

void fsync(const Arguments& args) {
  carry_out(args, fs::fsync(int_at(args, 0)), {"fsync"}, ToNothing());
}

void fdatasync(const Arguments& args) {
  carry_out(args, fs::fdatasync(int_at(args, 0)), {"fdatasync"}, ToNothing());
}

void fchmod(const Arguments& args) {
  carry_out(args, fs::fchmod(int_at(args, 0), unsigned_at(args, 1)), {"fchmod"}, ToNothing());
}

void fchown(const Arguments& args) {
  auto op = fs::fchown(int_at(args, 0), unsigned_at(args, 1), unsigned_at(args, 2));
  carry_out(args, std::move(op), {"fchown"}, ToNothing());
}

void futimes(const Arguments& args) {
  const int fd = int_at(args, 0);
  const std::array times{time_at(args, 1), time_at(args, 2)};
  carry_out_call(
      args, [=] { return checked(::futimens(fd, times.data())); }, {"futime"}, ToNothing());
}

// ---- By path ------------------------------------------------------------------------------------

void stat(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::stat(path);
  carry_out(args, std::move(op), {"stat", std::move(path)}, ToStat{flag_at(args, 1)});
}

void lstat(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::lstat(path);
  carry_out(args, std::move(op), {"lstat", std::move(path)}, ToStat{flag_at(args, 1)});
}

void access(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::access(path, int_at(args, 1));
  carry_out(args, std::move(op), {"access", std::move(path)}, ToNothing());
}

void realpath(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::realpath(path);
  carry_out(args, std::move(op), {"realpath", std::move(path)}, ToPath{flag_at(args, 1)});
}

void readlink(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::readlink(path);
  carry_out(args, std::move(op), {"readlink", std::move(path)}, ToPath{flag_at(args, 1)});
}

/// The two paths of an operation, and how a failure names them.
template <class Start>
void with_two_paths(const Arguments& args, const char* syscall, Start&& start) {
  std::string first = text_at(args, 0);
  std::string second = text_at(args, 1);
  auto op = start(first, second);
  carry_out(args, std::move(op), {syscall, std::move(first), std::move(second)}, ToNothing());
}

void rename(const Arguments& args) {
  with_two_paths(args, "rename", [](auto& from, auto& to) { return fs::rename(from, to); });
}

void link(const Arguments& args) {
  with_two_paths(args, "link", [](auto& existing, auto& name) { return fs::link(existing, name); });
}

void symlink(const Arguments& args) {
  with_two_paths(args, "symlink",
                 [](auto& target, auto& name) { return fs::symlink(target, name); });
}

// (from, to, mode): 1 is COPYFILE_EXCL, 4 COPYFILE_FICLONE_FORCE; to try a clone is the rule here.
void copy_file(const Arguments& args) {
  const int mode = int_at(args, 2);
  const fs::CopyOptions options{
      .exclusive = (mode & 1) != 0,
      .reflink = (mode & 4) != 0 ? fs::Reflink::required : fs::Reflink::try_first};
  with_two_paths(args, "copyfile",
                 [options](auto& from, auto& to) { return fs::copy_file(from, to, options); });
}

void unlink(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::unlink(path);
  carry_out(args, std::move(op), {"unlink", std::move(path)}, ToNothing());
}

void chmod(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::chmod(path, unsigned_at(args, 1));
  carry_out(args, std::move(op), {"chmod", std::move(path)}, ToNothing());
}

void chown(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::chown(path, unsigned_at(args, 1), unsigned_at(args, 2));
  carry_out(args, std::move(op), {"chown", std::move(path)}, ToNothing());
}

void lchown(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::lchown(path, unsigned_at(args, 1), unsigned_at(args, 2));
  carry_out(args, std::move(op), {"lchown", std::move(path)}, ToNothing());
}

void set_times(const Arguments& args, const char* name, int flags) {
  std::string path = text_at(args, 0);
  const std::array times{time_at(args, 1), time_at(args, 2)};
  carry_out_call(
      args,
      [path, times, flags] {
        return checked(::utimensat(AT_FDCWD, path.c_str(), times.data(), flags));
      },
      {name, path}, ToNothing());
}

void utimes(const Arguments& args) {
  set_times(args, "utime", 0);
}

void lutimes(const Arguments& args) {
  set_times(args, "lutime", AT_SYMLINK_NOFOLLOW);
}

// ---- Folders ------------------------------------------------------------------------------------

// (path, mode, recursive)
void mkdir(const Arguments& args) {
  std::string path = text_at(args, 0);
  // Node reports the parent that is not a folder only in the asynchronous form.
  const auto failure = args[0]->IsUndefined() ? nullptr : std::make_shared<fs::Failure>();
  const fs::MkdirOptions options{
      .recursive = flag_at(args, 2), .mode = unsigned_at(args, 1), .failure = failure.get()};
  auto op = fs::mkdir(path, options);
  carry_out(args, std::move(op), {"mkdir", std::move(path), {}, failure},
            ToFirstMade{options.recursive});
}

void rmdir(const Arguments& args) {
  std::string path = text_at(args, 0);
  auto op = fs::rmdir(path);
  carry_out(args, std::move(op), {"rmdir", std::move(path)}, ToNothing());
}

// (prefix, as bytes)
void mkdtemp(const Arguments& args) {
  std::string prefix = text_at(args, 0);
  // The asynchronous error has the name that was tried, the synchronous one the template.
  const auto failure = args[0]->IsUndefined() ? nullptr : std::make_shared<fs::Failure>();
  const auto make = [prefix, failure]() -> Expected<std::string> {
    std::string path = prefix + "XXXXXX";
    if (::mkdtemp(path.data()) != nullptr) return path;
    const int error = errno;
    if (failure != nullptr) *failure = {"mkdtemp", std::move(path)};
    return std::unexpected(errno_code(error));
  };
  carry_out_call(args, make, {"mkdtemp", prefix + "XXXXXX", {}, failure}, ToPath{flag_at(args, 1)});
}

// (path, with types, as bytes)
void read_folder(const Arguments& args, const char* name) {
  std::string path = text_at(args, 0);
  auto op = fs::readdir(path);
  ToEntries to_entries{flag_at(args, 1), flag_at(args, 2)};
  if (args[0]->IsUndefined() && std::string_view(name) == "opendir") {
    // As in Node, opendirSync() does not say which folder it was.
    carry_out(args, std::move(op), {name}, std::move(to_entries));
  } else {
    carry_out(args, std::move(op), {name, std::move(path)}, std::move(to_entries));
  }
}

void readdir(const Arguments& args) {
  read_folder(args, "scandir");
}

void opendir(const Arguments& args) {
  read_folder(args, "opendir");
}

// (path, force): with all that is in it
void remove_all(const Arguments& args) {
  std::string path = text_at(args, 0);
  const auto failure = std::make_shared<fs::Failure>();
  auto op = fs::rm(path, {.recursive = true, .force = flag_at(args, 1), .failure = failure.get()});
  carry_out(args, std::move(op), {"rm", std::move(path), {}, failure}, ToNothing());
}

struct ToFileSystem {
  bool as_bigints;
  Local<Value> operator()(const Environment& environment, const struct ::statfs& found) const {
    const auto numbers = {
        static_cast<std::int64_t>(found.f_type),   static_cast<std::int64_t>(found.f_bsize),
        static_cast<std::int64_t>(found.f_frsize), static_cast<std::int64_t>(found.f_blocks),
        static_cast<std::int64_t>(found.f_bfree),  static_cast<std::int64_t>(found.f_bavail),
        static_cast<std::int64_t>(found.f_files),  static_cast<std::int64_t>(found.f_ffree)};
    const auto buffer = v8::ArrayBuffer::New(environment.isolate(), numbers.size() * 8);
    void* const data = buffer->GetBackingStore()->Data();
    if (as_bigints) {
      std::ranges::copy(numbers, static_cast<std::int64_t*>(data));
      return v8::BigInt64Array::New(buffer, 0, numbers.size());
    }
    std::ranges::transform(numbers, static_cast<double*>(data),
                           [](std::int64_t number) { return static_cast<double>(number); });
    return v8::Float64Array::New(buffer, 0, numbers.size());
  }
};

// (path, as bigints): the file system that the path is on, as type, bsize, frsize, blocks, bfree,
// bavail, files, ffree
void statfs(const Arguments& args) {
  using Found = struct ::statfs;
  std::string path = text_at(args, 0);
  const ToFileSystem to_value{flag_at(args, 1)};
  const auto look = [path]() -> Expected<Found> {
    Found found{};
    if (::statfs(path.c_str(), &found) != 0) return std::unexpected(errno_code(errno));
    return found;
  };
  carry_out_call(args, look, {"statfs", path}, to_value);
}

/// Whether the path exists. Synchronous, without the cost of an error that is not used;
/// later it is access() by another name.
void exists(const Arguments& args) {
  if (!args[0]->IsUndefined()) return access(args);
  args.GetReturnValue().Set(fs::access(text_at(args, 0)).run_now().has_value());
}

constexpr Method kMethods[] = {
    {"open", open},
    {"close", close},
    {"read", read},
    {"readFile", read_file},
    {"writeFile", write_file},
    {"writeBuffer", write_buffer},
    {"readBuffers", read_buffers},
    {"writeBuffers", write_buffers},
    {"fstat", fstat},
    {"ftruncate", ftruncate},
    {"fsync", fsync},
    {"fdatasync", fdatasync},
    {"fchmod", fchmod},
    {"fchown", fchown},
    {"futimes", futimes},
    {"stat", stat},
    {"lstat", lstat},
    {"access", access},
    {"realpath", realpath},
    {"readlink", readlink},
    {"rename", rename},
    {"link", link},
    {"symlink", symlink},
    {"copyFile", copy_file},
    {"unlink", unlink},
    {"chmod", chmod},
    {"chown", chown},
    {"lchown", lchown},
    {"utimes", utimes},
    {"lutimes", lutimes},
    {"mkdir", mkdir},
    {"rmdir", rmdir},
    {"mkdtemp", mkdtemp},
    {"readdir", readdir},
    {"opendir", opendir},
    {"removeAll", remove_all},
    {"statfs", statfs},
    {"exists", exists},
};

}  // namespace

extern const Binding binding_fs;
const Binding binding_fs{"fs", kMethods};

}  // namespace rondo
