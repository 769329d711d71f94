#include "runtime/sqlite/backup.h"

#include <memory>
#include <string>
#include <utility>

#include "rondo/work.h"

#include "runtime/engine/environment.h"
#include "runtime/glue/wrapped.h"
#include "runtime/sqlite/connection.h"
#include "runtime/sqlite/database.h"
#include "runtime/sqlite/errors.h"
#include "runtime/sqlite/option_reader.h"

namespace rondo::sqlite {

using v8::Local;

namespace {

/// What the loop's thread and a thread of the pool share. SQLite keeps a source that is closed
/// meanwhile until the backup is finished.
struct Copy {
  ~Copy() { finish(); }

  /// False if there is an error of the target's.
  bool begin(sqlite3* source, const std::string& path, const std::string& source_name,
             const std::string& target_name) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
    if (sqlite3_open_v2(path.c_str(), &target, flags, nullptr) != SQLITE_OK) return false;
    backup = sqlite3_backup_init(target, target_name.c_str(), source, source_name.c_str());
    return backup != nullptr;
  }
  void finish() noexcept {
    if (backup != nullptr) sqlite3_backup_finish(std::exchange(backup, nullptr));
    if (target != nullptr) sqlite3_close_v2(std::exchange(target, nullptr));
  }

  sqlite3* target = nullptr;
  sqlite3_backup* backup = nullptr;
};

/// A backup under way. It holds itself until it is done.
class Backup final : public Wrapped {
 public:
  Backup(Environment& environment, Local<v8::Object> object, Local<v8::Promise::Resolver> resolver,
         Local<v8::Function> progress, int pages)
      : Wrapped(environment, object),
        resolver_(environment.isolate(), resolver),
        progress_(environment.isolate(), progress),
        pages_(pages),
        link_(std::make_shared<Backup*>(this)),
        copy_(std::make_shared<Copy>()) {
    hold();
  }
  ~Backup() override { *link_ = nullptr; }

  void begin(sqlite3* source, const std::string& path, const std::string& source_name,
             const std::string& target_name) {
    if (copy_->begin(source, path, source_name, target_name)) return copy_some();
    reject(sqlite_error(environment(), copy_->target));
  }

 private:
  void copy_some() {
    work(
        environment().loop(),
        [copy = copy_, pages = pages_] { return sqlite3_backup_step(copy->backup, pages); },
        [link = link_](Expected<int> result) {
          Backup* const self = *link;
          if (self == nullptr) return;  // the environment did not wait
          const v8::HandleScope scope(self->environment().isolate());
          const v8::Context::Scope entered(self->environment().context());
          self->go_on(result ? *result : SQLITE_NOMEM);
        });
  }

  void go_on(int result) {
    const bool can_go_on = result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_BUSY ||
                           result == SQLITE_LOCKED;
    if (!can_go_on) return reject(sqlite_error(environment(), result));
    const int total = sqlite3_backup_pagecount(copy_->backup);
    const int remaining = sqlite3_backup_remaining(copy_->backup);
    if (remaining != 0 || result != SQLITE_DONE) {
      if (remaining == 0 || report(total, remaining)) copy_some();
      return;
    }
    copy_->finish();
    const Local<v8::Value> pages = v8::Integer::New(environment().isolate(), total);
    resolver()->Resolve(environment().context(), pages).Check();
    let_go();
  }

  /// Calls the program's function; false if it has thrown, which ends the backup.
  bool report(int total, int remaining) {
    v8::Isolate* isolate = environment().isolate();
    const Local<v8::Context> context = environment().context();
    if (progress_.IsEmpty()) return true;
    const Local<v8::Object> pages = v8::Object::New(isolate);
    const auto set = [&](std::string_view name, int number) {
      pages
          ->CreateDataProperty(context, environment().name(name), v8::Integer::New(isolate, number))
          .Check();
    };
    set("totalPages", total);
    set("remainingPages", remaining);
    Local<v8::Value> argument = pages;
    const v8::TryCatch caught(isolate);
    const auto called = progress_.Get(isolate)->Call(context, v8::Null(isolate), 1, &argument);
    if (!called.IsEmpty()) return true;
    if (caught.CanContinue()) reject(caught.Exception());
    return false;
  }

  void reject(Local<v8::Value> error) {
    copy_->finish();
    resolver()->Reject(environment().context(), error).Check();
    let_go();
  }

  Local<v8::Promise::Resolver> resolver() const { return resolver_.Get(environment().isolate()); }

  v8::Global<v8::Promise::Resolver> resolver_;
  v8::Global<v8::Function> progress_;
  int pages_;  // copied by each step
  std::shared_ptr<Backup*> link_;
  std::shared_ptr<Copy> copy_;
};

}  // namespace

void backup(const Arguments& args) {
  Environment& environment = Environment::of(args.GetIsolate());
  const Database* const database = Database::from_argument(environment, args[0]);
  if (database == nullptr || !check_open(environment, *database->connection())) return;
  std::string path;
  if (!read_location(environment, args[1], path)) return;
  int pages = 100;
  std::string source = "main";
  std::string target = "main";
  Local<v8::Function> progress;
  if (args.Length() > 2) {
    OptionReader options(environment, args[2], OptionReader::Undefined::refused);
    options.integer("rate", pages);
    if (options.ok() && pages < 1) options.fail_range("rate", "a positive integer");
    options.string("source", source);
    options.string("target", target);
    options.function("progress", progress);
    if (!options.ok() || !check_open(environment, *database->connection())) return;
  }
  Local<v8::Promise::Resolver> resolver;
  Local<v8::Object> object;
  if (!v8::Promise::Resolver::New(environment.context()).ToLocal(&resolver) ||
      !environment.new_holder().ToLocal(&object)) {
    return;
  }
  args.GetReturnValue().Set(resolver->GetPromise());
  auto* const backup = new Backup(environment, object, resolver, progress, pages);
  backup->begin(database->connection()->handle(), path, source, target);
}

}  // namespace rondo::sqlite
