// The ES modules of an environment. V8's modules are not JavaScript values, so lib/ knows each by a
// handle, an object. The handle keeps everything that belongs to the module in its internal fields:
// the collector sees all of it, so that a module of node:vm goes when nothing refers to it any
// more.
#pragma once

#include <v8.h>

#include <unordered_map>

#include "runtime/glue/wrapped.h"

namespace rondo {

class ModuleHandle final : public Wrapped {
 public:
  /// Makes the handle of a module.
  static ModuleHandle& make(Environment& environment, v8::Local<v8::Module> module,
                            v8::Local<v8::Context> context);
  /// Null if it has none.
  static ModuleHandle* of(Environment& environment, v8::Local<v8::Module> module);
  /// The module of `value`, a handle that lib/ got from make().
  static ModuleHandle& at(v8::Local<v8::Value> value) { return *from<ModuleHandle>(value); }

  v8::Local<v8::Module> module() const;
  /// The one it was made for.
  v8::Local<v8::Context> context() const;

  /// What evaluating a synthetic module does.
  v8::Local<v8::Function> steps() const;
  void set_steps(v8::Local<v8::Function> steps);

  /// Handles of the modules it requests, in their order. Empty before they are set.
  v8::MaybeLocal<v8::Array> links() const;
  void set_links(v8::Local<v8::Array> handles);

  /// What `import source` gives; empty if nothing.
  v8::MaybeLocal<v8::Object> source() const;
  void set_source(v8::Local<v8::Object> source);

 private:
  friend class ModuleTable;
  enum Field : int { kWrapped, kModule, kContext, kSteps, kLinks, kSource, kFields };

  ModuleHandle(Environment& environment, v8::Local<v8::Object> object, v8::Local<v8::Module> module,
               v8::Local<v8::Context> context);
  ~ModuleHandle() override;

  v8::Local<v8::Data> field(Field field) const;

  v8::Global<v8::Module> module_;  // weak: to be compared with
  int hash_;
};

/// Finds handles by their modules, for V8's callbacks.
class ModuleTable final : public Wrapped {
 public:
  /// The one of this environment, made when it is first asked for.
  static ModuleTable& of(Environment& environment);

 private:
  friend class ModuleHandle;

  ModuleTable(Environment& environment, v8::Local<v8::Object> object);
  ~ModuleTable() override;

  v8::Global<v8::ObjectTemplate> shape_;
  std::unordered_multimap<int, ModuleHandle*> handles_;  // by identity hash
};

}  // namespace rondo
