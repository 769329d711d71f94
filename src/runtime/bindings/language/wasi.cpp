// For node:wasi: the class whose methods a WebAssembly program imports (runtime/wasi/wasi.h).
#include "runtime/wasi/wasi.h"

#include <v8.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/views.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;
using wasi::Errno;
using wasi::GuestMemory;
using wasi::Wasi;

class WasiObject final : public Wrapped {
 public:
  WasiObject(Environment& environment, Local<v8::Object> object, Wasi system)
      : Wrapped(environment, object), system_(std::move(system)) {
    system_.set_ended([&environment] { return environment.ended(); });
  }

  Wasi& system() noexcept { return system_; }

  void set_memory(Local<v8::WasmMemoryObject> memory) {
    memory_.Reset(environment().isolate(), memory);
  }
  bool has_memory() const noexcept { return !memory_.IsEmpty(); }
  /// Asked for in each call: the program may have grown it.
  GuestMemory memory() const {
    return GuestMemory(bytes_of(memory_.Get(environment().isolate())->Buffer()));
  }

 private:
  Wasi system_;
  v8::Global<v8::WasmMemoryObject> memory_;
};

// ---- Calls --------------------------------------------------------------------------------------

/// WebAssembly passes an i32 as a signed number.
bool read_argument(Local<Value> value, std::uint32_t& result) {
  if (value->IsUint32()) {
    result = value.As<v8::Uint32>()->Value();
  } else if (value->IsInt32()) {
    result = static_cast<std::uint32_t>(value.As<v8::Int32>()->Value());
  } else {
    return false;
  }
  return true;
}

bool read_argument(Local<Value> value, std::uint64_t& result) {
  if (!value->IsBigInt()) return false;
  result = value.As<v8::BigInt>()->Uint64Value();
  return true;
}

/// Calls a method of Wasi that takes these numbers after the memory.
template <class... Parameters>
struct Caller {
  static constexpr int kLength = sizeof...(Parameters);

  template <auto method>
  static void run(const Arguments& args) {
    run<method>(args, std::index_sequence_for<Parameters...>());
  }

 private:
  template <auto method, std::size_t... index>
  static void run(const Arguments& args, std::index_sequence<index...> /*of the arguments*/) {
    WasiObject& self = *Wrapped::from<WasiObject>(args.This());
    Errno error = Errno::inval;
    std::tuple<Parameters...> values;
    if (args.Length() == kLength &&
        (read_argument(args[static_cast<int>(index)], std::get<index>(values)) && ...)) {
      if (!self.has_memory()) {
        const Environment& environment = self.environment();
        return environment.throw_(
            environment.error("ERR_WASI_NOT_STARTED", "wasi.start() has not been called"));
      }
      error = (self.system().*method)(self.memory(), std::get<index>(values)...);
    }
    args.GetReturnValue().Set(static_cast<std::uint32_t>(error));
  }
};

template <class... Parameters>
Caller<Parameters...> caller_of(Errno (Wasi::*)(const GuestMemory&, Parameters...));
template <class... Parameters>
Caller<Parameters...> caller_of(Errno (Wasi::*)(const GuestMemory&, Parameters...) const);

template <auto method>
constexpr Method make_call(const char* name) {
  using Found = decltype(caller_of(method));
  return {name, Found::template run<method>, nullptr, Found::kLength};
}

/// Ends the process, unless lib/ has replaced it by a function that ends only the program.
void proc_exit(const Arguments& args) {
  std::uint32_t code = 0;
  if (args.Length() != 1 || !read_argument(args[0], code)) {
    args.GetReturnValue().Set(static_cast<std::uint32_t>(Errno::inval));
    return;
  }
  Environment::of(args.GetIsolate()).exit(static_cast<int>(code));
}

void set_memory(const Arguments& args) {
  WasiObject& self = *Wrapped::from<WasiObject>(args.This());
  const Environment& environment = self.environment();
  if (!args[0]->IsWasmMemoryObject()) {
    return environment.throw_(environment.type_error(
        "ERR_INVALID_ARG_TYPE",
        "\"instance.exports.memory\" property must be a WebAssembly.Memory object"));
  }
  self.set_memory(args[0].As<v8::WasmMemoryObject>());
}

