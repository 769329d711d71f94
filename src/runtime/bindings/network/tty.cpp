// Terminals. new TTY(fd) is a stream as in stream_handle.h, and has:
//
//   setRawMode(on)        a status
//   getWindowSize(out)    a status; fills in [columns, rows]
#include <optional>

#include "rondo/terminal.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/streams/descriptor_handle.h"

namespace rondo {
namespace {

using v8::Local;

class Tty final : public DescriptorHandle {
 public:
  static void make(const Arguments& args) {
    if (!args.IsConstructCall() || !args[0]->IsInt32()) return;
    new Tty(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Int32>()->Value());
  }

  static void set_raw_mode(const Arguments& args) {
    Tty* self = from<Tty>(args.This());
    std::int32_t status = 0;
    if (!args[0]->IsTrue()) {
      self->raw_.reset();
    } else if (!self->raw_) {
      auto raw = RawMode::enter(self->descriptor());
      if (raw) {
        self->raw_.emplace(*std::move(raw));
      } else {
        status = -raw.error().value();
      }
    }
    args.GetReturnValue().Set(status);
  }

  static void get_window_size(const Arguments& args) {
    const Tty* self = from<Tty>(args.This());
    const auto size = terminal_size(self->descriptor());
    if (size && args[0]->IsArray()) {
      v8::Isolate* isolate = args.GetIsolate();
      const Local<v8::Context> context = isolate->GetCurrentContext();
      const auto out = args[0].As<v8::Array>();
      out->Set(context, 0, v8::Integer::New(isolate, size->columns)).Check();
      out->Set(context, 1, v8::Integer::New(isolate, size->rows)).Check();
    }
    args.GetReturnValue().Set(size ? 0 : -size.error().value());
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

void is_atty(const Arguments& args) {
  args.GetReturnValue().Set(args[0]->IsInt32() && is_terminal(args[0].As<v8::Int32>()->Value()));
}

constexpr Method kMethods[] = {{"isatty", is_atty}};

constexpr Method kTtyMethods[] = {{"setRawMode", Tty::set_raw_mode},
                                  {"getWindowSize", Tty::get_window_size},
                                  {"setBlocking", DescriptorHandle::set_blocking}};

void extend(Environment& environment, Local<v8::Object> target) {
  const auto made = StreamHandle::make_class(environment, "TTY", Tty::make);
  add_methods(environment, made, kTtyMethods);
  set_value(environment, target, "TTY",
            made->GetFunction(environment.isolate()->GetCurrentContext()).ToLocalChecked());
}

constexpr v8::FunctionCallback kReferences[] = {Tty::make, Tty::set_raw_mode, Tty::get_window_size,
                                                DescriptorHandle::set_blocking};

}  // namespace

extern const Binding binding_tty;
const Binding binding_tty{"tty", kMethods, extend, kReferences};

}  // namespace rondo
