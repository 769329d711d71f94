#include "runtime/module_table.h"

namespace rondo {

namespace {

/// Where the isolate keeps the table; the first slot is the environment's.
constexpr std::uint32_t kSlot = 1;

}  // namespace

ModuleTable::ModuleTable(Environment& environment, v8::Local<v8::Object> object)
    : Wrapped(environment, object) {
  environment.isolate()->SetData(kSlot, this);
  hold();
}

ModuleTable::~ModuleTable() {
  environment().isolate()->SetData(kSlot, nullptr);
}

ModuleTable& ModuleTable::of(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  if (auto* table = static_cast<ModuleTable*>(isolate->GetData(kSlot))) return *table;
  const v8::HandleScope scope(isolate);
  // Owned by the environment, as everything wrapped.
  return *new ModuleTable(environment, environment.new_holder().ToLocalChecked());
}

int ModuleTable::add(v8::Local<v8::Module> module, v8::Local<v8::Context> context) {
  const auto id = static_cast<int>(entries_.size());
  entries_.emplace_back();
  entries_.back().module.Reset(environment().isolate(), module);
  if (context != environment().context()) {
    entries_.back().context.Reset(environment().isolate(), context);
  }
  ids_.emplace(module->GetIdentityHash(), id);
  return id;
}

int ModuleTable::find(v8::Local<v8::Module> module) const {
  const auto [begin, end] = ids_.equal_range(module->GetIdentityHash());
  for (auto at = begin; at != end; ++at) {
    if (entries_[static_cast<std::size_t>(at->second)].module == module) return at->second;
  }
  return -1;
}

v8::Local<v8::Module> ModuleTable::module(int id) const {
  return entries_[static_cast<std::size_t>(id)].module.Get(environment().isolate());
}

v8::Local<v8::Context> ModuleTable::context(int id) const {
  const Entry& entry = entries_[static_cast<std::size_t>(id)];
  return entry.context.IsEmpty() ? environment().context()
                                 : entry.context.Get(environment().isolate());
}

}  // namespace rondo