// In Node's order, which shows when a program lists them.
constexpr Method kFunctions[] = {
    make_call<&Wasi::args_get>("args_get"),
    make_call<&Wasi::args_sizes_get>("args_sizes_get"),
    make_call<&Wasi::clock_res_get>("clock_res_get"),
    make_call<&Wasi::clock_time_get>("clock_time_get"),
    make_call<&Wasi::environ_get>("environ_get"),
    make_call<&Wasi::environ_sizes_get>("environ_sizes_get"),
    make_call<&Wasi::fd_advise>("fd_advise"),
    make_call<&Wasi::fd_allocate>("fd_allocate"),
    make_call<&Wasi::fd_close>("fd_close"),
    make_call<&Wasi::fd_datasync>("fd_datasync"),
    make_call<&Wasi::fd_fdstat_get>("fd_fdstat_get"),
    make_call<&Wasi::fd_fdstat_set_flags>("fd_fdstat_set_flags"),
    make_call<&Wasi::fd_fdstat_set_rights>("fd_fdstat_set_rights"),
    make_call<&Wasi::fd_filestat_get>("fd_filestat_get"),
    make_call<&Wasi::fd_filestat_set_size>("fd_filestat_set_size"),
    make_call<&Wasi::fd_filestat_set_times>("fd_filestat_set_times"),
    make_call<&Wasi::fd_pread>("fd_pread"),
    make_call<&Wasi::fd_prestat_get>("fd_prestat_get"),
    make_call<&Wasi::fd_prestat_dir_name>("fd_prestat_dir_name"),
    make_call<&Wasi::fd_pwrite>("fd_pwrite"),
    make_call<&Wasi::fd_read>("fd_read"),
    make_call<&Wasi::fd_readdir>("fd_readdir"),
    make_call<&Wasi::fd_renumber>("fd_renumber"),
    make_call<&Wasi::fd_seek>("fd_seek"),
    make_call<&Wasi::fd_sync>("fd_sync"),
    make_call<&Wasi::fd_tell>("fd_tell"),
    make_call<&Wasi::fd_write>("fd_write"),
    make_call<&Wasi::path_create_directory>("path_create_directory"),
    make_call<&Wasi::path_filestat_get>("path_filestat_get"),
    make_call<&Wasi::path_filestat_set_times>("path_filestat_set_times"),
    make_call<&Wasi::path_link>("path_link"),
    make_call<&Wasi::path_open>("path_open"),
    make_call<&Wasi::path_readlink>("path_readlink"),
    make_call<&Wasi::path_remove_directory>("path_remove_directory"),
    make_call<&Wasi::path_rename>("path_rename"),
    make_call<&Wasi::path_symlink>("path_symlink"),
    make_call<&Wasi::path_unlink_file>("path_unlink_file"),
    make_call<&Wasi::poll_oneoff>("poll_oneoff"),
    {"proc_exit", proc_exit, nullptr, 1},
    make_call<&Wasi::proc_raise>("proc_raise"),
    make_call<&Wasi::random_get>("random_get"),
    make_call<&Wasi::sched_yield>("sched_yield"),
    make_call<&Wasi::sock_accept>("sock_accept"),
    make_call<&Wasi::sock_recv>("sock_recv"),
    make_call<&Wasi::sock_send>("sock_send"),
    make_call<&Wasi::sock_shutdown>("sock_shutdown"),
    {"_setMemory", set_memory, nullptr, 1},
};

// ---- Making one ---------------------------------------------------------------------------------

std::vector<std::string> read_texts(v8::Isolate* isolate, Local<Value> value) {
  const Local<v8::Context> context = isolate->GetCurrentContext();
  const auto array = value.As<v8::Array>();
  std::vector<std::string> texts;
  texts.reserve(array->Length());
  for (std::uint32_t i = 0; i < array->Length(); ++i) {
    const v8::String::Utf8Value text(isolate, array->Get(context, i).ToLocalChecked());
    texts.emplace_back(*text, static_cast<std::size_t>(text.length()));
  }
  return texts;
}

Local<Value> init_error(const Environment& environment, Errno error) {
  const std::string code = std::string("UVWASI_") + wasi::name_of(error);
  const Local<v8::Context> context = environment.context();
  const auto made = v8::Exception::Error(environment.text(code + ", uvwasi_init")).As<v8::Object>();
  const auto set = [&](std::string_view name, Local<Value> value) {
    made->CreateDataProperty(context, environment.name(name), value).Check();
  };
  set("errno",
      v8::Integer::NewFromUnsigned(environment.isolate(), static_cast<std::uint32_t>(error)));
  set("code", environment.text(code));
  set("syscall", environment.text("uvwasi_init"));
  return made;
}

/// new WASI(arguments, variables, preopens, stdio): lib/ has checked them. Preopens are pairs of
/// the program's name and our path.
void construct(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  Environment& environment = Environment::of(isolate);
  Wasi system(read_texts(isolate, args[0]), read_texts(isolate, args[1]));
  const std::vector<std::string> paths = read_texts(isolate, args[2]);
  std::vector<wasi::Preopen> preopens;
  for (std::size_t i = 0; i + 1 < paths.size(); i += 2) {
    preopens.push_back({paths[i], paths[i + 1]});
  }
  std::vector<int> stdio;
  for (const std::string& fd : read_texts(isolate, args[3])) stdio.push_back(std::stoi(fd));
  if (const Errno error = system.open(stdio, preopens); error != Errno::success) {
    return environment.throw_(init_error(environment, error));
  }
  new WasiObject(environment, args.This(), std::move(system));
}

constexpr ClassShape kClasses[] = {{"WASI", construct, kFunctions}};

}  // namespace

extern const Binding binding_wasi;
const Binding binding_wasi{.name = "wasi", .classes = kClasses};

}  // namespace rondo
