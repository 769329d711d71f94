// The ES modules of an environment. V8's modules are no JavaScript values, so lib/ knows them by
// numbers, and they live as long as the environment: a loader never forgets a module.
#pragma once

#include <v8.h>

#include <unordered_map>
#include <vector>

#include "runtime/wrapped.h"

namespace rondo {

class ModuleTable final : public Wrapped {
 public:
  struct Entry {
    v8::Global<v8::Module> module;
    v8::Global<v8::Context> context;  // empty: the main one
    v8::Global<v8::Function> steps;   // what evaluating a synthetic module does
    std::vector<int> links;           // what its requests stand for, in their order
    v8::Global<v8::Object> source;    // what `import source` gives; empty if nothing
  };

  /// The one of this environment, made when it is first asked for.
  static ModuleTable& of(Environment& environment);

  int add(v8::Local<v8::Module> module, v8::Local<v8::Context> context);
  Entry& operator[](int id) { return entries_[static_cast<std::size_t>(id)]; }
  /// Negative if it is not one of ours.
  int find(v8::Local<v8::Module> module) const;
  v8::Local<v8::Module> module(int id) const;
  /// The one it was made for.
  v8::Local<v8::Context> context(int id) const;

 private:
  ModuleTable(Environment& environment, v8::Local<v8::Object> object);
  ~ModuleTable() override;

  std::vector<Entry> entries_;
  std::unordered_multimap<int, int> ids_;  // by identity hash
};

}  // namespace rondo
