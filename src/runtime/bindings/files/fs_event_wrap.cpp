// For fs.watch(): one inotify instance for all watchers of an environment, because a user may have
// only 128 of them. Unlike rondo::fs::FsWatcher it reports each event as the kernel does, because
// so does Node: a file that is moved within a folder is two events there.
//
//     const events = new FSEvents((number, isRename, name) => {});
//     events.add(number, path)    begins; minus the errno, or 0
//     events.remove(number)
//     events.hold(true)           the watchers keep the loop alive
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/handle.h"
#include "core/loop_core.h"
#include "io/fs/inotify.h"
#include "io/fs/operation.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/wrapped.h"

namespace rondo {
namespace {

using v8::Local;

constexpr std::uint32_t kChange = IN_ATTRIB | IN_MODIFY;
constexpr std::uint32_t kEvents =
    kChange | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_MOVED_FROM | IN_MOVED_TO;

class FSEvents;

/// The descriptor. The backend may keep it longer than the JavaScript object lives.
class Inotify final : public Watch, public Handle {
 public:
  Inotify(Loop& loop, FSEvents& owner) : Handle(loop.core()), owner_(&owner) {}

  std::int32_t add(std::uint32_t number, const std::string& path) {
    if (core() == nullptr) return -EBADF;
    if (const std::int32_t error = open()) return error;
    const int wd = ::inotify_add_watch(fd, path.c_str(), kEvents);
    if (wd < 0) return -errno;
    watchers_[wd].push_back(number);
    set_active(true);
    return 0;
  }

  void remove(std::uint32_t number) {
    for (auto entry = watchers_.begin(); entry != watchers_.end(); ++entry) {
      if (std::erase(entry->second, number) == 0) continue;
      if (entry->second.empty()) {
        ::inotify_rm_watch(fd, entry->first);
        watchers_.erase(entry);
      }
      break;
    }
    if (watchers_.empty()) set_active(false);
  }

  void stop() noexcept {
    owner_ = nullptr;
    watchers_.clear();
    if (core() == nullptr) return;
    set_active(false);
    if (fd < 0) return;
    core()->backend().unwatch(*this);
    detail::dispose_descriptor(core(), std::exchange(fd, -1));
  }

 private:
  std::int32_t open() {
    if (fd >= 0) return 0;
    const int opened = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (opened < 0) return -errno;
    fd = opened;
    events = POLLIN;
    if (const std::error_code error = core()->backend().watch(*this)) {
      ::close(std::exchange(fd, -1));
      return -error.value();
    }
    return 0;
  }

  void loop_ends() noexcept override {
    const auto keep = shared_from_this();
    stop();
    detach();
  }

  void complete(std::int32_t /*result*/, std::uint32_t /*flags*/) override {
    const auto keep = shared_from_this();
    // Room for a few hundred events; what finds none comes with the next iteration.
    alignas(inotify_event) std::array<std::byte, 16384> buffer;
    const ssize_t count = fd < 0 ? 0 : ::read(fd, buffer.data(), buffer.size());
    if (count <= 0) return;
    std::span<const std::byte> bytes(buffer.data(), static_cast<std::size_t>(count));
    while (const auto record = detail::next_inotify_record(bytes)) take(*record);
  }

  void take(const detail::InotifyRecord& record) {
    const auto found = watchers_.find(record.wd);
    if (found == watchers_.end()) return;  // removed meanwhile, or IN_Q_OVERFLOW
    const std::vector<std::uint32_t> numbers = found->second;
    for (const std::uint32_t number : numbers) {
      if (owner_ == nullptr) return;
      if (!is_watching(record.wd, number)) continue;  // removed by the one before
      core()->door().run({TaskKind::completion, reinterpret_cast<std::uintptr_t>(this)},
                         [&] { report(number, record); });
    }
  }

  bool is_watching(int wd, std::uint32_t number) const {
    const auto found = watchers_.find(wd);
    return found != watchers_.end() &&
           std::ranges::find(found->second, number) != found->second.end();
  }

  void report(std::uint32_t number, const detail::InotifyRecord& record) const;

  FSEvents* owner_;                                               // null when it is gone
  std::unordered_map<int, std::vector<std::uint32_t>> watchers_;  // numbers by watch descriptor
};

class FSEvents final : public Wrapped {
 public:
  FSEvents(Environment& environment, Local<v8::Object> object, Local<v8::Function> dispatch)
      : Wrapped(environment, object),
        inotify_(std::make_shared<Inotify>(environment.loop(), *this)),
        dispatch_(environment.isolate(), dispatch) {
    hold();  // as long as the environment is there
  }
  ~FSEvents() override { inotify_->stop(); }

  static void construct(const Arguments& args) {
    new FSEvents(Environment::of(args.GetIsolate()), args.This(), args[0].As<v8::Function>());
  }

  static void add(const Arguments& args) {
    const v8::String::Utf8Value path(args.GetIsolate(), args[1]);
    std::string text(*path == nullptr ? "" : *path, static_cast<std::size_t>(path.length()));
    if (args[1]->IsArrayBufferView()) {
      const auto view = args[1].As<v8::ArrayBufferView>();
      text.resize(view->ByteLength());
      view->CopyContents(text.data(), text.size());
    }
    args.GetReturnValue().Set(inotify(args).add(args[0].As<v8::Uint32>()->Value(), text));
  }

  static void remove(const Arguments& args) {
    inotify(args).remove(args[0].As<v8::Uint32>()->Value());
  }

  static void set_held(const Arguments& args) { inotify(args).set_referenced(args[0]->IsTrue()); }

  void report(std::uint32_t number, const detail::InotifyRecord& record) {
    v8::Isolate* isolate = environment().isolate();
    const v8::HandleScope scope(isolate);
    const v8::Context::Scope inside(environment().context());
    Local<v8::Value> name = v8::Undefined(isolate);
    if (!record.name.empty()) {
      auto store = v8::ArrayBuffer::NewBackingStore(isolate, record.name.size());
      std::ranges::copy(record.name, static_cast<char*>(store->Data()));
      name = v8::Uint8Array::New(v8::ArrayBuffer::New(isolate, std::move(store)), 0,
                                 record.name.size());
    }
    const bool is_rename = (record.mask & ~kChange) != 0;
    environment().call(object(), dispatch_.Get(isolate),
                       {v8::Integer::NewFromUnsigned(isolate, number),
                        v8::Boolean::New(isolate, is_rename), name});
  }

 private:
  static Inotify& inotify(const Arguments& args) {
    return *Wrapped::from<FSEvents>(args.This())->inotify_;
  }

  std::shared_ptr<Inotify> inotify_;
  v8::Global<v8::Function> dispatch_;
};

void Inotify::report(std::uint32_t number, const detail::InotifyRecord& record) const {
  owner_->report(number, record);
}

constexpr Method kMethods[] = {
    {"add", FSEvents::add}, {"remove", FSEvents::remove}, {"hold", FSEvents::set_held}};
constexpr ClassShape kClasses[] = {{"FSEvents", FSEvents::construct, kMethods}};

}  // namespace

extern const Binding binding_fs_event_wrap;
const Binding binding_fs_event_wrap{.name = "fs_event_wrap", .classes = kClasses};

}  // namespace rondo
