// Terminals. new TTY(fd) is a stream as in stream_handle.h, and has:
//
//   setRawMode(on)        a status
//   getWindowSize(out)    a status; fills in [columns, rows]
#include <optional>

#include "rondo/terminal.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/typed_method.h"
#include "runtime/streams/descriptor_handle.h"

namespace rondo {
namespace {

using v8::Local;

class Tty final : public DescriptorHandle {
 public:
  static void make(Environment& environment, Local<v8::Object> object, Local<v8::Value> fd) {
    if (fd->IsInt32()) new Tty(environment, object, fd.As<v8::Int32>()->Value());
  }

  std::int32_t set_raw_mode(bool on) {
    if (!on) {
      raw_.reset();
    } else if (!raw_) {
      auto raw = RawMode::enter(descriptor());
      if (!raw) return -raw.error().value();
      raw_.emplace(*std::move(raw));
    }
    return 0;
  }

  std::int32_t get_window_size(Local<v8::Value> out) const {
    const auto size = terminal_size(descriptor());
    if (!size) return -size.error().value();
    if (out->IsArray()) {
      v8::Isolate* isolate = environment().isolate();
      const Local<v8::Context> context = isolate->GetCurrentContext();
      const auto list = out.As<v8::Array>();
      list->Set(context, 0, v8::Integer::New(isolate, size->columns)).Check();
      list->Set(context, 1, v8::Integer::New(isolate, size->rows)).Check();
    }
    return 0;
  }

 private:
  Tty(Environment& environment, Local<v8::Object> object, int fd)
      : DescriptorHandle(environment, object, fd, Writes::blocking) {}

  void tear_down() noexcept override {
    raw_.reset();
    DescriptorHandle::tear_down();
  }

  std::optional<RawMode> raw_;
};

bool is_atty(Local<v8::Value> fd) {
  return fd->IsInt32() && is_terminal(fd.As<v8::Int32>()->Value());
}

constexpr Method kMethods[] = {method<is_atty>("isatty")};

constexpr Method kTtyMethods[] = {method<&Tty::set_raw_mode>("setRawMode"),
                                  method<&Tty::get_window_size>("getWindowSize"),
                                  method<&DescriptorHandle::set_blocking>("setBlocking")};

constexpr ClassShape kClasses[] = {{.name = "TTY",
                                    .construct = constructor<Tty::make>(),
                                    .methods = kTtyMethods,
                                    .base = &StreamHandle::kBase}};

}  // namespace

extern const Binding binding_tty;
const Binding binding_tty{.name = "tty", .methods = kMethods, .classes = kClasses};

}  // namespace rondo
